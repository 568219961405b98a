/**
 * Work that follows from a commit: kept in the database until it is done, then forgotten. Done at
 * least once, by any process. Why not a ready-made queue: D6.
 */
import sql, { empty, type Sql } from 'sql-template-tag'
import { after, type Database, databaseClock, PREPARED } from '../database/database.server.ts'
import { createClockWatch } from './clock-watch.server.ts'

/** How long work is its process's own; renewed while it lasts, so this is the wait after a crash. */
const LEASE_MS = 2 * 60_000
/** How often each process looks by itself, give or take a third so that they do not march in step. */
const POLL_MS = 3000
/** So long after a commit the queue looks: what is committed meanwhile is done with it, which is cheaper. */
const LOOK_AFTER_MS = 100
const FIRST_RETRY_MS = 5000
const LAST_RETRY_MS = 60 * 60_000
/** Pauses are longer or shorter by so much, so that what failed together is not tried together. */
const SPREAD = 0.1
/** Ten tries within an hour and a half, then one each hour: about three days. */
const MAX_ATTEMPTS = 81
/** What may have been done counts as so many tries: it is done three times at most. */
const UNSURE_COUNTS_AS = 27
const STOP_PATIENCE_MS = 7_000
/** Why most work is given up. */
const TOO_OFTEN = 'tried-too-often'

export interface Jobs {
  /**
   * Adds a job in the caller's transaction. It runs some 100 ms after the commit in this process, if
   * that is started, else at the next poll of any process that knows its kind.
   * `payload` is what JSON keeps of it. It lies open in the database: seal what names a person.
   */
  enqueue(db: Database, kind: string, payload: object): Promise<void>
  /**
   * The same as a part of the caller's own statement, which may be all of its transaction: one job for
   * each row of `rows`. Give the statement's database; what is found there a moment later is done then.
   */
  enqueueing(db: Database, kind: string, payload: object, rows: Sql): Sql
  /**
   * Says how this kind of job is done. It may be done twice: after a crash, for example. Throwing
   * means "try again later", unless the error says more: see `JobFailure`. Runs outside of any
   * transaction, so it may take its time.
   */
  handle<Payload extends object>(
    kind: string,
    work: (payload: Payload, db: Database, job: JobFacts) => Promise<void>,
  ): void
  /**
   * The same for a kind that comes often: `work` gets up to `most` of them that wait, in any order.
   * If it throws, each is done once more by itself, so only the one that fails is tried again.
   */
  handleTogether<Payload extends object>(
    kind: string,
    most: number,
    work: (payloads: Payload[], db: Database) => Promise<void>,
  ): void
  /**
   * Runs `work` about every `intervalMs`, in one process at a time; the first time at once. What
   * throws is tried again, at the latest after another interval.
   */
  every(kind: string, intervalMs: number, work: (db: Database) => Promise<void>): void
  /** What comes round in this program. */
  rounds(): Round[]
  start(): void
  /** Takes nothing more and waits for running work, at most 7 s: another process redoes the rest. */
  stop(): Promise<void>
  /** Runs what is due now, one after the other, until nothing is: for tests. Returns how many ran. */
  drain(): Promise<number>
}

export interface JobFacts {
  /** The same however often it is tried, another one for each job. */
  id: string
  /** 1 at the first try. */
  attempt: number
}

/** What an error may say about the job that it ends. */
export interface JobFailure {
  /** Why it would always fail, in a word for administrators: it is given up at once. */
  giveUp?: string
  /** Why nobody knows whether it was done: it is tried again after the longest pause, three times at most. */
  unsure?: string
}

/** Work that comes round. */
export interface Round {
  kind: string
  intervalMs: number
}

/** Receives kinds, counts and the names and codes of errors; never a payload or a message. */
export interface JobLog {
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

interface Job {
  id: string
  kind: string
  payload: object
  attempts: number
  recurs: boolean
  takenAt: string
}

interface Handler {
  // Who enqueues a kind and who handles it agree on its payload.
  // biome-ignore lint/suspicious/noExplicitAny: the queue carries it and does not look inside.
  work: (payloads: any[], db: Database, job: JobFacts) => Promise<void>
  /** How many at most are done together. */
  most: number
  /** Of work that comes round. */
  intervalMs?: number
}

export function createJobs(
  db: Database,
  options: {
    /** A clock in the place of the database's: for tests. */
    now?: () => Date
    /** Asked at each look. While it says no, nothing that comes round is begun. */
    isClockSteady?: () => boolean
    log?: JobLog
    /** How much work at a time in this process. */
    concurrency?: number
    pollMs?: number
    leaseMs?: number
  } = {},
): Jobs {
  const { now, log = consoleLog, concurrency = 2 } = options
  const { pollMs = POLL_MS, leaseMs = LEASE_MS } = options
  const isClockSteady = options.isClockSteady ?? (now ? () => true : createClockWatch())
  const moment = databaseClock(now)
  const handlers = new Map<string, Handler>()
  const running = new Set<Promise<unknown>>()
  /** Kinds that come round and may have no row yet. */
  let unregistered: string[] = []
  const inMs = (ms: number) => after(moment(), ms)

  function learn(kind: string, handler: Handler) {
    if (handlers.has(kind)) throw new Error(`Two handlers for jobs of the kind ${kind}`)
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

  /** One statement, so that no connection is held while the work runs. */
  async function take(limit: number): Promise<Job[]> {
    if (unregistered.length > 0) await register()
    if (handlers.size === 0) return []
    const condition = sql`
      kind = any (${[...handlers.keys()]}::text[]) and (not recurs or ${mayComeRound()}::boolean)`
    return takeDue(condition, limit, sql`, near as (${pullingBack()})`)
  }

  const takeDue = (condition: Sql, limit: number, also = empty) =>
    db.query<Job>(
      sql`
      with due as materialized (
        select id from job_queue
         where due_at <= ${moment()} and ${condition}
         order by due_at limit ${limit} for update skip locked
      )${also}
      update job_queue set attempts = attempts + 1, due_at = ${inMs(leaseMs)}
        from due where job_queue.id = due.id
        returning job_queue.id, kind, payload, attempts, recurs, ${moment()} as "takenAt"`,
      PREPARED,
    )

  /**
   * What is due later than anything can be was written by a clock that was ahead, or by a program with
   * a longer interval: it is due as if it had been done now. At each look, because clocks jump at any time.
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
  /** What comes round sweeps by this process's clock: a clock that has just jumped sweeps too much. */
  function mayComeRound() {
    const isSteady = isClockSteady()
    if (wasClockSteady && !isSteady)
      log.warn({}, 'The clock has jumped: work that comes round waits until it runs evenly')
    wasClockSteady = isSteady
    return isSteady
  }

  /** A job with others of its kind. What was tried before is tried alone: it may be what fails. */
  async function withOthers(job: Job): Promise<Job[]> {
    const { most } = handlers.get(job.kind) as Handler
    if (most === 1 || job.attempts > 1) return [job]
    return [job, ...(await takeDue(sql`kind = ${job.kind} and attempts = 0`, most - 1))]
  }

  // Each names the attempt as well: whose lease ran out must not touch what another has taken.
  const taken = (jobs: Job[]) => sql`(id, attempts) in (
    select * from unnest(${jobs.map(({ id }) => id)}::uuid[],
                         ${jobs.map(({ attempts }) => attempts)}::integer[]))`
  const renew = (jobs: Job[]) =>
    db.query(sql`update job_queue set due_at = ${inMs(leaseMs)} where ${taken(jobs)}`)
  const tryAgain = (job: Job, waitMs: number, tries: number) =>
    db.query(sql`
      update job_queue set due_at = ${inMs(waitMs)}, attempts = ${tries} where ${taken([job])}`)
  const finish = (jobs: Job[]) =>
    db.query(sql`delete from job_queue where ${taken(jobs)}`, PREPARED)
  const comeRound = (job: Job, intervalMs: number) =>
    db.query(sql`
      update job_queue
         set due_at = ${after(sql`${job.takenAt}::timestamptz`, intervalMs)}, attempts = 0,
             done_at = ${moment()}
       where ${taken([job])}`)

  /** Answers whether they are done. */
  async function runTogether(jobs: Job[]): Promise<boolean> {
    const { work } = handlers.get(jobs[0]?.kind ?? '') as Handler
    const facts = { id: jobs[0]?.id ?? '', attempt: 1 }
    const payloads = jobs.map(({ payload }) => payload)
    try {
      await whileHeld(jobs, () => work(payloads, db, facts))
      await finish(jobs)
      return true
    } catch {
      return false
    }
  }

  async function run(job: Job) {
    const { id, kind, attempts } = job
    const { work, intervalMs } = handlers.get(kind) as Handler
    // Taken so often without an end to any of it: this job brings its process down.
    if (!job.recurs && attempts > MAX_ATTEMPTS) return giveUp(job, TOO_OFTEN, {})
    try {
      await whileHeld([job], () => work([job.payload], db, { id, attempt: attempts }))
    } catch (error) {
      const { giveUp: reason, unsure } = (error ?? {}) as JobFailure
      const tries = attempts + (unsure ? UNSURE_COUNTS_AS - 1 : 0)
      if (!job.recurs && reason) return giveUp(job, reason, factsOf(error))
      if (!job.recurs && tries >= MAX_ATTEMPTS)
        return giveUp(job, unsure ?? TOO_OFTEN, factsOf(error))
      log.warn({ kind, attempts, ...factsOf(error) }, 'A job failed and is tried again later')
      const wait = retryDelay(tries)
      return tryAgain(job, job.recurs ? Math.min(wait, intervalMs ?? wait) : wait, tries)
    }
    return job.recurs ? comeRound(job, intervalMs ?? leaseMs) : finish([job])
  }

  /** The row stays, without a time, for somebody to look at: with the reason and the day. */
  function giveUp(job: Job, reason: string, facts: object) {
    const { kind, attempts } = job
    log.error({ kind, attempts, reason, ...facts }, 'A job is given up and not tried again')
    return db.query(sql`
      update job_queue
         set due_at = null, given_up = ${reason}, given_up_on = (${moment()} at time zone 'utc')::date
       where ${taken([job])}`)
  }

  /** Runs `work` and renews the lease until it ends. */
  async function whileHeld(jobs: Job[], work: () => Promise<void>) {
    let renewal: Promise<unknown> = Promise.resolve()
    const heart = setInterval(() => {
      renewal = renew(jobs).catch(() => {})
    }, leaseMs / 3).unref()
    try {
      await work()
    } finally {
      clearInterval(heart)
      // It must not arrive after what is written next.
      await renewal
    }
  }

  /** Never throws: what cannot be written down now is due again when its lease ends. */
  const runSafely = (job: Job) =>
    run(job).then(
      () => {},
      (error) => log.warn({ kind: job.kind, ...factsOf(error) }, 'The end of a job was not noted'),
    )

  /** Runs a job that was taken, and what goes with it. Never throws. Answers how many it were. */
  async function runWithOthers(job: Job): Promise<number> {
    const jobs = await withOthers(job).catch(() => [job])
    if (jobs.length === 1 || !(await runTogether(jobs)))
      for (const job of jobs) await runSafely(job)
    return jobs.length
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
      let taken: Job[] = []
      try {
        if (free > 0) taken = await take(free)
        isReachable = true
      } catch (error) {
        if (isReachable) log.error(factsOf(error), 'The job queue cannot reach its database')
        isReachable = false
      }
      for (const job of taken) {
        const done = runWithOthers(job).then((ran) => {
          running.delete(done)
          // Of what comes often some more will have come in a moment, and is cheaper together.
          const { most } = handlers.get(job.kind) as Handler
          if (most === 1 || ran === most) bell.ring()
          else bell.ringSoon()
        })
        running.add(done)
      }
      // None, or no hand free: until there is news.
      if (taken.length === 0 || taken.length === free)
        await bell.wait(pollMs * (2 / 3 + (Math.random() * 2) / 3))
    }
  }

  return {
    async enqueue(db, kind, payload) {
      // At once. No finer time is kept of what somebody did.
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
      learn(kind, { work: ([payload], db, job) => work(payload, db, job), most: 1 }),
    handleTogether: (kind, most, work) => learn(kind, { work, most }),
    every(kind, intervalMs, work) {
      learn(kind, { work: (_payloads, db) => work(db), most: 1, intervalMs })
      unregistered.push(kind)
    },
    rounds: () =>
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
      // First the loop, which may be about to start what it has just taken.
      await Promise.race([loop.then(() => Promise.all(running)), enough])
      clearTimeout(patience)
    },
    async drain() {
      for (let ran = 0; ; ) {
        const [job] = await take(1)
        if (!job) return ran
        ran += await runWithOthers(job)
      }
    },
  }
}

/** Milliseconds until the next try: from 5 s, doubled each time, to an hour, give or take a tenth. */
function retryDelay(attempts: number) {
  const delay = Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), LAST_RETRY_MS)
  return delay * (1 - SPREAD + Math.random() * 2 * SPREAD)
}

/** What may be said of an error: a message can hold an address, and a name or code can be made up. */
function factsOf(error: unknown) {
  const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown }
  const word = (value: unknown) =>
    typeof value === 'string' && /^\w{1,40}$/.test(value) ? value : undefined
  return { error: word(name), code: word(code) }
}

/** Somebody waits, at most so long; somebody else rings. A ring that nobody hears is kept. */
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
    /** Rings in a moment; all who ask meanwhile share it. */
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

const consoleLog: JobLog = {
  warn: (facts, message) => console.warn(message, facts),
  error: (facts, message) => console.error(message, facts),
}
