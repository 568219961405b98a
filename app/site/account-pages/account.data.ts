import type { Client } from '#app/api/client.ts'
import { forgetBadges } from '#app/companies/badges/stored-badges.data.ts'
import type { AccountContract } from '#app/identity/accounts/account.contract.ts'
import type { PostsChoice } from '#app/identity/accounts/account.ts'
import { leaveRatings } from '#app/identity/credentials/account-departure.data.ts'
import { liveSession } from '#app/kit/session/session.data.ts'
import type { ExportContract } from './account-pages.contract.ts'

type Api = Client<AccountContract>

/** Changes the username, also in the menus. Refused with 409 if it's taken. */
export async function setUsername(api: Api, username: string) {
  const profile = await api('PATCH /api/v1/me/profile', { body: { username } })
  const live = await liveSession()
  await live.loadMe()
  return profile
}

/**
 * The person's data export, including ratings, pay, interviews and benefits that only this browser can find.
 * @param sessionKey as from `useSessionKey`
 */
export async function exportFile(api: Client<ExportContract>, sessionKey: string) {
  const data = await api('GET /api/v1/me/export')
  const [{ ratingsOfThisBrowser }, { entriesOfThisBrowser }] = await Promise.all([
    import('#app/ratings/presented/presented-rating.data.ts'),
    import('#app/ratings/presented/own-entries.data.ts'),
  ])
  const all = {
    ...data,
    ratingsOfThisBrowser: ratingsOfThisBrowser(sessionKey),
    payOfThisBrowser: entriesOfThisBrowser('pay', sessionKey),
    interviewsOfThisBrowser: entriesOfThisBrowser('interview', sessionKey),
    benefitsOfThisBrowser: entriesOfThisBrowser('benefits', sessionKey),
  }
  return {
    name: `kettle-export-${data.exportedOn}.json`,
    blob: new Blob([JSON.stringify(all, null, 2)], { type: 'application/json' }),
  }
}

/** Deletes the account, signs this browser out, and removes the ratings that only this browser can find. */
export async function deleteAccount(
  api: Api,
  {
    sessionKey,
    confirmation,
    posts,
  }: { sessionKey: string; confirmation: string; posts: PostsChoice },
) {
  await api('POST /api/v1/me/deletion', { body: { confirmation, posts } })
  leaveRatings(sessionKey, posts)
  forgetBadges(sessionKey)
  const { auth } = await liveSession()
  // The session was deleted with the account. auth-js ignores the resulting error.
  await auth.signOut({ scope: 'local' })
}
