/** A worker's link to the primary process, which only counts and starts workers. */
import cluster from 'node:cluster'
import { RateLimiterCluster } from 'rate-limiter-flexible'
import type { Shared } from '../http/shared-counts.server.ts'

const PATIENCE_MS = 2_000
/** The primary asks every worker. */
const METRICS_PATIENCE_MS = 5_000

/** The environment variable that says whether other workers are already serving. */
export const IS_SERVED = 'KETTLE_IS_SERVED'
/** Otherwise, this worker's startup page would show up in between. */
export const isServedByOthers = () => cluster.isWorker && process.env[IS_SERVED] === 'yes'

interface PrimaryProcess {
  counts: Shared
  /** All workers' metrics as one text. */
  metrics(): Promise<string>
  /** Says that this process serves. The primary prints the lines, once for all workers. */
  ready(lines: string[]): void
  onStop(stop: () => void): void
}

/**
 * Undefined without a primary. Node ends this process if the primary ends.
 * @param figures this worker's metrics, as prom-client writes them
 */
export function primaryProcess(figures: () => Promise<unknown>): PrimaryProcess | undefined {
  if (!cluster.isWorker) return undefined
  const answers: Answers = { figures }
  const channel = createWorkerChannel(answers)
  let stop = () => {}
  process.on('message', (message: { kettle?: string } | null) => {
    if (message?.kettle === 'stop') stop()
    else void channel.receive(process, message)
  })
  const markFirst = (key: string, ms: number) =>
    channel.ask<boolean>(process, 'markFirst', { key, ms }, PATIENCE_MS)
  return {
    counts: {
      counterOf: ({ name, uses, seconds }) =>
        new RateLimiterCluster({
          // The primary identifies limiters by prefix, and would keep the old number.
          keyPrefix: `${name} ${uses}`,
          points: uses,
          duration: seconds,
          timeoutMs: PATIENCE_MS,
        }),
      markFirst,
      probe: () => channel.ask(process, 'probe', undefined, PATIENCE_MS),
      close() {},
    },
    metrics: () => channel.ask(process, 'metrics', undefined, METRICS_PATIENCE_MS),
    ready: (lines) => void process.send?.({ kettle: 'ready', lines }),
    onStop(callback) {
      stop = callback
    },
  }
}

interface Peer {
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
  /** Absent if the peer couldn't answer. */
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
          else reject(new Error(`Another process didn’t respond (${what})`))
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
