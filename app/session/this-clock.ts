/** When a session ends, by this browser's clock, which may be hours wrong: the server says how long it lasts. */
export const fetchByThisClock: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  const answer = await response
    .clone()
    .json()
    .catch(() => undefined)
  if (typeof answer?.expires_in !== 'number') return response
  const { status, headers } = response
  const expires_at = Math.floor(Date.now() / 1000) + answer.expires_in
  return new Response(JSON.stringify({ ...answer, expires_at }), { status, headers })
}
