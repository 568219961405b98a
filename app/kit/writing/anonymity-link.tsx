/** Leads whoever is about to write to what that says of them. In a tab of its own: what was begun stays. */
import { linkLook } from '../ui/looks.ts'

export const AnonymityLink = () => (
  <a href="/anonymity" target="_blank" rel="noopener" className={linkLook}>
    How we keep you anonymous
  </a>
)
