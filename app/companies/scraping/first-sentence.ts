/** No I/O here. */
import { cutText, oneLine, shortened } from '#app/kit/writing/text.ts'

/** Ends with a full stop that ends no sentence. */
const ABBREVIATED =
  /(?:^|[\s(])(?:inc|corp|co|cos|ltd|llc|lp|plc|bros|no|st|dr|mr|mrs|ms|jr|sr|vs|approx|est|e\.g|i\.e|s\.a|n\.v|[A-Z](?:\.[A-Z])*)\.["”’)]?\s*$/i

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })

/**
 * "Acme Inc. makes anvils. It was founded …" → "Acme Inc. makes anvils."; '' for an empty text.
 * @param max characters, including the "…" of a longer sentence
 */
export function firstSentence(text: string, max: number): string {
  const line = oneLine(cutText(text, 4_000))
  let first = ''
  for (const { segment } of sentences.segment(line)) {
    first += segment
    if (!ABBREVIATED.test(first)) break
  }
  return shortened(first.trim(), max)
}
