/** Works on several tasks side by side, and answers in the order in which they came. */

interface Begun<Task, Result> {
  task: Task
  result: Promise<Result>
  state: 'running' | 'done' | 'failed'
}

/**
 * Reads one task ahead, so that the next is there when there is room for it. When one fails, no other
 * is begun; those that run are waited for, and the first failure is thrown after all results before
 * it. Whoever stops listening waits for what runs, too.
 * @param settings.isApart whether `task` may run beside `other`, which came earlier; else it waits
 */
export async function* mapConcurrently<Task, Result>(
  tasks: AsyncIterable<Task>,
  work: (task: Task) => Promise<Result>,
  settings: { atOnce: number; isApart?: (task: Task, other: Task) => boolean },
): AsyncGenerator<Result> {
  const { atOnce, isApart = () => true } = settings
  const reader = tasks[Symbol.asyncIterator]()
  /** Begun and not yet answered, in their order. */
  const line: Begun<Task, Result>[] = []
  const running = () => line.filter(({ state }) => state === 'running')
  let next: Promise<IteratorResult<Task>> | undefined
  const readAhead = () => {
    next ??= reader.next()
    // Told when it is its turn.
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
      // Results that wait for an earlier one are kept in memory: not too many of them.
      while (!isOver && running().length < atOnce && line.length < 2 * atOnce) {
        const { done, value } = await readAhead()
        isOver = done === true || line.some(({ state }) => state === 'failed')
        if (isOver || running().some(({ task }) => !isApart(value, task))) break
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
