/** Proves the badge chosen for a post. The curve is loaded on first use. */
import type { PostBadge } from './badge.contract.ts'
import { badgesOf } from './kept-badges.data.ts'
import type { BadgedPost } from './presented-badge.ts'

/** @returns undefined if none was chosen, or it was forgotten since */
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
