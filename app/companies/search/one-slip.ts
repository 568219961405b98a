/** All that somebody may have meant whose finger slipped once. */

const SHORTEST = 4
const LONGEST = 30
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'

/**
 * The likeliest first: two letters that changed places, one that is doubled or should be; then one too
 * many, another one, one missing. The first letter is right, or changed places.
 */
export function oneSlipFrom(key: string): string[] {
  const letters = Array.from(key)
  const { length } = letters
  if (length < SHORTEST || length > LONGEST) return []
  /** `put` instead of `taken` letters from `at` on. */
  const edited = (at: number, taken: number, ...put: (string | undefined)[]) =>
    [...letters.slice(0, at), ...put, ...letters.slice(at + taken)].join('')
  const places = Array.from({ length: length - 1 }, (_, i) => i + 1)
  const texts = new Set([
    ...places.map((at) => edited(at - 1, 2, letters[at], letters[at - 1])),
    ...letters.map((letter, at) => edited(at, 0, letter)),
    ...places.filter((at) => letters[at] === letters[at - 1]).map((at) => edited(at, 1)),
    ...places.map((at) => edited(at, 1)),
    ...[...places, length].flatMap((at) => [...LETTERS].map((letter) => edited(at, 0, letter))),
    ...places.flatMap((at) => [...LETTERS].map((letter) => edited(at, 1, letter))),
  ])
  texts.delete(key)
  return [...texts]
}
