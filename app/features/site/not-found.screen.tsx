/** What an address shows that leads nowhere. */
import { Nowhere } from '../../session/not-found.tsx'

export default Nowhere
