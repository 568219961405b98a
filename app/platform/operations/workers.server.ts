/** The primary process of several: starts them, replaces those that end, and counts for all of them. */
import cluster, { type Worker } from 'node:cluster'
import { AggregatorRegistry, type MetricObject } from 'prom-client'
import { RateLimiterClusterMaster } from 'rate-limiter-flexible'
import { countsInMemory } from '../http/shared-counts.server.ts'
import { IS_SERVED } from './worker.server.ts'
import { createWorkerChannel } from './worker-channel.server.ts'

/** Workers stop within ten seconds by themselves. */
const STOP_WITHIN_MS = 10_500
/** A worker that is busy for longer has no figures this time. */
const FIGURES_PATIENCE_MS = 2_000
/** Whoever served for so long did not end because of how it starts. */
const LONG_LIFE_MS = 60_000
const PAUSE_AT_MOST_S = 30

/**
 * Runs `count` processes of `program` on one port until it is told to stop; then ends this process, with
 * code 0 if all of them ended well. The first starts alone, as it migrates and fills an empty database; if
 * it cannot start, everything ends.
 */
export function runWorkers(settings: {
  count: number
  /** A file that serves, and says so with `primaryProcess().ready`. */
  program: string
  /** Hears what an operator should know. */
  warn: (message: string) => void
}) {
  const { count, program, warn } = settings
  const running = new Set<Worker>()
  /** Those that answer. */
  const ready = new Set<Worker>()
  let isStopping = false
  let hasServed = false
  /** Short lives in a row. */
  let failures = 0

  // By turns, Node's default, a connection that a killed worker had been given hangs for ever.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  // In JSON a figure that is not a number would become none.
  cluster.setupPrimary({ exec: program, serialization: 'advanced' })
  new RateLimiterClusterMaster()
  const counts = countsInMemory()
  const talk = createWorkerChannel({
    probe: async () => true,
    markFirst: ({ key, ms }: { key: string; ms: number }) => counts.markFirst(key, ms),
    metrics,
  })

  function start() {
    if (isStopping) return
    const worker = cluster.fork({ [IS_SERVED]: ready.size > 0 ? 'yes' : 'no' })
    running.add(worker)
    let readySince: number | undefined
    // A message to one that has just ended is nobody's loss.
    worker.on('error', () => {})
    worker.on('message', (message: { kettle?: string; lines?: string[] } | null) => {
      if (message?.kettle !== 'ready') return void talk.hear(worker, message)
      readySince = performance.now()
      ready.add(worker)
      if (isStopping) return end(worker)
      if (hasServed) return
      hasServed = true
      for (const line of message.lines ?? []) console.log(line)
      for (let others = 1; others < count; others++) start()
    })
    worker.once('exit', (code, signal) => {
      running.delete(worker)
      const wasReady = ready.delete(worker)
      if (isStopping) return ended(wasReady ? code === 0 : true)
      // It has said why.
      if (!hasServed) process.exit(code || 1)
      if (readySince !== undefined && performance.now() - readySince > LONG_LIFE_MS) failures = 0
      const pause = failures === 0 ? 0 : Math.min(2 ** (failures - 1), PAUSE_AT_MOST_S)
      failures++
      warn(`A worker ended (${signal ?? code}) and is replaced${pause ? ` in ${pause} s` : ''}`)
      setTimeout(start, pause * 1_000)
    })
  }

  /** One that does not serve yet has nothing to finish. */
  function end(worker: Worker) {
    if (ready.has(worker)) worker.send({ kettle: 'stop' })
    else worker.process.kill('SIGTERM')
  }

  let haveAllEndedWell = true
  function ended(well: boolean) {
    haveAllEndedWell &&= well
    if (running.size === 0) process.exit(haveAllEndedWell ? 0 : 1)
  }

  function endAllAtOnce() {
    for (const worker of running) worker.process.kill('SIGKILL')
    process.exit(1)
  }

  function stop() {
    // A second signal.
    if (isStopping) return endAllAtOnce()
    isStopping = true
    setTimeout(endAllAtOnce, STOP_WITHIN_MS)
    for (const worker of running) end(worker)
    ended(true)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)

  async function metrics() {
    const figures = await Promise.all(
      [...ready].map((worker) =>
        talk.ask<MetricObject[]>(worker, 'figures', undefined, FIGURES_PATIENCE_MS).catch(() => []),
      ),
    )
    return AggregatorRegistry.aggregate(figures).metrics()
  }

  start()
}
