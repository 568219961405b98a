/** A rating that is presented: what its proof is bound to. Browser and server must make the same bytes. No I/O here. */
import type { RatingInput } from '../rating-input.ts'

export interface PresentedRating {
  companyId: string
  quarter: string
  /** SHA-256 of the key that finds and removes it, in base64url. */
  holder: string
  /** Keys of the holder's ratings of companies that became part of this one: they give way to it. */
  replaces: string[]
  rating: RatingInput
  /** Shows that its holder works there: the proof is made with it, in place of the credential for ratings. */
  badge?: { domain: string } | undefined
  /** What its person knows that they gave so far: anything else that is there stays, and they're asked. */
  over: RatingInput[]
}

const inOrder = ({ rto, dei, workLife, culture, officeDays, relation, era, note }: RatingInput) => [
  ...[rto, dei, workLife, culture, officeDays],
  ...[relation, era, note],
]

/** Whoever changed a letter of it on its way would need another proof. */
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
