/** Batches lookups that many callers make at the same moment. */

/**
 * Turns a lookup of many ids into a lookup of one. Calls that arrive during a lookup wait, and go
 * into the next one together, so no answer is older than its question. Returns undefined for unknown
 * ids. If a batch fails, it fails for all its callers.
 */
export function batched<Answer>(ask: (ids: string[]) => Promise<Map<string, Answer>>) {
  interface Question {
    ids: Set<string>
    answers: Promise<Map<string, Answer>>
  }
  let underway: Promise<unknown> = Promise.resolve()
  let next: Question | undefined

  function newQuestion(): Question {
    const ids = new Set<string>()
    const answers = underway.then(begin, begin)
    function begin() {
      next = undefined
      underway = answers
      return ask([...ids])
    }
    return { ids, answers }
  }

  return async (id: string): Promise<Answer | undefined> => {
    next ??= newQuestion()
    next.ids.add(id)
    return (await next.answers).get(id)
  }
}
