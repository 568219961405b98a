/** How much a test does: a sample in every run, and everything in `npm run proof`. */
import { test } from 'vitest'

/** Whether to do everything, as `npm run proof -- whole` does. */
const isWhole = process.env.AMOUNTS === 'whole'

export const amount = <Amount>(usual: Amount, whole: Amount) => (isWhole ? whole : usual)

/** About one in `among`, drawn with the run's seed. Another seed picks others. */
export const someOf = <One>(all: readonly One[], among: number): One[] =>
  isWhole ? [...all] : all.filter(() => Math.random() * among < 1)

/** Accepts whatever `test` accepts, such as `test.each(rows)(…)`, but runs nothing. */
const notNow: typeof test = new Proxy((() => notNow) as unknown as typeof test, {
  get: () => notNow,
})

/**
 * `slow.test` is `test` if you name its file, and in `npm run proof`. Other runs skip it, because it takes seconds and
 * another test there notices the usual faults in the same code. If it's alone in a file, use `amount`.
 */
export const slow = { test: isWhole || process.env.SLOW === 'yes' ? test : notNow }
