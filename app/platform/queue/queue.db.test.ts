import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { slow } from '#tests/support/amounts.ts'
import { openTestDatabase } from '#tests/support/database.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import type { OpenDatabase } from '../database/database.server.ts'
import { createMailer } from '../mail/mail.server.ts'
import { createQueue, type Queue, type TaskLog } from './queue.server.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

let database: OpenDatabase
let clock: Date
let said: { level: string; facts: object; message: string }[]
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  clock = new Date('2026-03-14T09:26:53Z')
  said = []
  await database.query(sql`delete from job_queue`)
})

const now = () => new Date(clock)
const pass = (ms: number) => {
  clock = new Date(clock.getTime() + ms)
}
const log: TaskLog = {
  warn: (facts, message) => said.push({ level: 'warn', facts, message }),
  error: (facts, message) => said.push({ level: 'error', facts, message }),
}
/** A queue whose clock only moves with `pass`. `drain` runs its tasks. */
const stillQueue = () => createQueue(database, { now, log })
const rows = () =>
  database.query<{ kind: string; due_at: string | null; attempts: number }>(
    sql`select kind, due_at, attempts from job_queue`,
  )
const dueIn = async () => {
  const [row] = await rows()
  return row?.due_at ? new Date(row.due_at).getTime() - clock.getTime() : null
}

async function withStarted(queues: Queue[], work: () => Promise<void>) {
  for (const queue of queues) queue.start()
  try {
    await work()
  } finally {
    await Promise.all(queues.map((queue) => queue.stop()))
  }
}

async function until(condition: () => boolean | Promise<boolean>) {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5))
}

test('a task gets its payload, and its row is gone once it’s done', async () => {
  const queue = stillQueue()
  const done: unknown[] = []
  queue.handle('greet', async (payload, db) => {
    // It runs outside a transaction, so others can use the database.
    await db.transaction((db) => db.query(sql`select 1`))
    done.push(payload)
  })
  const payload = { name: 'dana', ß: ['"', null, 1.5, { deep: true }] }
  await queue.enqueue(database, 'greet', payload)
  expect(await queue.drain()).toBe(1)
  expect(done).toEqual([payload])
  expect(await rows()).toEqual([])
  expect(await queue.drain()).toBe(0)
})

test('a rolled-back task isn’t run, and a committed one is', async () => {
  const queue = stillQueue()
  const done: unknown[] = []
  queue.handle('greet', async ({ name }: { name: string }) => void done.push(name))
  await database
    .transaction(async (db) => {
      await queue.enqueue(db, 'greet', { name: 'nobody' })
      throw new Error('changed my mind')
    })
    .catch(() => {})
  await database.transaction((db) => queue.enqueue(db, 'greet', { name: 'dana' }))
  expect(await queue.drain()).toBe(1)
  expect(done).toEqual(['dana'])
})

function countingQuestions() {
  let n = 0
  const counted = {
    ...database,
    query: <Row>(statement: Parameters<OpenDatabase['query']>[0]) => {
      n++
      return database.query<Row>(statement)
    },
  }
  return { counted, questions: () => n }
}

test('a started queue does a task soon after the commit', async () => {
  const { counted, questions } = countingQuestions()
  const queue = createQueue(counted, { pollMs: HOUR })
  let isDone = false
  queue.handle('greet', async () => {
    isDone = true
  })
  await withStarted([queue], async () => {
    // The queue polls once and goes to sleep.
    await until(() => questions() > 0)
    await database.transaction(async (db) => {
      await queue.enqueue(db, 'greet', {})
      await new Promise((resolve) => setTimeout(resolve, 60))
    })
    // Long before the next poll.
    await until(() => isDone)
  })
})

test('frequent tasks run together, and one that fails runs alone', async () => {
  const queue = stillQueue()
  const calls: number[][] = []
  queue.handleBatch('count', 4, async (all: { n: number }[]) => {
    calls.push(all.map(({ n }) => n).sort())
    if (all.some(({ n }) => n === 2)) throw new Error('not two')
  })
  for (const n of [1, 2, 3]) await queue.enqueue(database, 'count', { n })
  expect(await queue.drain()).toBe(3)
  // First together, then one by one, so only the second is left.
  expect(calls[0]).toEqual([1, 2, 3])
  expect(calls.slice(1).sort()).toEqual([[1], [2], [3]])
  expect(await rows()).toMatchObject([{ kind: 'count', attempts: 1 }])
  expect(said.map(({ message }) => message)).toEqual([
    'Jobs failed together and are run one by one',
    'A job failed and will be retried',
  ])

  // A task that failed before doesn't take others with it.
  pass(10 * SECOND)
  for (const n of [4, 5, 6, 7, 8, 9]) await queue.enqueue(database, 'count', { n })
  calls.length = 0
  expect(await queue.drain()).toBe(7)
  expect(calls.map(({ length }) => length).sort()).toEqual([1, 2, 4])
  expect(calls).toContainEqual([2])
  expect(await rows()).toMatchObject([{ kind: 'count', attempts: 2 }])
})

test('a failing task is retried with growing delays, and finally put aside', async () => {
  const queue = stillQueue()
  const began = clock.getTime()
  let tries = 0
  queue.handle('mail', async () => {
    tries++
    throw Object.assign(new TypeError('dana@example.com refused'), { code: 'EENVELOPE' })
  })
  await queue.enqueue(database, 'mail', { to: 'dana@example.com' })

  const delays: number[] = []
  for (;;) {
    await queue.drain()
    const delay = await dueIn()
    if (delay === null) break
    delays.push(delay)
    pass(delay - 1)
    expect(await queue.drain()).toBe(0)
    pass(1)
  }
  for (const [i, delay] of delays.entries()) {
    const expected = Math.min(5 * SECOND * 2 ** i, HOUR)
    expect(delay).toBeGreaterThanOrEqual(expected * 0.89)
    expect(delay).toBeLessThanOrEqual(expected * 1.11)
  }
  expect((clock.getTime() - began) / HOUR).toBeGreaterThan(64)
  expect((clock.getTime() - began) / HOUR).toBeLessThan(80)

  // The row stays, without a due time, and no one takes it.
  expect(await rows()).toEqual([{ kind: 'mail', due_at: null, attempts: tries }])
  pass(100 * HOUR)
  expect(await queue.drain()).toBe(0)
  expect(said.filter(({ level }) => level === 'error')).toEqual([
    {
      level: 'error',
      facts: {
        kind: 'mail',
        attempts: tries,
        reason: 'tried-too-often',
        error: { type: 'TypeError', code: 'EENVELOPE', at: expect.any(Array) },
      },
      message: 'Gave up on a job. It won’t be retried',
    },
  ])
  expect(JSON.stringify(said)).not.toContain('dana')
})

test('a made-up error name or code doesn’t reach the log', async () => {
  const queue = stillQueue()
  queue.handle('mail', async () => {
    throw Object.assign(new Error('no'), { name: 'to dana@example.com', code: 'dana@example.com' })
  })
  queue.handle('odd', () => Promise.reject('dana@example.com'))
  await queue.enqueue(database, 'mail', {})
  await queue.enqueue(database, 'odd', {})
  expect(await queue.drain()).toBe(2)
  expect(said).toHaveLength(2)
  expect(JSON.stringify(said)).not.toContain('dana')
})

test('a dead process’s task goes to another when its lease ends', async () => {
  const dying = stillQueue()
  const living = stillQueue()
  let finishLate = () => {}
  dying.handle(
    'mail',
    () =>
      new Promise((resolve) => {
        finishLate = resolve
      }),
  )
  let done = 0
  living.handle('mail', async () => {
    done++
    throw new Error('not yet')
  })
  await dying.enqueue(database, 'mail', {})
  const stuck = dying.drain()
  await until(async () => (await rows())[0]?.attempts === 1)
  expect(await living.drain()).toBe(0)
  pass(2 * MINUTE + 1)
  expect(await living.drain()).toBe(1)
  expect(done).toBe(1)

  // The slow process finishes, but mustn't touch the task, which another process has taken.
  finishLate()
  await stuck
  expect(await rows()).toMatchObject([{ attempts: 2 }])
})

slow.test('a task that outlasts its lease stays with its process', async () => {
  let times = 0
  const queues = [0, 1].map(() => {
    const queue = createQueue(database, { pollMs: 50, leaseMs: 3_000, log })
    queue.handle('slow', async () => {
      times++
      await new Promise((resolve) => setTimeout(resolve, 7_000))
    })
    return queue
  }) as [Queue, Queue]
  await queues[0].enqueue(database, 'slow', {})
  await withStarted(queues, () => until(async () => (await rows()).length === 0))
  expect(times).toBe(1)
})

test('a task that would always fail is given up on the first try, with its reason and the day', async () => {
  const queue = stillQueue()
  let tries = 0
  queue.handle('mail', async () => {
    tries++
    throw Object.assign(new Error('no such mailbox'), { giveUp: 'refused-address' })
  })
  await queue.enqueue(database, 'mail', {})
  expect(await queue.drain()).toBe(1)
  pass(100 * HOUR)
  expect(await queue.drain()).toBe(0)
  expect(tries).toBe(1)
  expect(await database.query(sql`select due_at, given_up, given_up_on from job_queue`)).toEqual([
    { due_at: null, given_up: 'refused-address', given_up_on: '2026-03-14' },
  ])
  expect(said.map(({ level }) => level)).toEqual(['error'])
})

test('a task that may have run is retried after an hour, and three times at most', async () => {
  const queue = stillQueue()
  const tries: { id: string; attempt: number }[] = []
  queue.handle('mail', async (_payload, _db, job) => {
    tries.push(job)
    throw Object.assign(new Error('gone'), { unsure: 'may-have-arrived' })
  })
  await queue.enqueue(database, 'mail', {})
  expect(await queue.drain()).toBe(1)
  for (let i = 0; i < 2; i++) {
    expect(await dueIn()).toBeGreaterThanOrEqual(0.9 * HOUR)
    expect(await dueIn()).toBeLessThanOrEqual(1.1 * HOUR)
    pass(0.9 * HOUR - 1)
    expect(await queue.drain()).toBe(0)
    pass(0.2 * HOUR + 1)
    expect(await queue.drain()).toBe(1)
  }
  expect(tries).toHaveLength(3)
  // Whoever writes the mail learns that it's the same one.
  expect(new Set(tries.map(({ id }) => id)).size).toBe(1)
  expect(await database.query(sql`select due_at, given_up from job_queue`)).toEqual([
    { due_at: null, given_up: 'may-have-arrived' },
  ])
})

test('a process whose clock is 40 days ahead parks neither its own work nor others’', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 40 * DAY })
  try {
    const queue = createQueue(database, { log })
    let isBroken = true
    queue.handle('mail', async () => {
      if (isBroken) throw new Error('not yet')
    })
    queue.every('tidy', HOUR, async () => {})
    await queue.enqueue(database, 'mail', {})
    expect(await queue.drain()).toBe(2)
    const ahead = await database.query<{ kind: string; seconds: number }>(sql`
      select kind, extract(epoch from due_at - now())::float8 as seconds
        from job_queue order by kind`)
    expect(ahead.map(({ kind }) => kind)).toEqual(['mail', 'tidy'])
    expect(ahead[0]?.seconds).toBeLessThan(10)
    expect(ahead[1]?.seconds).toBeLessThanOrEqual(3600)
    isBroken = false
    await database.query(sql`update job_queue set due_at = now() where kind = 'mail'`)
    expect(await queue.drain()).toBe(1)
  } finally {
    vi.useRealTimers()
  }
})

test('a task written by a clock 40 days ahead is due in time, once someone looks', async () => {
  const queue = stillQueue()
  let rounds = 0
  let isMailed = false
  let isBroken = true
  queue.every('tidy', HOUR, async () => void rounds++)
  queue.handle('mail', async () => {
    if (isBroken) throw new Error('not yet')
    isMailed = true
  })
  expect(await queue.drain()).toBe(1)
  pass(40 * DAY)
  await queue.enqueue(database, 'mail', {})
  expect(await queue.drain()).toBe(2)
  await database.query(
    sql`insert into job_queue (kind, due_at) values ('mail', ${clock.toISOString()})`,
  )
  pass(8 * SECOND - 40 * DAY)
  isBroken = false

  expect(await queue.drain()).toBe(0)
  // Both mails wait for a lease, because another process may be sending them.
  pass(2 * MINUTE)
  expect(await queue.drain()).toBe(2)
  expect(isMailed).toBe(true)
  expect(rounds).toBe(2)
  pass(58 * MINUTE)
  expect(await queue.drain()).toBe(1)
  expect(rounds).toBe(3)
})

test('recurring tasks wait while their process’s clock jumps, and other tasks don’t', async () => {
  let isSteady = true
  const queue = createQueue(database, { now, log, isClockSteady: () => isSteady })
  const done: string[] = []
  queue.every('sweep', HOUR, async () => void done.push('sweep'))
  queue.handle('mail', async () => void done.push('mail'))
  await queue.drain()
  isSteady = false
  pass(40 * DAY)
  await queue.enqueue(database, 'mail', {})
  await queue.drain()
  await queue.drain()
  expect(done).toEqual(['sweep', 'mail'])
  expect(said.map(({ message }) => message)).toEqual([
    'The clock has jumped. Recurring jobs are paused until it’s steady',
  ])
  isSteady = true
  await queue.drain()
  expect(done).toEqual(['sweep', 'mail', 'sweep'])
})

test('a task that crashes its process again and again is put aside', async () => {
  const queue = stillQueue()
  let tries = 0
  queue.handle('poison', async () => void tries++)
  await queue.enqueue(database, 'poison', {})
  await database.query(sql`update job_queue set attempts = 81`)
  expect(await queue.drain()).toBe(1)
  expect(tries).toBe(0)
  expect(await rows()).toMatchObject([{ due_at: null }])
})

test('two processes never do a task at once, and each task runs once', async () => {
  const times = new Map<number, number>()
  const by = [0, 0]
  let atOnce = 0
  let mostAtOnce = 0
  const queues = [0, 1].map((who) => {
    const queue = createQueue(database, { pollMs: 50, log })
    queue.handle('count', async ({ n }: { n: number }) => {
      mostAtOnce = Math.max(mostAtOnce, ++atOnce)
      times.set(n, (times.get(n) ?? 0) + 1)
      by[who] = (by[who] ?? 0) + 1
      await new Promise((resolve) => setTimeout(resolve, 2))
      atOnce--
    })
    return queue
  }) as [Queue, Queue]
  await database.transaction(async (db) => {
    for (let n = 0; n < 200; n++) await queues[0].enqueue(db, 'count', { n })
  })
  await withStarted(queues, () => until(async () => (await rows()).length === 0))
  expect(times.size).toBe(200)
  expect([...times.values()].every((n) => n === 1)).toBe(true)
  // The test only means something if both took part.
  expect(Math.min(...by)).toBeGreaterThan(10)
  expect(mostAtOnce).toBeGreaterThan(1)
  expect(mostAtOnce).toBeLessThanOrEqual(4)
  expect(said).toEqual([])
})

test('a task of an unknown kind waits for a version that knows it', async () => {
  const old = stillQueue()
  old.handle('greet', async () => {})
  await old.enqueue(database, 'greet-by-name', {})
  expect(await old.drain()).toBe(0)
  expect(await rows()).toMatchObject([{ kind: 'greet-by-name', attempts: 0 }])
  const young = stillQueue()
  young.handle('greet-by-name', async () => {})
  expect(await young.drain()).toBe(1)
})

test('a recurring task runs once per interval, in whichever process', async () => {
  let times = 0
  const queues = [stillQueue(), stillQueue()]
  for (const queue of queues) queue.every('tidy', HOUR, async () => void times++)
  const drainAll = () => Promise.all(queues.map((queue) => queue.drain()))
  await drainAll()
  expect(times).toBe(1)
  pass(HOUR - 1)
  await drainAll()
  expect(times).toBe(1)
  pass(1)
  await drainAll()
  expect(times).toBe(2)
  expect(await rows()).toMatchObject([{ kind: 'tidy', attempts: 0 }])
  // A version with a shorter interval doesn't wait for the old one.
  const young = stillQueue()
  young.every('tidy', 10 * MINUTE, async () => void times++)
  await young.drain()
  expect(await dueIn()).toBe(10 * MINUTE)
})

test('a recurring task that fails is retried, and never given up', async () => {
  const queue = stillQueue()
  let times = 0
  queue.every('tidy', MINUTE, async () => {
    times++
    if (times < 100) throw new Error('not today')
  })
  for (let i = 0; i < 100; i++) {
    expect(await queue.drain()).toBe(1)
    expect(await dueIn()).toBeLessThanOrEqual(MINUTE)
    pass(MINUTE)
  }
  expect(await rows()).toMatchObject([{ attempts: 0 }])
  expect(said.some(({ level }) => level === 'error')).toBe(false)
})

test('a stopping queue waits for its running task and takes no other', async () => {
  const queue = createQueue(database, { log, concurrency: 1 })
  const done: unknown[] = []
  let hasBegun = false
  queue.handle('slow', async ({ n }: { n: number }) => {
    hasBegun = true
    await new Promise((resolve) => setTimeout(resolve, 150))
    done.push(n)
  })
  for (const n of [1, 2]) await queue.enqueue(database, 'slow', { n })
  queue.start()
  await until(() => hasBegun)
  await queue.stop()
  expect(done).toHaveLength(1)
  expect(await rows()).toMatchObject([{ attempts: 0 }])
})

test('an idle queue asks the database one question per poll', async () => {
  const { counted, questions } = countingQuestions()
  const queue = createQueue(counted, { pollMs: 150, log })
  queue.handle('greet', async () => {})
  const began = performance.now()
  await withStarted([queue], async () => {
    await until(() => questions() > 3)
    // A poll takes at least two thirds of its interval.
    expect(questions()).toBeLessThanOrEqual((performance.now() - began) / 100 + 1)
  })
})

test('the queue reports once that the database is away, and continues', async () => {
  let isAway = true
  const shaky = {
    ...database,
    query: <Row>(statement: Parameters<OpenDatabase['query']>[0]) =>
      isAway
        ? Promise.reject(Object.assign(new Error('secret host'), { code: 'ECONNREFUSED' }))
        : database.query<Row>(statement),
  }
  const queue = createQueue(shaky, { pollMs: 20, log })
  let done = 0
  queue.every('tidy', HOUR, async () => void done++)
  await withStarted([queue], async () => {
    await new Promise((resolve) => setTimeout(resolve, 200))
    isAway = false
    await until(() => done === 1)
  })
  expect(said).toEqual([
    {
      level: 'error',
      facts: { error: expect.objectContaining({ type: 'Error', code: 'ECONNREFUSED' }) },
      message: 'The job queue can’t reach the database',
    },
  ])
})

test('a mail server that’s down loses nothing, and each mail comes once when it’s back', async () => {
  const server = await startMailServer()
  const { port } = server
  await server.stop()
  const mailer = createMailer({
    smtpUrl: server.url,
    from: 'Kettle <no-reply@kettle.example>',
    outboxFolder: '/nowhere',
  })
  const queue = stillQueue()
  queue.handle('mail', ({ to }: { to: string }) =>
    mailer.send({ to, subject: 'Tea is ready', text: 'Come', html: '<p>Come</p>' }),
  )
  await queue.enqueue(database, 'mail', { to: 'dana@example.com' })
  await queue.drain()
  pass(10 * SECOND)
  await queue.drain()
  expect(await rows()).toMatchObject([{ attempts: 2 }])
  expect(JSON.stringify(said)).not.toContain('dana')

  const again = await startMailServer({ port })
  try {
    pass(HOUR)
    expect(await queue.drain()).toBe(1)
    expect((await again.next()).to).toEqual(['dana@example.com'])
    pass(HOUR)
    expect(await queue.drain()).toBe(0)
    expect(again.mails).toHaveLength(1)
    expect(await rows()).toEqual([])
  } finally {
    mailer.close()
    await again.stop()
  }
})
