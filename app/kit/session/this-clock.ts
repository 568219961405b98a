/** Server times by this browser's clock, which may be hours wrong. */

/** How far this clock is ahead, in milliseconds, as of the last session. */
let ahead = 0

/** @param time the server's, in milliseconds since 1970 */
export const byThisClock = (time: number) => time + ahead

/**
 * The auth client trusts this device's clock, so we compute the session's end from how long the server says it
 * lasts.
 */
export const fetchByThisClock: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  const answer = await response
    .clone()
    .json()
    .catch(() => undefined)
  if (typeof answer?.expires_in !== 'number' || typeof answer.expires_at !== 'number')
    return response
  const expires_at = Math.floor(Date.now() / 1000) + answer.expires_in
  ahead = (expires_at - answer.expires_at) * 1000
  const { status, headers } = response
  return new Response(JSON.stringify({ ...answer, expires_at }), { status, headers })
}
