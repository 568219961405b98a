/**
 * Work that follows from a commit. It's stored in the database until it's done, then deleted. Any process may do it,
 * at least once. D6 says why we don't use a ready-made queue.
 */
import sql, { empty, type Sql } from 'sql-template-tag'
import { after, type Database, databaseClock, PREPARED } from '../database/database.server.ts'
import { errorFacts } from '../operations/logging.server.ts'
import { createClockWatch } from './clock-watch.server.ts'

/**
 * How long a taken task belongs to its process. It's renewed while the task runs, so this is how long others wait
 * after a crash.
 */
const LEASE_MS = 2 * 60_000
/** Each process's polling interval, spread by a third so processes don't poll in step. */
const POLL_MS = 3000
/** How long we wait after a commit before we look. We also do tasks committed meanwhile, which is cheaper. */
const LOOK_AFTER_MS = 100
const FIRST_RETRY_MS = 5000
const LAST_RETRY_MS = 60 * 60_000
/** Spreads retries, so tasks that failed together don't retry together. */
const SPREAD = 0.1
/** Ten tries within an hour and a half, then hourly: about three days. */
const MAX_ATTEMPTS = 81
/** If a result is uncertain, it counts as this many tries, so we try three times at most. */
const UNSURE_COUNTS_AS = MAX_ATTEMPTS / 3
const STOP_PATIENCE_MS = 7_000
/** The usual reason for giving up. */
const TOO_OFTEN = 'tried-too-often'

/** A constant that ends in `_TASK`. It's the kind's name in the queue, and has the type of its payload. */
export type TaskKind<Payload extends object> = string & { readonly payload?: Payload }

export interface Queue {
  /**
   * Adds a task in the caller's transaction. About 100 ms after the commit, it runs in this process, if the queue is
   * started, or else at the next poll of any process that knows its kind. `payload` is stored as readable JSON, so
   * seal anything that identifies a person.
   */
  enqueue<Payload extends object>(
    db: Database,
    kind: TaskKind<Payload>,
    payload: NoInfer<Payload>,
  ): Promise<void>
  /**
   * `enqueue` as part of the caller's own statement, with one task per row of `rows`. Pass the statement's database.
   */
  enqueueing<Payload extends object>(
    db: Database,
    kind: TaskKind<Payload>,
    payload: NoInfer<Payload>,
    rows: Sql,
  ): Sql
  /**
   * Registers the handler of a kind. A task may run twice, for example after a crash. Throwing means "retry later",
   * unless the error says more: see `TaskFailure`. Runs outside of any transaction, so it may take its time.
   */
  handle<Payload extends object>(
    kind: TaskKind<Payload>,
    work: (payload: Payload, db: Database, task: TaskFacts) => Promise<void>,
  ): void
  /**
   * For frequent kinds: `work` gets up to `maxBatch` waiting tasks, in any order. If it throws, each is
   * run by itself, so only the failing one is retried.
   */
  handleBatch<Payload extends object>(
    kind: TaskKind<Payload>,
    maxBatch: number,
    work: (payloads: Payload[], db: Database) => Promise<void>,
  ): void
  /**
   * Runs `work` about every `intervalMs`, in one process at a time, and immediately the first time. Retries failures,
   * at the latest after another interval.
   */
  every(kind: string, intervalMs: number, work: (db: Database) => Promise<void>): void
  recurringTasks(): RecurringTask[]
  start(): void
  /** Stops taking tasks and waits for running ones, at most 7 s. Another process redoes the rest. */
  stop(): Promise<void>
  /**
   * Runs everything that's due, one by one. For tests.
   * @returns how many ran
   */
  drain(): Promise<number>
}

export interface TaskFacts {
  id: string
  /** 1 on the first try. */
  attempt: number
}

/** What an error may say about its task. */
export interface TaskFailure {
  /** Why it would always fail, as a word for administrators. We give up on the task immediately. */
  giveUp?: string
  /** Why its outcome is unknown. We retry it after the longest pause, three times at most. */
  unsure?: string
}

export interface RecurringTask {
  kind: string
  intervalMs: number
}

/** Logs kinds, counts, and names and codes of errors, but never payloads or messages. */
export interface TaskLog {
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

interface Task {
  id: string
  kind: string
  payload: object
  attempts: number
  isRecurring: boolean
  takenAt: string
}

interface Handler {
  // The kind makes the code that enqueues and the handler use the same payload.
  // biome-ignore lint/suspicious/noExplicitAny: the queue never looks inside.
  work: (payloads: any[], db: Database, task: TaskFacts) => Promise<void>
  /** How many tasks we do together at most. */
  maxBatch: number
  intervalMs?: number
}

export function createQueue(
  db: Database,
  options: {
    now?: () => Date
    /** Checked at each poll. While it's false, no recurring task starts. */
    isClockSteady?: () => boolean
    log?: TaskLog
    concurrency?: number
    pollMs?: number
    leaseMs?: number
  } = {},
): Queue {
  const { now, log = consoleLog, concurrency = 2 } = options
  const { pollMs = POLL_MS, leaseMs = LEASE_MS } = options
  const isClockSteady = options.isClockSteady ?? (now ? () => true : createClockWatch())
  const moment = databaseClock(now)
  const handlers = new Map<string, Handler>()
  const running = new Set<Promise<unknown>>()
  /** Recurring kinds that may have no row yet. */
  let unregistered: string[] = []
  const inMs = (ms: number) => after(moment(), ms)

  function addHandler(kind: string, handler: Handler) {
    if (handlers.has(kind)) throw new Error(`Two handlers for ${kind} tasks`)
    handlers.set(kind, handler)
  }

  async function register() {
    const kinds = unregistered
    unregistered = []
    try {
      for (const kind of kinds)
        await db.query(sql`
          insert into job_queue (kind, due_at, recurs, done_at)
          values (${kind}, ${moment()}, true, ${moment()})
          on conflict (kind) where recurs do nothing`)
    } catch (error) {
      unregistered.push(...kinds)
      throw error
    }
  }

  /** One statement, so the work runs without a connection. */
  async function take(limit: number): Promise<Task[]> {
    if (unregistered.length > 0) await register()
    if (handlers.size === 0) return []
    const condition = sql`
      kind = any (${[...handlers.keys()]}::text[]) and (not recurs or ${mayRunRecurring()}::boolean)`
    return takeDue(condition, limit, sql`, near as (${pullingBack()})`)
  }

  const takeDue = (condition: Sql, limit: number, also = empty) =>
    db.query<Task>(
      sql`
      with due as materialized (
        select id from job_queue
         where due_at <= ${moment()} and ${condition}
         order by due_at limit ${limit} for update skip locked
      )${also}
      update job_queue set attempts = attempts + 1, due_at = ${inMs(leaseMs)}
        from due where job_queue.id = due.id
        returning job_queue.id, kind, payload, attempts, recurs as "isRecurring", ${moment()} as "takenAt"`,
      PREPARED,
    )

  /**
   * Tasks due later than possible were written by a clock that was ahead, or by a version with a longer interval. They
   * become due as if they'd just been done. We check at each poll, because clocks may jump anytime.
   */
  function pullingBack(): Sql {
    const kinds = [...handlers].map(([kind, { intervalMs }]) => {
      const interval = intervalMs === undefined ? leaseMs : Math.max(intervalMs, leaseMs)
      const latest = intervalMs === undefined ? LAST_RETRY_MS * (1 + SPREAD) : interval
      return { kind, interval, latest: latest + leaseMs }
    })
    const seconds = (all: number[]) => sql`${all.map((ms) => ms / 1000)}::float8[]`
    return sql`
      update job_queue set due_at = ${moment()} + make_interval(secs => known.wait)
        from unnest(${kinds.map(({ kind }) => kind)}::text[],
                    ${seconds(kinds.map(({ interval }) => interval))},
                    ${seconds(kinds.map(({ latest }) => latest))}) as known (kind, wait, latest)
       where job_queue.kind = known.kind and due_at > ${inMs(leaseMs)}
         and due_at > ${moment()} + make_interval(secs => known.latest)`
  }

  let wasClockSteady = true
  /** Recurring tasks delete by this process's clock, so after a jump they could delete too much. */
  function mayRunRecurring() {
    const isSteady = isClockSteady()
    if (wasClockSteady && !isSteady)
      log.warn({}, 'The clock has jumped. Recurring jobs are paused until it’s steady')
    wasClockSteady = isSteady
    return isSteady
  }

  /** Takes more tasks of the same kind. Retries run alone, because they may be what fails. */
  async function withOthers(task: Task): Promise<Task[]> {
    const { maxBatch } = handlers.get(task.kind) as Handler
    if (maxBatch === 1 || task.attempts > 1) return [task]
    return [task, ...(await takeDue(sql`kind = ${task.kind} and attempts = 0`, maxBatch - 1))]
  }

  // Includes the attempt, because an expired lease mustn't touch a task that someone else has taken.
  const taken = (tasks: Task[]) => sql`(id, attempts) in (
    select * from unnest(${tasks.map(({ id }) => id)}::uuid[],
                         ${tasks.map(({ attempts }) => attempts)}::integer[]))`
  const renew = (tasks: Task[]) =>
    db.query(sql`update job_queue set due_at = ${inMs(leaseMs)} where ${taken(tasks)}`)
  const tryAgain = (task: Task, waitMs: number, tries: number) =>
    db.query(sql`
      update job_queue set due_at = ${inMs(waitMs)}, attempts = ${tries} where ${taken([task])}`)
  const finish = (tasks: Task[]) =>
    db.query(sql`delete from job_queue where ${taken(tasks)}`, PREPARED)
  const reschedule = (task: Task, intervalMs: number) =>
    db.query(sql`
      update job_queue
         set due_at = ${after(sql`${task.takenAt}::timestamptz`, intervalMs)}, attempts = 0,
             done_at = ${moment()}
       where ${taken([task])}`)

  async function runTogether(tasks: Task[]): Promise<boolean> {
    const [{ id, kind }] = tasks as [Task]
    const { work } = handlers.get(kind) as Handler
    const payloads = tasks.map(({ payload }) => payload)
    try {
      await whileLeased(tasks, () => work(payloads, db, { id, attempt: 1 }))
      await finish(tasks)
      return true
    } catch (error) {
      log.warn({ kind, error: errorFacts(error) }, 'Jobs failed together and are run one by one')
      return false
    }
  }

  async function run(task: Task) {
    const { id, kind, attempts } = task
    const { work, intervalMs } = handlers.get(kind) as Handler
    // If a task was taken this often without a result, it crashes its process.
    if (!task.isRecurring && attempts > MAX_ATTEMPTS) return giveUp(task, TOO_OFTEN, {})
    try {
      await whileLeased([task], () => work([task.payload], db, { id, attempt: attempts }))
    } catch (error) {
      const { giveUp: reason, unsure } = (error ?? {}) as TaskFailure
      const tries = attempts + (unsure ? UNSURE_COUNTS_AS - 1 : 0)
      if (!task.isRecurring && reason) return giveUp(task, reason, { error: errorFacts(error) })
      if (!task.isRecurring && tries >= MAX_ATTEMPTS)
        return giveUp(task, unsure ?? TOO_OFTEN, { error: errorFacts(error) })
      log.warn({ kind, attempts, error: errorFacts(error) }, 'A job failed and will be retried')
      const wait = retryDelay(tries)
      return tryAgain(task, task.isRecurring ? Math.min(wait, intervalMs ?? wait) : wait, tries)
    }
    return task.isRecurring ? reschedule(task, intervalMs ?? leaseMs) : finish([task])
  }

  /** Keeps the row without a due time, with reason and day, for an administrator to look at. */
  function giveUp(task: Task, reason: string, facts: object) {
    const { kind, attempts } = task
    log.error({ kind, attempts, reason, ...facts }, 'Gave up on a job. It won’t be retried')
    return db.query(sql`
      update job_queue
         set due_at = null, given_up = ${reason}, given_up_on = (${moment()} at time zone 'utc')::date
       where ${taken([task])}`)
  }

  async function whileLeased(tasks: Task[], work: () => Promise<void>) {
    let renewal: Promise<unknown> = Promise.resolve()
    const heart = setInterval(() => {
      renewal = renew(tasks).catch(() => {})
    }, leaseMs / 3).unref()
    try {
      await work()
    } finally {
      clearInterval(heart)
      // Wait for the renewal, because it mustn't arrive after the next write.
      await renewal
    }
  }

  /** Never throws. If we can't store the result now, the task is due again when its lease ends. */
  const runSafely = (task: Task) =>
    run(task).then(
      () => {},
      (error) =>
        log.warn({ kind: task.kind, error: errorFacts(error) }, 'Couldn’t record that a job ended'),
    )

  /** Runs a taken task, and others along with it. Never throws. @returns how many */
  async function runWithOthers(task: Task): Promise<number> {
    const tasks = await withOthers(task).catch(() => [task])
    if (tasks.length === 1 || !(await runTogether(tasks)))
      for (const task of tasks) await runSafely(task)
    return tasks.length
  }

  let isStarted = false
  let loop: Promise<void> = Promise.resolve()
  const bell = createBell()

  function lookAfterCommit(db: Database, kind: string) {
    if (isStarted && handlers.has(kind)) db.afterCommit(bell.ringSoon)
  }

  async function takeAndRun() {
    let isReachable = true
    while (isStarted) {
      const free = concurrency - running.size
      let taken: Task[] = []
      try {
        if (free > 0) taken = await take(free)
        isReachable = true
      } catch (error) {
        if (isReachable)
          log.error({ error: errorFacts(error) }, 'The job queue can’t reach the database')
        isReachable = false
      }
      for (const task of taken) {
        const done = runWithOthers(task).then((ran) => {
          running.delete(done)
          // Frequent kinds soon have more tasks, and doing those together is cheaper.
          const { maxBatch } = handlers.get(task.kind) as Handler
          if (maxBatch === 1 || ran === maxBatch) bell.ring()
          else bell.ringSoon()
        })
        running.add(done)
      }
      // Wait if there's nothing to do or no capacity.
      if (taken.length === 0 || taken.length === free)
        await bell.wait(pollMs * (2 / 3 + (Math.random() * 2) / 3))
    }
  }

  return {
    async enqueue(db, kind, payload) {
      // Due now, to the minute, because we may not store a finer time about what people do.
      await db.query(
        sql`
        insert into job_queue (kind, payload, due_at)
        values (${kind}, ${JSON.stringify(payload)}::text::jsonb, date_trunc('minute', ${moment()}))`,
        PREPARED,
      )
      lookAfterCommit(db, kind)
    },
    enqueueing(db, kind, payload, rows) {
      lookAfterCommit(db, kind)
      return sql`
        insert into job_queue (kind, payload, due_at)
        select ${kind}, ${JSON.stringify(payload)}::text::jsonb, date_trunc('minute', ${moment()})
          from ${rows}`
    },
    handle: (kind, work) =>
      addHandler(kind, { work: ([payload], db, task) => work(payload, db, task), maxBatch: 1 }),
    handleBatch: (kind, maxBatch, work) => addHandler(kind, { work, maxBatch }),
    every(kind, intervalMs, work) {
      addHandler(kind, { work: (_payloads, db) => work(db), maxBatch: 1, intervalMs })
      unregistered.push(kind)
    },
    recurringTasks: () =>
      [...handlers].flatMap(([kind, { intervalMs }]) =>
        intervalMs === undefined ? [] : [{ kind, intervalMs }],
      ),
    start() {
      if (isStarted) return
      isStarted = true
      loop = loop.then(takeAndRun)
    },
    async stop() {
      isStarted = false
      bell.silence()
      let patience: NodeJS.Timeout | undefined
      const enough = new Promise<void>((resolve) => {
        patience = setTimeout(resolve, STOP_PATIENCE_MS)
      })
      // The loop first, because it may be about to start what it has just taken.
      await Promise.race([loop.then(() => Promise.all(running)), enough])
      clearTimeout(patience)
    },
    async drain() {
      for (let ran = 0; ; ) {
        const [task] = await take(1)
        if (!task) return ran
        ran += await runWithOthers(task)
      }
    },
  }
}

/** Milliseconds until the next try: 5 s, doubled each time up to an hour, spread by a tenth. */
function retryDelay(attempts: number) {
  const delay = Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), LAST_RETRY_MS)
  return delay * (1 - SPREAD + Math.random() * 2 * SPREAD)
}

/** One waits (with a limit) until others ring. A ring without a waiter is kept. */
function createBell() {
  let wakeUp: (() => void) | undefined
  let hasRung = false
  let soon: NodeJS.Timeout | undefined

  const ring = () => {
    hasRung = true
    wakeUp?.()
  }
  return {
    ring,
    /** Rings shortly. All requests until then share it. */
    ringSoon() {
      soon ??= setTimeout(() => {
        soon = undefined
        ring()
      }, LOOK_AFTER_MS).unref()
    },
    silence() {
      clearTimeout(soon)
      soon = undefined
      ring()
    },
    async wait(ms: number) {
      let timer: NodeJS.Timeout | undefined
      if (!hasRung)
        await new Promise<void>((resolve) => {
          wakeUp = resolve
          timer = setTimeout(resolve, ms).unref()
        })
      clearTimeout(timer)
      wakeUp = undefined
      hasRung = false
    },
  }
}

const consoleLog: TaskLog = {
  warn: (facts, message) => console.warn(message, facts),
  error: (facts, message) => console.error(message, facts),
}
