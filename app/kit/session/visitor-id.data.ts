/** What a visitor's browser is known by to the server, and by nobody else. */

/** The local storage key. Spec §3. */
export const ANONYMOUS_KEY = 'anonymousUserId'
/** Spec §9. */
const PREFIX = 'anon-'
const RANDOM_BYTES = 16

/** Made on demand: a secret of 128 random bits that stays with this browser (S4). */
export function anonymousId(): string {
  try {
    const known = localStorage.getItem(ANONYMOUS_KEY)
    if (known) return known
    unsaved ??= randomId()
    localStorage.setItem(ANONYMOUS_KEY, unsaved)
  } catch {
    // A browser that stores nothing is somebody else at its next visit.
    unsaved ??= randomId()
  }
  return unsaved
}

/** The id that is here already; undefined where nothing was written, or nothing that the server would take. */
export function keptAnonymousId(): string | undefined {
  try {
    const known = localStorage.getItem(ANONYMOUS_KEY)
    return known && /^anon-[0-9a-f]{32}$/.test(known) ? known : undefined
  } catch {
    return undefined
  }
}

/** From now on this browser is the one that `id` belongs to. False where it keeps nothing. */
export function takeAnonymousId(id: string): boolean {
  try {
    localStorage.setItem(ANONYMOUS_KEY, id)
    return true
  } catch {
    return false
  }
}

let unsaved: string | undefined

function randomId() {
  const bytes = [...crypto.getRandomValues(new Uint8Array(RANDOM_BYTES))]
  return PREFIX + bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
