/** Whether visitors saw something after its deletion or removal was acknowledged. */
import { type Book, goneOf, type Read, type Spell } from './book.ts'

/** The other process knows within this time. The one that acknowledged it knows immediately. */
const KNOWN_ELSEWHERE_MS = 1_000
/** A connection that died silently is noticed, and restored, within this time. */
const SILENCE_NOTICED_MS = 10_000

type Facts = Pick<Book, 'posts' | 'reads' | 'spells'>

/** @returns what was wrongly shown: a sentence without IDs, the mark, and the start of the read */
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

/** No read in this process that begins after this time may still show it. */
function hiddenFrom(gone: { at: number; site: number }, read: Read, spells: Spell[]) {
  if (gone.site === read.site) return gone.at
  let from = gone.at + KNOWN_ELSEWHERE_MS
  // If a process was paused or gets everything late, its second starts when it's back.
  const own = spells.filter((it) => it.site === read.site).sort((a, b) => a.from - b.from)
  for (const spell of own) {
    const to = spell.what === 'frozen' ? spell.from + SILENCE_NOTICED_MS : spell.to
    if (spell.from <= from) from = Math.max(from, to + KNOWN_ELSEWHERE_MS)
  }
  return from
}
