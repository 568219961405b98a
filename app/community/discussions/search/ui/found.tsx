/** Text with a search's matches marked. */

/** @param pieces plain and found in turn, the first one plain */
export function Found({ pieces }: { pieces: string[] }) {
  return pieces.map((piece, at) =>
    at % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name, and never move
      <mark key={at} className="rounded-xs bg-tea-soft font-semibold text-tea-strong">
        {piece}
      </mark>
    ) : (
      piece
    ),
  )
}
