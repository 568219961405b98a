/** Repeatable randomness: the same seed and purpose give the same numbers on every machine. */

export interface Random {
  /** A number in [0, 1). */
  next(): number
  /** An integer in [0, below). */
  below(below: number): number
  chance(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
}

/** Each purpose ("companies", "stats", …) has its own stream, so an extra draw doesn't shift the others. */
export const createRandom = (seed: number, purpose: string, index = 0): Random =>
  new SmallFastCounter(seed, textSeed(purpose), index)

/**
 * A picker whose nth item is n^skew times rarer than the first, like words and names. The list is sorted by popularity.
 */
export function popularFirst<Item>(items: readonly Item[], skew = 0.9) {
  const bounds: number[] = []
  let sum = 0
  for (let i = 0; i < items.length; i++) {
    sum += 1 / (i + 1) ** skew
    bounds.push(sum)
  }
  return (random: Random): Item => {
    const wanted = random.next() * sum
    let low = 0
    let high = items.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((bounds[middle] as number) > wanted) high = middle
      else low = middle + 1
    }
    return items[low] as Item
  }
}

/** A version 4 UUID from the seed, purpose and index, so that other tables can refer to it without reading it. */
export function uuidOf(seed: number, purpose: string, index: number): string {
  const random = createRandom(seed, purpose, index)
  const variant = '89ab'[random.below(4)]
  const start = `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}`
  return `${start}-${variant}${hex(random, 3)}-${hex(random, 6)}${hex(random, 6)}`
}

const hex = (random: Random, digits: number) =>
  random
    .below(16 ** digits)
    .toString(16)
    .padStart(digits, '0')

/** The generator sfc32, with 128 bits of state. A class, because there are millions of them. */
class SmallFastCounter implements Random {
  private counter = 1

  constructor(
    private a: number,
    private b: number,
    private c: number,
  ) {
    // The first numbers still look like the seeds.
    for (let i = 0; i < 15; i++) this.next()
  }

  next() {
    const { a, b, c } = this
    const sum = (((a + b) | 0) + this.counter) | 0
    this.counter = (this.counter + 1) | 0
    this.a = b ^ (b >>> 9)
    this.b = (c + (c << 3)) | 0
    this.c = (((c << 21) | (c >>> 11)) + sum) | 0
    return (sum >>> 0) / 2 ** 32
  }

  below(below: number) {
    return Math.floor(this.next() * below)
  }

  chance(probability: number) {
    return this.next() < probability
  }

  pick<Item>(items: readonly Item[]) {
    return items[this.below(items.length)] as Item
  }
}

function textSeed(text: string) {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash
}
