/** Reports views and clicks. Never fails, and nothing waits for it. */
import { isQuietAbout } from '#app/kit/session/quiet-companies.data.ts'
import { credentials } from '#app/kit/session/session.data.ts'

/** The server counts once per hour and person. */
export const trackView = (companyId: string) => trackCompany('/api/v1/views', companyId)

/** Skips visitors, and missing ids: Spec §6, §8. */
export async function trackClick(companyId: string) {
  try {
    if (companyId && isQuietAbout(companyId)) return
    if (companyId && (await credentials.token()))
      await trackCompany('/api/v1/interactions', companyId)
    else console.debug('A click isn’t tracked without a user id and a company')
  } catch {
    // Offline, or logged out meanwhile.
  }
}

async function trackCompany(path: string, companyId: string) {
  // Spec §8. The company may have been deleted meanwhile.
  if ((await track(path, { companyId })) === 404) console.debug('What was viewed no longer exists')
}

/**
 * Survives leaving the page. Sent with the session, as an administrator's own views don't count, but without one about a
 * company that is being rated; never with an anonymous id: viewing is not writing.
 * @returns the response's status, if there was one
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
    // Not worth an error.
    return undefined
  }
}
