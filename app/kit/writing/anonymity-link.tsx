/** For people about to write: what that says about them. In a new tab, so that their text stays. */
import { linkLook } from '../ui/looks.ts'

export const AnonymityLink = () => (
  <a href="/anonymity" target="_blank" rel="noopener" className={linkLook}>
    How we keep you anonymous
  </a>
)
