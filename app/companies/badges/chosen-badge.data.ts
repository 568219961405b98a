/** The badge that somebody chose for a post, proven for it. Light: the curve's code comes with the first one. */
import type { PostBadge } from './badge.contract.ts'
import { badgesOf } from './kept-badges.data.ts'
import type { BadgedPost } from './presented-badge.ts'

/** @returns nothing where none was chosen, or it was forgotten since */
export async function badgeOf(
  who: string,
  domain: string | undefined,
  post: BadgedPost,
): Promise<PostBadge | undefined> {
  const badge = badgesOf(who).find((it) => it.domain === domain)
  if (!badge) return
  const { badgeBeside } = await import('./presenting-badge.data.ts')
  return badgeBeside(badge, post)
}
