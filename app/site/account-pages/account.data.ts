/** What people do with their own account. */
import type { Client } from '#app/api/client.ts'
import { forgetBadges } from '#app/companies/badges/kept-badges.data.ts'
import type { AccountContract } from '#app/identity/accounts/account.contract.ts'
import type { PostsChoice } from '#app/identity/accounts/account.ts'
import { leaveRatings } from '#app/identity/credentials/leaving.data.ts'
import { liveSession } from '#app/kit/session/session.data.ts'
import type { ExportContract } from './export.contract.ts'

type Api = Client<AccountContract>

/** Takes another username; the menus show it at once. Refused with 409 when somebody has it. */
export async function takeUsername(api: Api, username: string) {
  const profile = await api('PATCH /api/v1/me/profile', { body: { username } })
  const live = await liveSession()
  await live.loadMe()
  return profile
}

/**
 * Everything that the site holds on the person, with the ratings that only this browser can find, as a file.
 * @param who as `useSessionKey` tells people apart
 */
export async function exportFile(api: Client<ExportContract>, who: string) {
  const data = await api('GET /api/v1/me/export')
  const { heldRatings } = await import('#app/ratings/presented/held-rating.data.ts')
  const all = { ...data, ratingsOfThisBrowser: heldRatings(who) }
  return {
    name: `kettle-export-${data.exportedOn}.json`,
    blob: new Blob([JSON.stringify(all, null, 2)], { type: 'application/json' }),
  }
}

/** Deletes the account for good, and signs this browser out; it takes the ratings away that nobody else can find. */
export async function deleteAccount(
  api: Api,
  { who, confirmation, posts }: { who: string; confirmation: string; posts: PostsChoice },
) {
  await api('POST /api/v1/me/deletion', { body: { confirmation, posts } })
  leaveRatings(who, posts)
  forgetBadges(who)
  const { auth } = await liveSession()
  // Its session went with the account, which the service says and auth-js forgives.
  await auth.signOut({ scope: 'local' })
}
