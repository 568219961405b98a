const SHORTEST = 4
const LONGEST = 30
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'

/**
 * Corrections of a single typo, likeliest first: two letters swapped, one doubled or to be doubled; then one too many, a
 * wrong one, a missing one. The first letter is right, or swapped.
 */
export function oneSlipFrom(key: string): string[] {
  const letters = Array.from(key)
  const { length } = letters
  if (length < SHORTEST || length > LONGEST) return []
  /** Replaces `taken` letters from `at` on. */
  const edited = (at: number, taken: number, ...put: (string | undefined)[]) =>
    [...letters.slice(0, at), ...put, ...letters.slice(at + taken)].join('')
  const positions = Array.from({ length: length - 1 }, (_, i) => i + 1)
  const texts = new Set([
    ...positions.map((at) => edited(at - 1, 2, letters[at], letters[at - 1])),
    ...letters.map((letter, at) => edited(at, 0, letter)),
    ...positions.filter((at) => letters[at] === letters[at - 1]).map((at) => edited(at, 1)),
    ...positions.map((at) => edited(at, 1)),
    ...[...positions, length].flatMap((at) => [...LETTERS].map((letter) => edited(at, 0, letter))),
    ...positions.flatMap((at) => [...LETTERS].map((letter) => edited(at, 1, letter))),
  ])
  texts.delete(key)
  return [...texts]
}
