/** A text with the part that was searched for set off. */

/** Splits `text` around the first `part`, ignoring case; undefined when it is not in there. */
export function partsAround(text: string, part: string): [string, string, string] | undefined {
  const wanted = part.trim().toLowerCase()
  const folded = text.toLowerCase()
  // Some letters change length with their case; then places in one are not places in the other.
  if (wanted === '' || folded.length !== text.length) return undefined
  const start = folded.indexOf(wanted)
  if (start < 0) return undefined
  const end = start + wanted.length
  return [text.slice(0, start), text.slice(start, end), text.slice(end)]
}

/** Shows why a name was found. */
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
