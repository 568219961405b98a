/**
 * What a process has to do with the primary one, when `WORKERS` of them share one port. Where it is the
 * only one, nothing.
 */
import cluster from 'node:cluster'
import { RateLimiterCluster } from 'rate-limiter-flexible'
import type { Shared } from '../http/shared-counts.server.ts'
import { type Answers, createWorkerChannel } from './worker-channel.server.ts'

/** The primary process does nothing but count and start others. */
const PATIENCE_MS = 2_000
/** It asks every worker in turn. */
const METRICS_PATIENCE_MS = 5_000

/** How the primary process tells a worker, in its environment, whether others answer on the port already. */
export const IS_SERVED = 'KETTLE_IS_SERVED'
/** Who only says that the site is starting would be taken for it, here and there: others answer. */
export const isServedByOthers = () => cluster.isWorker && process.env[IS_SERVED] === 'yes'

export interface PrimaryProcess {
  counts: Shared
  /** The figures of all workers as one text. */
  metrics(): Promise<string>
  /** This process answers on its port. The primary prints the lines, once for all of them. */
  ready(lines: string[]): void
  /** Calls `stop` when the primary wishes that this process ends. */
  onStop(stop: () => void): void
}

/**
 * The primary process, undefined where there is none. When its end is noticed, Node ends this one.
 * @param figures what this worker measured, as the library of metrics writes it
 */
export function primaryProcess(figures: () => Promise<unknown>): PrimaryProcess | undefined {
  if (!cluster.isWorker) return undefined
  const answers: Answers = { figures }
  const talk = createWorkerChannel(answers)
  let stop = () => {}
  process.on('message', (message: { kettle?: string } | null) => {
    if (message?.kettle === 'stop') stop()
    else void talk.hear(process, message)
  })
  const markFirst = (key: string, ms: number) =>
    talk.ask<boolean>(process, 'markFirst', { key, ms }, PATIENCE_MS)
  return {
    counts: {
      counterOf: ({ name, uses, seconds }) =>
        new RateLimiterCluster({
          // The primary process knows a limiter by its prefix, and would keep the former number.
          keyPrefix: `${name} ${uses}`,
          points: uses,
          duration: seconds,
          timeoutMs: PATIENCE_MS,
        }),
      markFirst,
      probe: () => talk.ask(process, 'probe', undefined, PATIENCE_MS),
      close() {},
    },
    metrics: () => talk.ask(process, 'metrics', undefined, METRICS_PATIENCE_MS),
    ready: (lines) => void process.send?.({ kettle: 'ready', lines }),
    onStop(wished) {
      stop = wished
    },
  }
}
