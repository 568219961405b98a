/** Reports views and clicks. It never fails, and nothing waits for it. */
import { isQuietAbout } from '#app/kit/session/quiet-companies.data.ts'
import { authenticator, stored } from '#app/kit/session/session.data.ts'

/**
 * It's private which companies people look at. Only an administrator's views say whose they are, because they
 * don't count.
 */
export const trackView = (companyId: string) =>
  trackCompany('/api/v1/views', companyId, { isAnonymous: !isAdministrator() })

/** live-session.data.ts sets it. */
const isAdministrator = () => stored('isAdmin') === 'true'

/** Skips visitors, and missing ids: Spec §6, §8. */
export async function trackClick(companyId: string) {
  try {
    if (companyId && isQuietAbout(companyId)) return
    if (companyId && (await authenticator.token()))
      await trackCompany('/api/v1/interactions', companyId)
    else console.debug('A click isn’t tracked without a user id and a company')
  } catch {
    // The person went offline, or logged out meanwhile.
  }
}

async function trackCompany(path: string, companyId: string, how: Tracking = {}) {
  // Spec §8. The company may have been deleted meanwhile.
  if ((await track(path, { companyId }, how)) === 404)
    console.debug('What was viewed no longer exists')
}

interface Tracking {
  /** Sent without the session, over a connection that never had it. */
  isAnonymous?: boolean
}

/**
 * Gets sent even if people leave the page. Goes without a session if it's about a company they're rating. Never has an
 * anonymous id, because viewing isn't writing.
 * @returns the response's status, if there was one
 */
export async function track(path: string, seen: object, { isAnonymous }: Tracking = {}) {
  try {
    const body = JSON.stringify(seen)
    const token = isAnonymous || isQuietAbout(body) ? undefined : await authenticator.token()
    const { status } = await fetch(path, {
      method: 'POST',
      keepalive: true,
      credentials: token ? 'same-origin' : 'omit',
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body,
    })
    return status
  } catch {
    // A lost count isn't worth an error.
    return undefined
  }
}
