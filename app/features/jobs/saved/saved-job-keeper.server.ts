/** Who keeps something of jobs: members, employers and visitors, each under the author key. */
import type { Ctx } from '../../../auth/context.server.ts'
import { Refusal } from '../../../server/refusal.ts'

/** @throws Refusal sign-in-required */
export function demandKeeper({ actor }: Ctx): string {
  if (actor.authorKey === null)
    throw new Refusal(
      'sign-in-required',
      'Your browser sent no anonymous id. Reload the page, or sign in.',
    )
  return actor.authorKey
}
