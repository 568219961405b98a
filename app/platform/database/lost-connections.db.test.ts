import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { slow } from '#tests/support/amounts.ts'
import { openCopy } from '#tests/support/database.ts'
import { databaseAt } from '#tests/support/postgres-cluster.ts'
import { startWire, type Wire } from '#tests/support/wire.ts'
import { isOutcomeUnknown, isUnavailable } from '../http/unavailable.ts'
import { type Database, type OpenDatabase, PREPARED } from './database.server.ts'
import { openPostgres } from './postgres.server.ts'

describe('a lost connection', () => {
  let database: OpenDatabase & { url: string }
  let other: OpenDatabase
  beforeAll(async () => {
    database = await openCopy('template0')
    other = await openPostgres({ url: database.url, connections: 1 })
    await database.script('create table notes (text text unique)')
  })
  afterAll(async () => {
    await other?.close()
    await database?.close()
  })

  const backendOf = async (db: Database) =>
    (await db.query<{ pid: number }>(sql`select pg_backend_pid() as pid`))[0]?.pid as number
  const terminate = async (pid: number) => {
    await other.query(sql`select pg_terminate_backend(${pid}, 5000)`)
    // Its last word reaches us by itself, with no statement in hand.
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const notes = async (text: string) =>
    (await other.query(sql`select from notes where text = ${text}`)).length
  const errorOf = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error) => error,
    )

  test('a lost connection ends its own transaction and nothing else', async () => {
    const error = await errorOf(
      database.transaction(async (db) => {
        await db.query(sql`insert into notes values ('half')`)
        await terminate(await backendOf(db))
        await db.query(sql`insert into notes values ('other half')`)
      }),
    )
    expect(isUnavailable(error)).toBe(true)
    expect(await notes('half')).toBe(0)
    await database.transaction((db) => db.query(sql`insert into notes values ('after')`))
    expect(await notes('after')).toBe(1)
  })

  test('a connection lost in a savepoint ends the whole transaction, even if its error is caught', async () => {
    const error = await errorOf(
      database.transaction(async (db) => {
        await db.query(sql`insert into notes values ('outer')`)
        await db.transaction(async (db) => terminate(await backendOf(db))).catch(() => {})
        await db.query(sql`select 1`).catch(() => {})
      }),
    )
    expect(isUnavailable(error)).toBe(true)
    expect(isOutcomeUnknown(error)).toBe(false)
    expect(await notes('outer')).toBe(0)
  })

  test('a lost connection doesn’t hide why the work failed', async () => {
    await expect(
      database.transaction(async (db) => {
        await terminate(await backendOf(db))
        throw new Error('changed my mind')
      }),
    ).rejects.toThrow('changed my mind')
    expect(await database.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
  })

  test('a lost connection says so outside a transaction, and the next statement gets a new one', async () => {
    const failing = errorOf(database.query(sql`select pg_terminate_backend(pg_backend_pid())`))
    expect(isUnavailable(await failing)).toBe(true)
    expect(await database.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
  })

  describe('at the commit', () => {
    let wire: Wire
    let behind: OpenDatabase
    beforeAll(async () => {
      wire = await startWire(database.url)
      behind = await openPostgres({ url: wire.through(database.url), connections: 2 })
    })
    afterAll(async () => {
      await behind?.close()
      await wire?.stop()
    })

    test('a connection lost at the commit leaves the outcome unknown, and the after-commit work runs', async () => {
      let follows = 0
      wire.cutsAnswerTo((sent) => sent.includes('commit'))
      const error = await errorOf(
        behind.transaction(async (db) => {
          db.afterCommit(() => follows++)
          await db.query(sql`insert into notes values ('who knows')`)
        }),
      )
      wire.cutsAnswerTo(() => false)
      expect(isOutcomeUnknown(error)).toBe(true)
      expect(follows).toBe(1)
      // No one got a response, but the row may still be there, and it is, once.
      await expect.poll(() => notes('who knows')).toBe(1)
    })

    test('a connection lost during a single write leaves the outcome unknown, too', async () => {
      wire.cutsAnswerTo((sent) => sent.includes('who else'))
      const writing = errorOf(behind.query(sql`insert into notes values ('who else')`))
      expect(isOutcomeUnknown(await writing)).toBe(true)
      const reading = errorOf(behind.query(sql`select 'who else'`))
      expect(isOutcomeUnknown(await reading)).toBe(false)
      wire.cutsAnswerTo(() => false)
      expect(isUnavailable(await reading)).toBe(true)
    })
  })

  test('a demoted primary counts as unavailable', async () => {
    let pid = 0
    const error = await errorOf(
      database.transaction(async (db) => {
        pid = await backendOf(db)
        await db.query(sql`set transaction read only`)
        await db.query(sql`insert into notes values ('too late')`)
      }),
    )
    expect(isUnavailable(error)).toBe(true)
    await expect
      .poll(() => other.query(sql`select from pg_stat_activity where pid = ${pid}`))
      .toEqual([])
  })

  test('a timeout isn’t a bug, and refusals and errors stay what they are', async () => {
    const slow = await errorOf(
      database.transaction(async (db) => {
        await db.query(sql`set local statement_timeout = 50`)
        await db.query(sql`select pg_sleep(10)`)
      }),
    )
    expect(isUnavailable(slow)).toBe(true)
    const twice = await errorOf(database.query(sql`insert into notes values ('twice'), ('twice')`))
    expect(twice).toMatchObject({ code: '23505', constraint: 'notes_text_key' })
    expect(isUnavailable(await errorOf(database.query(sql`select nonsense`)))).toBe(false)
  })

  test('an ignored failed statement isn’t reported as a commit', async () => {
    await expect(
      database.transaction(async (db) => {
        await db.query(sql`insert into notes values ('believed')`)
        await db.query(sql`select nonsense`).catch(() => {})
      }),
    ).rejects.toThrow('nothing was saved')
    expect(await notes('believed')).toBe(0)
  })
})

describe('the connection that receives events', () => {
  let database: OpenDatabase & { url: string }
  let wire: Wire
  beforeAll(async () => {
    database = await openCopy('template0')
    wire = await startWire(database.url)
  })
  afterAll(async () => {
    await database?.close()
    await wire?.stop()
  })

  const tell = (channel: string, word: string) =>
    database.query(sql`select pg_notify(${channel}, ${word})`)
  const listeners = async () =>
    (
      await database.query<{ pid: number }>(sql`
        select pid from pg_stat_activity
         where application_name = 'kettle live' and datname = current_database()`)
    ).map(({ pid }) => pid)

  async function hearing(listenUrl: string) {
    const db = await openPostgres({ url: database.url, listenUrl, connections: 2 })
    const events: (string | undefined)[] = []
    db.eventChannel.onChange((state) => events.push(`is ${state}`))
    for (const channel of ['first', 'second'])
      await db.listen(channel, (word) => events.push(word && `${channel}: ${word}`))
    return { db, events }
  }

  test('the event connection serves all channels, which learn when it’s lost and back', async () => {
    const { db, events } = await hearing(database.url)
    const [own, ...others] = await listeners()
    expect(others).toEqual([])
    await tell('first', 'a')
    await tell('second', 'b')
    await expect.poll(() => events).toEqual(['first: a', 'second: b'])
    await database.query(sql`select pg_terminate_backend(${own}, 5000)`)
    await expect.poll(() => db.eventChannel.losses).toBe(1)
    // Back before anybody had to doubt what they keep; but what was said meanwhile was missed.
    await expect.poll(() => events.slice(2)).toEqual([undefined, undefined, 'is ok'])
    await tell('second', 'c')
    await expect.poll(() => events.at(-1)).toBe('second: c')
    await db.close()
  })

  slow.test(
    'the event connection counts as lost when it dies silently, and everyone learns so before it’s back',
    async () => {
      const { db, events } = await hearing(wire.through(database.url))
      wire.goSilent()
      await expect.poll(() => events).toEqual(['is deaf'])
      wire.cut()
      wire.speakAgain()
      await expect.poll(() => events).toEqual(['is deaf', undefined, undefined, 'is ok'])
      await db.close()
    },
  )

  test('the event connection raises no doubt if it’s refused, because then no one writes', async () => {
    const { db, events } = await hearing(wire.through(database.url))
    wire.refuse()
    await expect.poll(() => events[0]).toBe('is refused')
    // The site writes in another way here, which continues.
    expect(await db.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
    wire.speakAgain()
    await expect.poll(() => events.at(-1)).toBe('is ok')
    await db.close()
  })

  slow.test(
    'an event connection that receives nothing, as with some poolers, is a setting error',
    async () => {
      const db = await openPostgres({
        url: database.url,
        listenUrl: databaseAt(database.url, 'postgres'),
      })
      await expect(db.listen('first', () => {})).rejects.toThrow(/DATABASE_LISTEN_URL/)
      await db.close()
    },
  )
})

test('a pooler’s sessions must be in UTC, because they can’t be set to it', async () => {
  const database = await openCopy('template0')
  const name = new URL(database.url).pathname.slice(1)
  await database.script(`alter database ${name} set timezone = 'Europe/London'`)
  const settings = { url: database.url, hasDatabaseStatementNames: false }
  await expect(openPostgres(settings)).rejects.toThrow(/DATABASE_URL use Europe\/London/)
  await database.script(`alter database ${name} set timezone = 'Etc/UTC'`)
  const db = await openPostgres(settings)
  await db.query(sql`select 1`, PREPARED)
  expect(await db.query(sql`select name from pg_prepared_statements`)).toEqual([])
  await db.close()
  await database.close()
})
