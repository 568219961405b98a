/**
 * Learned distances: the thief has accounts of their own, or a sample, and learns from them which gaps between rows mean
 * that two belong to the same person. A logistic regression with a ridge penalty. No one is judged by what their own data
 * taught.
 */

export interface Example {
  features: ArrayLike<number>
  isRight: number
}

const RIDGE = 3
const ROUNDS = 12

/** A function that scores a candidate by its features. */
export function learn(examples: readonly Example[]): (features: ArrayLike<number>) => number {
  const { kept, middle, spread } = scaleOf(examples)
  const width = kept.length
  if (width === 0) return () => 0
  const scaled = examples.map(({ features }) => scale(features))
  const right = examples.reduce((sum, { isRight }) => sum + isRight, 0)
  const base = Math.log((right + 0.5) / (examples.length - right + 0.5))
  const weights = new Float64Array(width + 1)
  weights[width] = base
  for (let round = 0; round < ROUNDS; round++) if (step() < 1e-6) break
  return (features) => {
    const values = scale(features)
    let sum = 0
    for (let n = 0; n < width; n++) sum += (weights[n] as number) * (values[n] as number)
    return sum
  }

  function scale(features: ArrayLike<number>) {
    const values = new Float64Array(width + 1)
    for (let n = 0; n < width; n++)
      values[n] =
        ((features[kept[n] as number] as number) - (middle[n] as number)) / (spread[n] as number)
    values[width] = 1
    return values
  }

  /** One Newton step. */
  function step() {
    const size = width + 1
    const gradient = new Float64Array(size)
    const curvature = Array.from({ length: size }, () => new Float64Array(size))
    for (let e = 0; e < scaled.length; e++) {
      const values = scaled[e] as Float64Array
      let sum = 0
      for (let n = 0; n < size; n++) sum += (weights[n] as number) * (values[n] as number)
      const likely = 1 / (1 + Math.exp(-sum))
      const missing = (examples[e] as Example).isRight - likely
      const steep = Math.max(likely * (1 - likely), 1e-9)
      for (let n = 0; n < size; n++) {
        const value = values[n] as number
        if (value === 0) continue
        gradient[n] = (gradient[n] as number) + missing * value
        const line = curvature[n] as Float64Array
        const pull = steep * value
        for (let m = n; m < size; m++) line[m] = (line[m] as number) + pull * (values[m] as number)
      }
    }
    for (let n = 0; n < size; n++) {
      const ridge = n === width ? 1e-6 : RIDGE
      gradient[n] = (gradient[n] as number) - (n === width ? 0 : ridge * (weights[n] as number))
      const line = curvature[n] as Float64Array
      line[n] = (line[n] as number) + ridge
      for (let m = 0; m < n; m++) line[m] = (curvature[m] as Float64Array)[n] as number
    }
    const change = solve(curvature, gradient)
    const before = likelihoodOf(weights)
    // A full step may overshoot the maximum, and diverge.
    for (let share = 1; share > 1e-3; share /= 2) {
      const next = weights.map((weight, n) => weight + share * (change[n] as number))
      if (likelihoodOf(next) <= before) continue
      weights.set(next)
      return Math.max(...change.map((by) => Math.abs(by * share)))
    }
    return 0
  }

  function likelihoodOf(weights: Float64Array) {
    let all = 0
    for (let n = 0; n < width; n++) all -= (RIDGE / 2) * (weights[n] as number) ** 2
    for (let e = 0; e < scaled.length; e++) {
      const values = scaled[e] as Float64Array
      let sum = 0
      for (let n = 0; n <= width; n++) sum += (weights[n] as number) * (values[n] as number)
      const away = (examples[e] as Example).isRight ? -sum : sum
      all -= away > 30 ? away : Math.log1p(Math.exp(away))
    }
    return all
  }
}

/** A feature that's the same for all says nothing, and is left out. */
function scaleOf(examples: readonly Example[]) {
  const kept: number[] = []
  const middle: number[] = []
  const spread: number[] = []
  for (let n = 0; n < (examples[0]?.features.length ?? 0); n++) {
    let sum = 0
    let squares = 0
    for (const { features } of examples) {
      sum += features[n] as number
      squares += (features[n] as number) ** 2
    }
    const average = sum / examples.length
    const variance = squares / examples.length - average ** 2
    if (variance < 1e-9) continue
    kept.push(n)
    middle.push(average)
    spread.push(Math.sqrt(variance))
  }
  return { kept, middle, spread }
}

/** Gaussian elimination with pivoting. */
function solve(matrix: Float64Array[], right: Float64Array) {
  const size = right.length
  for (let n = 0; n < size; n++) {
    let pivot = n
    for (let m = n + 1; m < size; m++)
      if (Math.abs(matrix[m]?.[n] as number) > Math.abs(matrix[pivot]?.[n] as number)) pivot = m
    const line = matrix[pivot] as Float64Array
    matrix[pivot] = matrix[n] as Float64Array
    matrix[n] = line
    const value = right[pivot] as number
    right[pivot] = right[n] as number
    right[n] = value
    for (let m = n + 1; m < size; m++) {
      const other = matrix[m] as Float64Array
      const share = (other[n] as number) / (line[n] as number)
      if (share === 0) continue
      for (let k = n; k < size; k++) other[k] = (other[k] as number) - share * (line[k] as number)
      right[m] = (right[m] as number) - share * value
    }
  }
  for (let n = size - 1; n >= 0; n--) {
    const line = matrix[n] as Float64Array
    for (let m = n + 1; m < size; m++)
      right[n] = (right[n] as number) - (line[m] as number) * (right[m] as number)
    right[n] = (right[n] as number) / (line[n] as number)
  }
  return right
}
