import type { Worker } from 'node:cluster'
import cluster from 'node:cluster'
import { AggregatorRegistry, type MetricObject } from 'prom-client'
import { RateLimiterClusterMaster } from 'rate-limiter-flexible'
import { countsInMemory } from '../http/shared-counts.server.ts'
import { createWorkerChannel, IS_SERVED } from './worker.server.ts'

/** Workers stop within ten seconds by themselves. */
const STOP_WITHIN_MS = 10_500
/** If a worker is busy for longer, we leave out its metrics this time. */
const FIGURES_PATIENCE_MS = 2_000
/** If a worker has served this long, its start wasn't why it ended. */
const LONG_LIFE_MS = 60_000
const PAUSE_AT_MOST_S = 30

/**
 * Runs `count` processes of `program` on one port until stopped, then exits with code 0 if all ended well. The first
 * process starts alone, because it migrates and fills an empty database. If it can't start, everything ends.
 */
export function runWorkers(settings: {
  count: number
  program: string
  /** Called with what an operator should know. */
  warn: (message: string) => void
}) {
  const { count, program, warn } = settings
  const running = new Set<Worker>()
  const ready = new Set<Worker>()
  let isStopping = false
  let hasServed = false
  let failures = 0

  // With Node's default, round robin, connections given to a killed worker hang forever.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  // JSON would lose NaN.
  cluster.setupPrimary({ exec: program, serialization: 'advanced' })
  new RateLimiterClusterMaster()
  const counts = countsInMemory()
  const channel = createWorkerChannel({
    probe: async () => true,
    markFirst: ({ key, ms }: { key: string; ms: number }) => counts.markFirst(key, ms),
    metrics,
  })

  function start() {
    if (isStopping) return
    const worker = cluster.fork({ [IS_SERVED]: ready.size > 0 ? 'yes' : 'no' })
    running.add(worker)
    let readySince: number | undefined
    // The worker may have just ended.
    worker.on('error', () => {})
    worker.on('message', (message: { kettle?: string; lines?: string[] } | null) => {
      if (message?.kettle !== 'ready') return void channel.receive(worker, message)
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
      // The worker has logged why it ended.
      if (!hasServed) process.exit(code || 1)
      if (readySince !== undefined && performance.now() - readySince > LONG_LIFE_MS) failures = 0
      const pause = failures === 0 ? 0 : Math.min(2 ** (failures - 1), PAUSE_AT_MOST_S)
      failures++
      warn(
        `A worker ended (${signal ?? code}) and will be replaced${pause ? ` in ${pause} s` : ''}`,
      )
      setTimeout(start, pause * 1_000)
    })
  }

  /** A worker that doesn't serve yet has nothing to finish. */
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
    // This is the second signal.
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
        channel
          .ask<MetricObject[]>(worker, 'figures', undefined, FIGURES_PATIENCE_MS)
          .catch(() => []),
      ),
    )
    return AggregatorRegistry.aggregate(figures).metrics()
  }

  start()
}
