/** How the server recognizes a visitor's browser. No one else can. */

/** Local storage key. Spec §3. */
export const ANONYMOUS_KEY = 'anonymousUserId'
/** Spec §9. */
const PREFIX = 'anon-'
const RANDOM_BYTES = 16

/** Created on demand: 128 random bits that stay in this browser (S4). */
export function anonymousId(): string {
  try {
    const known = localStorage.getItem(ANONYMOUS_KEY)
    if (known) return known
    unsaved ??= randomId()
    localStorage.setItem(ANONYMOUS_KEY, unsaved)
  } catch {
    // If the browser can't store anything, it's someone else at its next visit.
    unsaved ??= randomId()
  }
  return unsaved
}

/** Undefined if nothing was written here, or if the server wouldn't take it. */
export function storedAnonymousId(): string | undefined {
  try {
    const known = localStorage.getItem(ANONYMOUS_KEY)
    return known && /^anon-[0-9a-f]{32}$/.test(known) ? known : undefined
  } catch {
    return undefined
  }
}

/** Gives this browser the id `id`. Returns false if it can't store that. */
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
