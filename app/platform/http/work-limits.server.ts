export interface Gate {
  /**
   * Resolves to a release function once there's room. Undefined if the work is refused (usually immediately), or
   * the caller left meanwhile. @param isGone whether the caller has left, so the work never starts
   */
  enter(isGone?: () => boolean): Promise<(() => void) | undefined>
  readonly isFull: boolean
  readonly inside: number
  readonly waiting: number
}

interface Waiting {
  since: number
  isGone: () => boolean
  decide: (leave: (() => void) | undefined) => void
}

/**
 * First come, first served. Once the oldest has waited for half of `patienceMs`, we refuse new callers
 * immediately, because they'd wait longer. After the full time, we refuse the oldest, too.
 */
export function createConcurrencyLimit(settings: {
  atOnce: number
  waiting: number
  patienceMs: number
  now?: () => number
}): Gate {
  const { atOnce, patienceMs, now = () => performance.now() } = settings
  const queue: Waiting[] = []
  let inside = 0
  let timer: NodeJS.Timeout | undefined

  function letIn(): () => void {
    inside++
    let hasLeft = false
    return () => {
      if (hasLeft) return
      hasLeft = true
      inside--
      letNextIn()
    }
  }
  function letNextIn() {
    while (inside < atOnce) {
      const next = queue.shift()
      if (!next) return
      next.decide(next.isGone() ? undefined : letIn())
    }
  }
  function refuseImpatient() {
    timer = undefined
    while (queue[0] && ageOf(queue[0]) >= patienceMs) queue.shift()?.decide(undefined)
    watchOldest()
  }
  function watchOldest() {
    const [oldest] = queue
    if (!oldest || timer) return
    timer = setTimeout(refuseImpatient, Math.max(1, patienceMs - ageOf(oldest)))
    timer.unref()
  }
  const ageOf = ({ since }: Waiting) => now() - since
  const isFull = () =>
    inside >= atOnce &&
    (queue.length >= settings.waiting ||
      (queue[0] !== undefined && ageOf(queue[0]) >= patienceMs / 2))

  return {
    async enter(isGone = () => false) {
      if (isGone()) return undefined
      if (inside < atOnce) return letIn()
      if (isFull()) return undefined
      return new Promise((decide) => {
        queue.push({ since: now(), isGone, decide })
        watchOldest()
      })
    },
    get isFull() {
      return isFull()
    },
    get inside() {
      return inside
    },
    get waiting() {
      return queue.length
    },
  }
}

/**
 * Resolves like `work`, if in time. Answers that arrived while the process was too busy to read them still count.
 * @throws what `lateness` makes otherwise
 */
export async function withDeadline<Result>(
  work: Promise<Result>,
  milliseconds: number,
  lateness = () => new Error('No answer in time'),
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => setImmediate(() => reject(lateness())), milliseconds)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
