/** Calls of the auth service that its client doesn't know. */
import type { Auth } from '#app/kit/session/live-session.data.ts'

interface Tokens {
  access_token: string
  refresh_token: string
}

/** Uses the client's session. */
export async function callService<Output>(
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
  const json = await response.json()
  if (response.ok) return { data: json as Output, error: null }
  const { status } = response
  const error = { name: 'AuthApiError', message: json.msg, code: json.error_code, status }
  return { data: null, error }
}

/** Stores the session that it returns. */
export async function openReturned(auth: Auth, path: string, body: object) {
  const { data, error } = await callService<Tokens>(auth, 'POST', path, body)
  return data ? auth.setSession(data) : { error }
}
