/** Random numbers that are the same for the same seed. */

export interface Chance {
  /** A number from 0 up to, but not including, 1. */
  next(): number
  /** An integer from `least` up to, but not including, `most`. */
  between(least: number, most: number): number
  pick<Item>(items: readonly Item[]): Item | undefined
  shuffled<Item>(items: readonly Item[]): Item[]
  uuid(): string
  hex(digits: number): string
  /** An independent sequence, so what one client draws doesn't depend on how fast the others are. */
  fork(name: string): Chance
}

export function chanceOf(seed: number): Chance {
  const next = mulberry32(seed)
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least))
  const hex = (digits: number) =>
    Array.from({ length: digits }, () => between(0, 16).toString(16)).join('')
  return {
    next,
    between,
    hex,
    pick: (items) => items[between(0, items.length)],
    shuffled(items) {
      const rest = [...items]
      return items.map(() => rest.splice(between(0, rest.length), 1)[0] as (typeof items)[number])
    },
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`,
    fork: (name) => chanceOf(hashOf(`${seed} ${name}`)),
  }
}

function mulberry32(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** FNV-1a. */
function hashOf(text: string) {
  let hash = 0x811c9dc5
  for (const char of text) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193)
  return hash >>> 0
}
