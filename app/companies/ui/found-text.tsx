/** Highlights matches in a text. */
import { type CompanyMatch, piecesAround } from '../search/company-match.ts'

export function FoundText({ text, marks = [] }: { text: string; marks?: string[] }) {
  return piecesAround(text, marks).map(([piece, isFound], at) =>
    isFound ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other key, and no state
      <mark key={at} className="bg-transparent font-semibold text-tea">
        {piece}
      </mark>
    ) : (
      piece
    ),
  )
}

/** Says where a company matched, if not by name. */
export function FoundElsewhere({ match, category }: { match: CompanyMatch; category: string }) {
  const { marks } = match
  if (match.in === 'category') return <FoundText text={category} marks={marks} />
  return (
    <>
      {match.in === 'alias' ? 'Also known as ' : 'Description: '}
      <FoundText text={match.text ?? ''} marks={marks} />
    </>
  )
}
