/** How well candidates are ranked, what chance alone would give, and what's too much. */

export interface Judged {
  /** Whose target it was. One person's targets aren't independent. */
  person: number
  /** 1 if the best candidate is right, a fraction if several tie. */
  top1: number
  /** The share of wrong candidates that rank below the right ones. Ties count half. */
  auc: number
}

/** One target: its candidates' scores, and which are right. */
export function judge(person: number, scores: ArrayLike<number>, isRight: Uint8Array): Judged {
  const order = Array.from(scores, (_, n) => n).sort(
    (one, other) => (scores[one] as number) - (scores[other] as number),
  )
  let below = 0
  let won = 0
  let right = 0
  let top1 = 0
  for (let at = 0; at < order.length; ) {
    let rightHere = 0
    let end = at
    while (end < order.length && scores[order[end] as number] === scores[order[at] as number])
      rightHere += isRight[order[end++] as number] as number
    const wrongHere = end - at - rightHere
    won += rightHere * (below + wrongHere / 2)
    right += rightHere
    below += wrongHere
    top1 = rightHere / (end - at)
    at = end
  }
  return { person, top1, auc: won / (right * below) }
}

export const mean = (numbers: readonly number[]) =>
  numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length)

/** One number per person, so that someone with many targets doesn't count as many people. */
export function perPerson(judged: readonly Judged[], measure: (one: Judged) => number) {
  const by = new Map<number, number[]>()
  for (const one of judged) by.set(one.person, [...(by.get(one.person) ?? []), measure(one)])
  return [...by.values()].map(mean)
}

/** The standard error of these numbers' mean. */
export function standardError(numbers: readonly number[]) {
  const middle = mean(numbers)
  const spread = numbers.reduce((sum, number) => sum + (number - middle) ** 2, 0)
  return Math.sqrt(spread / Math.max(1, numbers.length - 1) / Math.max(1, numbers.length))
}

/** The largest share of `n` that chance exceeds only once in a thousand times. */
export function binomialBound(n: number, share: number, certainty = 0.999) {
  const p = Math.min(1, Math.max(share, 1e-12))
  let term = (1 - p) ** n
  let sum = term
  for (let k = 0; k < n; k++) {
    if (sum >= certainty) return k / n
    term *= ((n - k) / (k + 1)) * (p / (1 - p))
    sum += term
  }
  return 1
}

/** Converts standard errors of a large sample to those of a sample of `people`: Student's t, as a series. */
export function errorsAmong(people: number, errors: number) {
  const freedom = Math.max(1, people - 1)
  const [z, z3, z5] = [errors, errors ** 3, errors ** 5]
  return z + (z3 + z) / (4 * freedom) + (5 * z5 + 16 * z3 + 3 * z) / (96 * freedom ** 2)
}
