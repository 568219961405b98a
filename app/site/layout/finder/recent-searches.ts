/** What somebody looked for lately, as a list of texts. Runs in the browser too: no I/O here. */

/** A glance, and no diary. */
export const RECENT_MAX = 6

/** The newest first; a text that is there already, in whatever case, moves to the front. */
export const withRecent = (recent: readonly string[], text: string): string[] =>
  [text, ...recent.filter((each) => each.toLowerCase() !== text.toLowerCase())].slice(0, RECENT_MAX)

/** Whatever is stored: what makes no sense is no search. */
export function recentIn(stored: string | null): string[] {
  try {
    const found: unknown = JSON.parse(stored ?? '[]')
    if (!Array.isArray(found)) return []
    return found.filter((each) => typeof each === 'string').slice(0, RECENT_MAX)
  } catch {
    return []
  }
}
