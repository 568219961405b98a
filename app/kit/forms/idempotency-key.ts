/** The key of a sending, so that a second one with the same key makes no second post. One key is one text. */

/** A v4 UUID. `crypto.randomUUID` is missing on sites that are reached without https. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Another text was sent under this key before: what is sent now wants a key of its own. */
export const isKeyUsed = (error: unknown) =>
  (error as { code?: string } | undefined)?.code === 'idempotency-key-used'
