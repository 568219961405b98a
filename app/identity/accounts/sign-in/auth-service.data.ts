/** What the auth service answers beyond the calls that its client knows. */
import type { Auth } from '#app/kit/session/live-session.data.ts'

interface Tokens {
  access_token: string
  refresh_token: string
}

/** In the name of whoever the client's session is. */
export async function askService<Answer>(
  auth: Auth,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
) {
  const { data } = await auth.getSession()
  const response = await fetch(`/auth/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${data.session?.access_token}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
  })
  const told = await response.json()
  if (response.ok) return { data: told as Answer, error: null }
  const { status } = response
  const error = { name: 'AuthApiError', message: told.msg, code: told.error_code, status }
  return { data: null, error }
}

/** The session that it answers takes the former one's place. */
export async function openAnswered(auth: Auth, path: string, body: object) {
  const { data, error } = await askService<Tokens>(auth, 'POST', path, body)
  return data ? auth.setSession(data) : { error }
}
