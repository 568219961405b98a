/** What a presented rating's proof is bound to. Browser and server must make the same bytes. No I/O here. */
import type { RatingInput } from '../rating-input.ts'

export interface PresentedRating {
  companyId: string
  quarter: string
  /** SHA-256 of the key that finds and removes it. base64url */
  holder: string
  /** Keys of the holder's ratings of companies merged into this one; this rating replaces them. */
  replaces: string[]
  rating: RatingInput
  /** Shows that its holder works there: the proof is then made with the badge. */
  badge?: { domain: string } | undefined
  /** The ratings this device knows of: any other one stays, and its person chooses. */
  over: RatingInput[]
}

const inOrder = ({ rto, dei, workLife, culture, officeDays, relation, era, note }: RatingInput) => [
  ...[rto, dei, workLife, culture, officeDays],
  ...[relation, era, note],
]

/** Covers every field: a changed letter needs another proof. */
export function messageOf({
  companyId,
  quarter,
  holder,
  replaces,
  rating,
  badge,
  over,
}: PresentedRating) {
  const { rto, dei, workLife, culture, officeDays, relation, era, note } = rating
  const stars = [rto, dei, workLife, culture]
  const said: unknown[] = [
    companyId,
    quarter,
    holder,
    replaces,
    stars,
    officeDays,
    relation,
    era,
    note,
  ]
  if (badge || over.length > 0) said.push(badge?.domain ?? null)
  if (over.length > 0) said.push(over.map(inOrder))
  return new TextEncoder().encode(JSON.stringify(said))
}
