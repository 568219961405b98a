/** Hostile texts for patterns that read what people write, and the cost of matching them. */

/** `pump` repeated, between a prefix that leads into a pattern and a suffix that stops it from matching. */
export interface Attack {
  prefix: string
  pump: string
  suffix: string
}

export const textOf = ({ prefix, pump, suffix }: Attack, length: number) =>
  prefix + pump.repeat(length / pump.length) + suffix

/** A piece of a pattern: a letter, an escape, a class or an operator. */
const PIECE =
  /\[\^?(?:\\.|[^\]\\])*\]|\\u\{[^}]+\}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\p\{[^}]+\}|\(\?(?:<?[=!]|:|<\w+>)|\\.|\{\d+,?\d*\}|[^|()*+?^$]|./gisu
const READS_NOTHING = /^(?:\\[bBk\d]|[|()*+?^$]|\{\d)/
const ALPHABET = [...'aA1-_. \t\n\0/@#<>[](){}|"\'\\`~*:;,&=!?%é中\u200d']

/** Texts made of the letters that the pattern itself reads: alone, in pairs, and in the order of its words. */
export function* attacksOn({ source, flags }: Pick<RegExp, 'source' | 'flags'>): Generator<Attack> {
  const words = ['']
  const read = new Set<string>()
  /** Letters that end a repetition of "anything but". */
  const ends: string[] = []
  for (const [piece] of source.matchAll(PIECE)) {
    if (/^[|()]/.test(piece)) words.push('')
    if (READS_NOTHING.test(piece)) continue
    const only = new RegExp(`^(?:${piece})$`, flags.replace(/[gy]/g, ''))
    const [first, second] = [piece, ...ALPHABET].filter((letter) => only.test(letter))
    for (const letter of [first, second]) if (letter) read.add(letter)
    words[words.length - 1] += first ?? ''
    if (piece.startsWith('[^')) ends.push(piece.charAt(2))
  }
  const letters = [...read].slice(0, 12)
  const few = letters.slice(0, 8)
  const around = ['', '\0', '\n', ...few]
  const starts = new Set([...around, ...words.slice(0, 3)])
  for (const pump of letters)
    for (const prefix of starts)
      for (const suffix of new Set([...around, ...ends])) yield { prefix, pump, suffix }

  const whole = words.join('')
  const longer = [
    ...few.flatMap((one) => few.map((other) => one + other)),
    ...words,
    ...Array.from(whole.slice(0, 40), (_, end) => whole.slice(0, end + 1)),
  ]
  for (const pump of new Set(longer.filter(({ length }) => length > 1)))
    for (const prefix of new Set(['', ...words.slice(0, 1), whole]))
      for (const suffix of ['\0', '']) yield { prefix, pump, suffix }
}

/** A linear pattern takes a millisecond or two for this many letters, a quadratic one hundreds. */
const LETTERS = 20_000
const MOST_MS = 50
/** This many times too slow can't be chance. */
const BEYOND_DOUBT = 3
/**
 * Short texts come first, because a pattern that doubles its work with each letter would never finish a
 * long one.
 */
const LOOKS = [
  { letters: 24, mostMs: 25 },
  { letters: 200, mostMs: 25 },
  { letters: 2_000, mostMs: 50 },
]
/** If a pattern takes less than this for short texts, it's linear. */
const NOTHING_MS = 0.3
const TRIES = 3

/** Processor time in milliseconds. The best of several tries, because a busy machine only adds to it. */
function processorMs(work: () => unknown, most: number) {
  let best = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < TRIES && best > most; tries++) {
    if (tries > 0 && best > BEYOND_DOUBT * most) break
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    best = Math.min(best, (user + system) / 1000)
  }
  return best
}

/** The first attack whose time grows faster than its length, if there is one. */
export function costlyAttack(attacks: Iterable<Attack>, work: (text: string) => unknown) {
  // V8 compiles a pattern when it's first used, and again for two-byte strings.
  for (const text of ['a', 'a', 'a中', 'a中']) work(text)
  for (const attack of attacks) {
    let tookMs = 0
    for (const { letters, mostMs } of LOOKS) {
      const text = textOf(attack, letters)
      const before = performance.now()
      work(text)
      tookMs = performance.now() - before
      if (tookMs > mostMs && processorMs(() => work(text), mostMs) > mostMs) return attack
    }
    if (tookMs < NOTHING_MS) continue
    const text = textOf(attack, LETTERS)
    if (processorMs(() => work(text), MOST_MS) > MOST_MS) return attack
  }
  return undefined
}
