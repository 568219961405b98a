/** What a benchmark is, and how its figures are taken. */
import { readFileSync } from 'node:fs'

export interface Figure {
  /** What was measured, with the unit in `unit`. */
  name: string
  measured: number
  unit: string
  /** The same thing done the plain way, in the same run. */
  reference?: number
  /** `least` and `most` are of `measured`; the ratios are of measured ÷ reference. */
  budget?: { most?: number; least?: number; leastRatio?: number; mostRatio?: number }
  requestsPerSecond?: number
  p50?: number
  p99?: number
  cpuMsPerRequest?: number
}

/** What the benchmarks of one run share. */
export interface BenchSite {
  /** A PostgreSQL filled with bench data. */
  databaseUrl(): Promise<string>
  companies: number
  /** A database with so many threads, five times as many comments, and fewer companies. */
  discussionsUrl(threads: number, days?: number): Promise<string>
  threads: number
  /** In the database of companies. */
  ratings: number
  accounts: number
  seed: number
}

export interface Bench {
  name: string
  run(place: BenchSite): Promise<Figure[]>
}

/** The value below which this part (0 to 1) of the values lies. */
export function quantile(values: number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

export const median = (values: number[]) => quantile(values, 0.5)

/** How long each took, in ms, one after the other. */
export async function timesOf<Item>(items: Iterable<Item>, work: (item: Item) => Promise<unknown>) {
  const times: number[] = []
  for (const item of items) {
    const began = performance.now()
    await work(item)
    times.push(performance.now() - began)
  }
  return times
}

/** p50, p95, p99 and the greatest, as figures; budgets by their names. */
export function latencyFigures(
  name: string,
  times: number[],
  { reference, p95, most }: { reference?: number; p95?: number; most?: number } = {},
): Figure[] {
  const spread = {
    unit: 'ms',
    reference,
    requestsPerSecond: (1000 * times.length) / times.reduce((sum, time) => sum + time, 0),
    p50: median(times),
    p99: quantile(times, 0.99),
  }
  return [
    {
      name: `${name}, p95`,
      measured: quantile(times, 0.95),
      budget: p95 === undefined ? undefined : { most: p95 },
      ...spread,
    },
    ...(most === undefined
      ? []
      : [{ name: `${name}, slowest`, measured: Math.max(...times), budget: { most }, unit: 'ms' }]),
  ]
}

/** Linux counts a process's time in hundredths of a second. */
const MS_PER_TICK = 10

/** Processor time of a process and its threads so far, in ms. */
export function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name, in parentheses, may hold spaces; user and system time are the 14th and 15th field.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK
}

/** Resident memory of a process, in MB. */
export function memoryMbOf(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}
