/** Reports views and clicks. Never fails, and nothing waits for it. */
import { isQuietAbout } from '#app/kit/session/quiet-companies.data.ts'
import { credentials, stored } from '#app/kit/session/session.data.ts'

/** Which companies people look at is their own business. Only an administrator's views say whose they are: they don't count. */
export const trackView = (companyId: string) =>
  trackCompany('/api/v1/views', companyId, { isAnonymous: !isAdministrator() })

/** live-session.data.ts notes it. */
const isAdministrator = () => stored('isAdmin') === 'true'

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

async function trackCompany(path: string, companyId: string, how: Tracking = {}) {
  // Spec §8. The company may have been deleted meanwhile.
  if ((await track(path, { companyId }, how)) === 404)
    console.debug('What was viewed no longer exists')
}

interface Tracking {
  /** Without the session, and over a connection that never had it. */
  isAnonymous?: boolean
}

/**
 * Survives leaving the page. Without the session if a company on it is being rated. Never with an anonymous id: viewing is not
 * writing.
 * @returns the response's status, if there was one
 */
export async function track(path: string, seen: object, { isAnonymous }: Tracking = {}) {
  try {
    const body = JSON.stringify(seen)
    const token = isAnonymous || isQuietAbout(body) ? undefined : await credentials.token()
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
    // Not worth an error.
    return undefined
  }
}
