/** How much of the same a test does: each run a part, and `npm run proof -- whole` all of it. */
const isWhole = process.env.AMOUNTS === 'whole'

export const amount = <Amount>(usual: Amount, whole: Amount) => (isWhole ? whole : usual)

/** About one of `among`, drawn by the run's seed: another seed looks at others. */
export const someOf = <One>(all: readonly One[], among: number): One[] =>
  isWhole ? [...all] : all.filter(() => Math.random() * among < 1)
