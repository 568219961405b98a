/** What a benchmark is, and how its figures are taken. */
import { readFileSync } from 'node:fs'
import type pg from 'pg'

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

/** What Linux knows of a process. @throws where it is gone */
export function processOf(pid: number) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name, in parentheses, may hold spaces: behind it the state is the third field.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ms = (...places: number[]) =>
    places.reduce((sum, place) => sum + Number(fields[place - 3]), 0) * MS_PER_TICK
  return {
    parent: Number(fields[1]),
    /** Processor time of its own threads so far. */
    cpuMs: ms(14, 15),
    /** And that of its children which have ended. */
    endedCpuMs: ms(16, 17),
  }
}

/** Processor time of a process and its threads so far, in ms. */
export const cpuMsOf = (pid: number): number => processOf(pid).cpuMs

/**
 * Processor time so far, in ms, of a program and of the connections that it has to the client's database, where
 * that is on this machine.
 * @param name what they call themselves, as SQL's `like` reads it
 */
export async function cpuMsWithDatabase(client: pg.Client, pid: number, name = 'kettle%') {
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity
      where datname = current_database() and application_name like $1 and pid <> pg_backend_pid()`,
    [name],
  )
  return rows.reduce((sum, { pid }) => {
    try {
      return sum + cpuMsOf(pid)
    } catch {
      return sum
    }
  }, cpuMsOf(pid))
}

/** Resident memory of a process, in MB. */
export function memoryMbOf(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}
