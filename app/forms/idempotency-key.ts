/** Sending a form: its id, so that a second sending makes no second post, and how it failed. */

/** A v4 UUID. `crypto.randomUUID` is missing on sites that are reached without https. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Why a sending failed, for its form: the server's own sentence where it refused. */
export function sendingProblem(error: unknown): string {
  const { status = 0, message } = error as { status?: number; message?: string }
  if (status >= 400 && status < 500 && message) return message
  const what = status === 0 ? 'We could not be reached.' : 'Something went wrong.'
  return `${what} What you wrote is still here. Please try again.`
}
