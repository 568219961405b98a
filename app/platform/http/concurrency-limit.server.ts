/** Lets so many work at once and a few more wait in turn; who is beyond that is refused at once. */

export interface Gate {
  /**
   * Answers how to leave again, once there is room. Undefined, mostly at once: refused, or gone meanwhile.
   * @param isGone whether nobody waits for the work any more: then it never begins
   */
  enter(isGone?: () => boolean): Promise<(() => void) | undefined>
  /** Who comes now is refused. */
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
 * The oldest come first. While the oldest has waited for half of `patienceMs`, a newcomer, who would wait
 * longer, is refused at once; who has waited for all of it is refused then.
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
