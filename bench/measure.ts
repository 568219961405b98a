/** Takes figures, and prints them in a table. */
import { readFileSync } from 'node:fs'
import type pg from 'pg'

export interface Figure {
  /** What was measured, in `unit`. */
  name: string
  measured: number
  unit: string
  /** The same work done in the plainest way, in the same run. */
  reference?: number
  /** The upper limit for `measured`. */
  max?: number
  min?: number
  /** The upper limit for measured ÷ reference. */
  maxRatio?: number
  minRatio?: number
  /** Anything else to know, in the last column. */
  also?: string
}

type Limits = Omit<Figure, 'name' | 'measured' | 'unit'>

export const figure = (name: string, measured: number, unit: string, limits: Limits = {}) =>
  ({ name, measured, unit, ...limits }) satisfies Figure

/** The work to measure, which runs several times in each round. */
export interface Workload {
  /** @returns a number that replaces the elapsed milliseconds, if it returns one */
  run(n: number): unknown
  /** Per round. Once by default. */
  times?: number
  /** Processor time so far, in ms. */
  cpuMs?(): number | Promise<number>
  /** Work done so far, if it isn't the number of runs. */
  done?(): Promise<number>
}

export interface Measurement {
  /** One value for each run. */
  values: number[]
  /** The median of `values`. */
  median: number
  /** Processor time for one run, as the median of the rounds. */
  cpuMs: number
}

/**
 * Runs workloads in turn, round by round, so a busy moment affects all of them and their ratios hold. Warm-up rounds
 * come first and don't count. `n` continues from round to round.
 */
export async function measure<Name extends string>(
  workloads: Record<Name, Workload>,
  { rounds = 1, warmUp = 0 }: { rounds?: number; warmUp?: number } = {},
): Promise<Record<Name, Measurement>> {
  const states = Object.entries<Workload>(workloads).map(([name, workload]) => {
    const none: { values: number[]; costs: number[] } = { values: [], costs: [] }
    return { name, workload, n: 0, ...none }
  })
  for (let round = -warmUp; round < rounds; round++)
    for (const state of states) {
      const { run, times = 1, cpuMs = () => 0, done } = state.workload
      const doneBefore = (await done?.()) ?? 0
      const cpuBefore = await cpuMs()
      const values: number[] = []
      for (let turn = 0; turn < times; turn++) {
        const began = performance.now()
        const said = await run(state.n++)
        values.push(typeof said === 'number' ? said : performance.now() - began)
      }
      const spent = (await cpuMs()) - cpuBefore
      const count = ((await done?.()) ?? 0) - doneBefore || times
      if (round < 0) continue
      state.values.push(...values)
      state.costs.push(spent / count)
    }
  const measurements = states.map(({ name, values, costs }): [string, Measurement] => [
    name,
    { values, median: median(values), cpuMs: median(costs) },
  ])
  return Object.fromEntries(measurements) as Record<Name, Measurement>
}

/** Work on each item in turn, all of them in a round. */
export const over = <Item>(items: readonly Item[], work: (item: Item, n: number) => unknown) =>
  ({
    times: items.length,
    run: (n) => work(items[n % items.length] as Item, n),
  }) satisfies Workload

/** How long each took, in ms, one after another. The first one also runs once beforehand. */
export async function timesOf<Item>(
  items: readonly Item[],
  work: (item: Item) => unknown,
  warmUp = 0,
) {
  for (const item of items.slice(0, warmUp)) await work(item)
  return (await measure({ it: over(items, work) })).it.values
}

/** The value that this share (0 to 1) of the values is below. */
export function quantile(values: number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

export const median = (values: number[]) => quantile(values, 0.5)

/** p95 as a figure, with p50 and p99 next to it. */
export const latency = (name: string, times: number[], limits: Limits = {}) =>
  figure(`${name}, p95`, quantile(times, 0.95), 'ms', {
    ...limits,
    also: `p50 ${number(median(times))}, p99 ${number(quantile(times, 0.99))}`,
  })

/** From `man proc_pid_stat`, where the first field is 1. */
function fieldsOf(pid: number | string) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name, in parentheses, may contain spaces. The state is the field after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (field: number) => Number(fields[field - 3])
}

/** Processor time of a process and its threads so far, in ms. Linux counts it in hundredths of a second. */
export function cpuMsOf(pid: number): number {
  const field = fieldsOf(pid)
  return (field(14) + field(15)) * 10
}

export const parentOf = (pid: number) => fieldsOf(pid)(4)

/** A process and all that it started, as far as they still run. */
function treeOf<Value>(pid: number, read: (pid: number) => Value): Value[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
    return [read(pid), ...children.filter(Boolean).flatMap((child) => treeOf(Number(child), read))]
  } catch {
    return []
  }
}

export const sum = (values: Iterable<number>) => [...values].reduce((all, it) => all + it, 0)

/** Processor time of a process and all that it started, including those that have ended. */
export const cpuMsOfAll = (pid: number) =>
  sum(treeOf(pid, (pid) => 10 * sum([14, 15, 16, 17].map(fieldsOf(pid)))))

/** Memory of a process and all that it started, in MB. What they share counts once. */
export const memoryMbOfAll = (pid: number) =>
  sum(
    treeOf(pid, (pid) => {
      const [, kB] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? []
      return Number(kB) / 1024
    }),
  )

/** What all processors of the machine did so far, in ms. */
export function busyMsOfMachine() {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] =
    line.match(/\d+/g)?.map(Number) ?? []
  return 10 * (user + nice + system + irq + softirq)
}

/**
 * The same, plus a program's connections to the client's database, if that's on this machine.
 * @param name the connections' name, as a pattern for SQL's `like`
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
      // The process has ended meanwhile.
      return sum
    }
  }, cpuMsOf(pid))
}

/** Resident memory of a process, in MB: now, or at its peak. */
export function memoryMbOf(pid: number, which: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${which}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024
}

export function printTable(figures: Figure[]) {
  const rows = figures.map((figure) => {
    const { name, measured, unit, reference, also } = figure
    const said = `${number(measured)} ${unit}`.trim()
    return [
      name,
      {
        measured: said,
        ...(reference && { reference: number(reference), ratio: number(measured / reference) }),
        ...verdictOn(figure),
        ...(also && { also }),
      },
    ] as const
  })
  console.table(Object.fromEntries(rows))
}

function number(value: number) {
  return value >= 100 ? value.toFixed(0) : Number(value.toPrecision(3)).toString()
}

function verdictOn({ measured, reference = measured, ...bounds }: Figure) {
  const { min, max, minRatio, maxRatio } = bounds
  const ratio = measured / reference
  const all: [said: string, bound: number | undefined, isKept: (bound: number) => boolean][] = [
    ['≥', min, (min) => measured >= min],
    ['≤', max, (max) => measured <= max],
    ['ratio ≥', minRatio, (min) => ratio >= min],
    ['ratio ≤', maxRatio, (max) => ratio <= max],
  ]
  for (const [said, bound, isKept] of all)
    if (bound !== undefined)
      return { budget: `${said} ${bound}`, kept: isKept(bound) ? 'ok' : 'MISSED' }
  return {}
}
