/** Questions that many ask at the same moment, asked once. */

/**
 * Makes a question about one id of a question about several. Who asks while an answer is on its way
 * waits for it, and is asked for next, with all others who came meanwhile: no answer is older than its
 * question. Undefined where `ask` knows nothing of the id; who waited together shares a failure.
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
