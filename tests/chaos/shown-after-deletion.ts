/** Whether something was shown to a visitor after its deletion or removal had been acknowledged. */
import { type Book, goneOf, type Read, type Spell } from './book.ts'

/** Within this the other process knows; the one that acknowledged knows at once. */
const KNOWN_ELSEWHERE_MS = 1_000
/** A connection that died without a word is noticed, and back, within this. */
const SILENCE_NOTICED_MS = 10_000

type Facts = Pick<Book, 'posts' | 'reads' | 'spells'>

/** @returns what was seen that should not: a sentence without ids, the mark, the read's start */
export function shownAfterDeletion({ posts, reads, spells }: Facts) {
  const goneByMark = new Map(
    posts.flatMap((post) => {
      const gone = goneOf(post)
      return gone ? [[post.mark, { ...gone, kind: post.kind }] as const] : []
    }),
  )
  return reads.flatMap((read) =>
    read.marks.flatMap((mark) => {
      const gone = goneByMark.get(mark)
      if (!gone || read.started <= hiddenFrom(gone, read, spells)) return []
      const where = gone.site === read.site ? 'the same process' : 'the other process'
      const sentence = `A ${gone.kind} that was ${gone.how} was seen in ${where}: ${read.what}`
      return [{ sentence, mark, at: read.started }]
    }),
  )
}

/** From when on no read of this process may begin and still show it. */
function hiddenFrom(gone: { at: number; site: number }, read: Read, spells: Spell[]) {
  if (gone.site === read.site) return gone.at
  let from = gone.at + KNOWN_ELSEWHERE_MS
  // Whoever slept, or hears everything late, has its second when it is awake again.
  const own = spells.filter((it) => it.site === read.site).sort((a, b) => a.from - b.from)
  for (const spell of own) {
    const to = spell.what === 'frozen' ? spell.from + SILENCE_NOTICED_MS : spell.to
    if (spell.from <= from) from = Math.max(from, to + KNOWN_ELSEWHERE_MS)
  }
  return from
}
