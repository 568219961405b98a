/** How much a test does: each run a part, and `npm run proof` all of it. */
import { test } from 'vitest'

/** All of the same: `npm run proof -- whole`. */
const isWhole = process.env.AMOUNTS === 'whole'

export const amount = <Amount>(usual: Amount, whole: Amount) => (isWhole ? whole : usual)

/** About one of `among`, drawn by the run's seed: another seed looks at others. */
export const someOf = <One>(all: readonly One[], among: number): One[] =>
  isWhole ? [...all] : all.filter(() => Math.random() * among < 1)

/** What takes all that a test can be told, such as `test.each(rows)(…)`, and makes no test of it. */
const notNow: typeof test = new Proxy((() => notNow) as unknown as typeof test, {
  get: () => notNow,
})

/**
 * `slow.test` is `test` if you name its file, and in `npm run proof`. Each run leaves it out: it takes seconds, and another
 * test there sees the usual faults of the same code. Where it's alone in a file, take `amount`.
 */
export const slow = { test: isWhole || process.env.SLOW === 'yes' ? test : notNow }
