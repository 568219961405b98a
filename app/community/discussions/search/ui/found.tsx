/** Text with a search's matches marked. */

/** @param pieces alternate between plain and found, starting with a plain one */
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
