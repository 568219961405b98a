/** A text with its matching part set off. */

/** Splits `text` around the first `part`, ignoring case. Undefined if it isn't there. */
export function partsAround(text: string, part: string): [string, string, string] | undefined {
  const wanted = part.trim().toLowerCase()
  const folded = text.toLowerCase()
  // Some letters change length with their case, which would shift the indexes.
  if (wanted === '' || folded.length !== text.length) return undefined
  const start = folded.indexOf(wanted)
  if (start < 0) return undefined
  const end = start + wanted.length
  return [text.slice(0, start), text.slice(start, end), text.slice(end)]
}

export function Emphasis({ text, part }: { text: string; part: string }) {
  const parts = partsAround(text, part)
  if (!parts) return text
  const [before, found, after] = parts
  return (
    <>
      {before}
      <mark className="bg-transparent font-semibold text-tea">{found}</mark>
      {after}
    </>
  )
}
