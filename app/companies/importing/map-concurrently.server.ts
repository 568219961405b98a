/** Limits how much async work runs at once, and returns the results in order. */

interface Begun<Task, Result> {
  task: Task
  result: Promise<Result>
  state: 'running' | 'done' | 'failed'
}

/**
 * Reads one task ahead. After a failure, it starts no task, waits for running ones, and throws the first failure
 * after all results before it. If the consumer stops, it also waits for running tasks. @param settings.mayOverlap
 * whether `task` may run beside the earlier `other`. Otherwise, it waits
 */
export async function* mapConcurrently<Task, Result>(
  tasks: AsyncIterable<Task>,
  work: (task: Task) => Promise<Result>,
  settings: { atOnce: number; mayOverlap?: (task: Task, other: Task) => boolean },
): AsyncGenerator<Result> {
  const { atOnce, mayOverlap = () => true } = settings
  const reader = tasks[Symbol.asyncIterator]()
  /** Tasks that have started, but haven't been yielded yet. */
  const line: Begun<Task, Result>[] = []
  const running = () => line.filter(({ state }) => state === 'running')
  let next: Promise<IteratorResult<Task>> | undefined
  const readAhead = () => {
    next ??= reader.next()
    // We handle the rejection when we await the task.
    next.catch(() => {})
    return next
  }

  const begin = (task: Task) => {
    const begun: Begun<Task, Result> = { task, result: work(task), state: 'running' }
    begun.result.then(
      () => {
        begun.state = 'done'
      },
      () => {
        begun.state = 'failed'
      },
    )
    line.push(begun)
  }

  let isOver = false
  try {
    for (;;) {
      // Results that wait for an earlier one take memory, so we limit their number.
      while (!isOver && running().length < atOnce && line.length < 2 * atOnce) {
        const { done, value } = await readAhead()
        isOver = done === true || line.some(({ state }) => state === 'failed')
        if (isOver || running().some(({ task }) => !mayOverlap(value, task))) break
        next = undefined
        begin(value)
      }
      if (line.length === 0) return
      if (!isOver) readAhead()
      if (line[0]?.state === 'running')
        await Promise.race(running().map(({ result }) => result)).catch(() => {})
      if (line.some(({ state }) => state === 'failed')) isOver = true
      while (line[0] && line[0].state !== 'running') {
        yield await line[0].result
        line.shift()
      }
    }
  } finally {
    await Promise.allSettled(line.map(({ result }) => result))
    await reader.return?.()
  }
}
