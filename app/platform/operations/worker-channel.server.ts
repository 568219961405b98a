export interface Peer {
  send?(message: object): unknown
}

export type Answers = Record<string, (about: never) => Promise<unknown>>

interface Question {
  kettle: 'question'
  number: number
  what: string
  about?: unknown
}

interface Answer {
  kettle: 'answer'
  number: number
  /** Absent if it could not be answered. */
  answer?: { is: unknown }
}

export function createWorkerChannel(answers: Answers) {
  const waiting = new Map<number, (answer: Answer['answer']) => void>()
  let last = 0
  return {
    /** @throws an Error if `peer` can't answer in time */
    ask<Result>(peer: Peer, what: string, about: unknown, patienceMs: number): Promise<Result> {
      const number = ++last
      return new Promise<Result>((resolve, reject) => {
        const settle = (answer: Answer['answer']) => {
          clearTimeout(timer)
          waiting.delete(number)
          if (answer) resolve(answer.is as Result)
          else reject(new Error(`Another process did not answer (${what})`))
        }
        const timer = setTimeout(settle, patienceMs)
        waiting.set(number, settle)
        peer.send?.({ kettle: 'question', number, what, about } satisfies Question)
      })
    },
    /** Call it with each message from `peer`. */
    async receive(peer: Peer, message: unknown) {
      const { kettle, number } = (message ?? {}) as Partial<Question | Answer>
      if (number === undefined) return
      if (kettle === 'answer') waiting.get(number)?.((message as Answer).answer)
      if (kettle !== 'question') return
      const { what, about } = message as Question
      const answer = await answers[what]?.(about as never).then(
        (is) => ({ is }),
        () => undefined,
      )
      peer.send?.({ kettle: 'answer', number, ...(answer && { answer }) } satisfies Answer)
    },
  }
}
