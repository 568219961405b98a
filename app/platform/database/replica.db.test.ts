import { setTimeout as pause } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cluster, findPostgres, startPostgres } from '#tests/support/postgres-cluster.ts'
import { type Standby, startStandby } from '#tests/support/standby.ts'
import type { OpenDatabase } from './database.server.ts'
import { openPostgres } from './postgres.server.ts'
import { createReplica, type Replica } from './replica.server.ts'

/** The site brings no pg_basebackup along. */
const canStand = findPostgres() !== null

describe.runIf(canStand)('a standby', () => {
  let cluster: Cluster
  let standby: Standby
  let primary: OpenDatabase
  let replica: Replica
  let clock = 0

  beforeAll(async () => {
    // Positions are those of commits that are on the disk, as in earnest.
    cluster = await startPostgres({
      programs: findPostgres(),
      settings: { synchronous_commit: 'on' },
    })
    primary = await openPostgres({ url: cluster.url, connections: 4 })
    await primary.script('create table notes (text text)')
    standby = await startStandby(cluster.url)
    replica = createReplica(primary, { url: standby.url, connections: 2, now: () => clock })
    await untilStandbyAnswers()
  })
  afterAll(async () => {
    await replica?.close()
    await primary?.close()
    await standby?.close()
    await cluster?.stop()
  })

  const notes = async () => {
    const rows = await replica.reads.query<{ text: string }>(sql`select text from notes`)
    return rows.map(({ text }) => text)
  }
  /** The server that answers a read. */
  const answering = async () => {
    const { standby } = replica.figures
    await notes()
    return replica.figures.standby > standby ? 'standby' : 'primary'
  }
  async function untilStandbyAnswers(who = 'standby') {
    while ((await answering()) !== who) await pause(20)
  }

  test('a standby answers reads, one by one and in transactions', async () => {
    await primary.query(sql`insert into notes values ('of everybody')`)
    await replica.afterWrite()
    await untilStandbyAnswers()
    expect(await notes()).toEqual(['of everybody'])
    const asked = replica.reads.transaction(async (db) => {
      await db.query(sql`select set_config('work_mem', '8MB', true)`)
      return db.query(sql`select pg_is_in_recovery() as "isStandby"`)
    })
    expect(await asked).toEqual([{ isStandby: true }])
  })

  test('a standby isn’t read before it has replayed this process’s deletions', async () => {
    await standby.pause()
    await primary.query(sql`delete from notes`)
    await replica.afterWrite()
    for (let turn = 0; turn < 5; turn++) {
      expect(await notes()).toEqual([])
      expect(await answering()).toBe('primary')
    }
    await standby.resume()
    await untilStandbyAnswers()
    expect(await notes()).toEqual([])
  })

  test('a standby isn’t read before it has replayed a change that another process announced', async () => {
    await standby.pause()
    await primary.query(sql`insert into notes values ('told')`)
    replica.heard()
    for (let turn = 0; turn < 5; turn++) {
      expect(await answering()).toBe('primary')
      expect(await notes()).toContain('told')
    }
    await standby.resume()
    await untilStandbyAnswers()
    expect(await notes()).toContain('told')
    await primary.query(sql`delete from notes`)
    await replica.afterWrite()
    await untilStandbyAnswers()
  })

  test('a standby isn’t read once it’s more than five seconds behind', async () => {
    await standby.pause()
    await primary.query(sql`insert into notes values ('nobody told of it')`)
    expect(await answering()).toBe('standby')
    // Each look at the primary finds the note there, and soon one of them is old.
    while ((await answering()) === 'standby') {
      clock += 3_000
      await pause(100)
    }
    expect(await notes()).toEqual(['nobody told of it'])
    await standby.resume()
    await untilStandbyAnswers()
    expect(await notes()).toEqual(['nobody told of it'])
  })

  test('a standby can crash during a read without anyone noticing, and is used again when it’s back', async () => {
    let isOver = false
    const readers = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!isOver) expect(await notes()).toEqual(['nobody told of it'])
      }),
    )
    await standby.crash()
    await untilStandbyAnswers('primary')
    await standby.startAgain()
    await untilStandbyAnswers()
    isOver = true
    await readers
  })

  test('a standby’s read isn’t retried if the query itself is wrong', async () => {
    const { primary: before } = replica.figures
    await expect(replica.reads.query(sql`select nothing from nowhere`)).rejects.toThrow('nowhere')
    expect(replica.figures.primary).toBe(before)
  })

  test('a standby leaves writes to the primary', async () => {
    await replica.reads.query(sql`insert into notes values ('written')`)
    await replica.afterWrite()
    expect(await notes()).toContain('written')
  })
})
