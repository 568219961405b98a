/** Tells the server what was looked at and chosen. It never fails, and nothing waits for it. */
import { isQuietAbout } from '#app/kit/session/quiet-companies.data.ts'
import { credentials } from '#app/kit/session/session.data.ts'

/** Counted once per hour for one person, whoever sends it more often. */
export const trackView = (companyId: string) => trackCompany('/api/v1/views', companyId)

/** Visitors are skipped, and what names no company: Spec §6, §8. */
export async function trackClick(companyId: string) {
  try {
    if (companyId && isQuietAbout(companyId)) return
    if (companyId && (await credentials.token()))
      await trackCompany('/api/v1/interactions', companyId)
    else console.debug('A click is not tracked without a user id and a company')
  } catch {
    // Offline, or signed out meanwhile.
  }
}

async function trackCompany(path: string, companyId: string) {
  // Spec §8. The company may have gone meanwhile.
  if ((await track(path, { companyId })) === 404)
    console.debug('What was looked at is not there any more')
}

/**
 * Sent even when the page goes away at once, and with what the person proves itself with: an
 * administrator's own views do not count. No anonymous id: looking is not writing. Of a company that they rate just now
 * without.
 * @returns the status of the answer, where one came
 */
export async function track(path: string, seen: object) {
  try {
    const body = JSON.stringify(seen)
    const token = isQuietAbout(body) ? undefined : await credentials.token()
    const { status } = await fetch(path, {
      method: 'POST',
      keepalive: true,
      credentials: 'same-origin',
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body,
    })
    return status
  } catch {
    // A count that is missing is no reason to bother anybody.
    return undefined
  }
}
