/**
 * Proves with a post where its author works. It loads the curve, so it's imported when someone
 * sends a post. badge-issuing is heavier.
 */
import { randomScalar } from '#app/api/credential/group.ts'
import { present, serializePresentation } from '#app/api/credential/profile.ts'
import { postContextOf } from '#app/api/credential/purposes.ts'
import { toBase64url } from '#app/identity/credentials/credential.ts'
import { readCredential } from '#app/identity/credentials/issuing.data.ts'
import type { PostBadge } from './badge.contract.ts'
import { type BadgedPost, postMessageOf } from './badge.ts'
import type { StoredBadge } from './stored-badges.data.ts'

export function badgeBeside(badge: StoredBadge, post: BadgedPost): PostBadge {
  const { domain, quarter, company } = badge
  const presented = present(
    readCredential(badge),
    postContextOf(post.idempotencyKey),
    postMessageOf(company.id, post),
    randomScalar,
  )
  const presentation = toBase64url(serializePresentation(presented))
  return { companyId: company.id, domain, quarter, presentation }
}
