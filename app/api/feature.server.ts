/** What a feature hands to the process that runs it. */
import type { Subscription } from '../server/events.server.ts'

export interface Feature {
  /** What it follows up of what lower features publish. */
  events?: Subscription[]
}
