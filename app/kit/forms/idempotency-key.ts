/** Sending twice with the same key makes one post. */
import { hasCode } from '#app/api/client.ts'

/** A v4 UUID. Sites without https have no `crypto.randomUUID`. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** A different text was sent with this key, so this one needs its own. */
export const isKeyUsed = (error: unknown) => hasCode(error, 'idempotency-key-used')
