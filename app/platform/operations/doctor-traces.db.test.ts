import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { slow } from '#tests/support/amounts.ts'
import { openInside, withDatabase } from '#tests/support/database.ts'
import { migrate } from '../database/migrate.server.ts'
import { findingLines } from './doctor.server.ts'
import { traceFindings } from './doctor-database.server.ts'

const { as } = withDatabase()

test('the doctor reports a missed night, and how to find out why', () =>
  as('olga', async ({ db }) => {
    await db.query(sql`
      insert into nightly_run (done_until) values (current_date - 1)`)
    expect(findingLines(await traceFindings(db)).join('\n')).not.toMatch(/nightly run/)
    await db.query(sql`update nightly_run set done_until = current_date - 5`)
    expect(findingLines(await traceFindings(db)).join('\n')).toMatch(
      /problem .*last nightly run was 5 days ago/,
    )
  }))

slow.test('DATA_DIR’s database keeps nothing of the day', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'kettle-traces-'))
  const db = await openInside(dataDir)
  try {
    await migrate(db)
    expect(findingLines(await traceFindings(db))).toEqual([
      expect.stringMatching(/^ok .*Nothing outside the tables/),
    ])
  } finally {
    await db.close()
    await rm(dataDir, { recursive: true })
  }
})

test('the doctor says how to fix a log that’s kept, and a user who can’t end it', () =>
  as('olga', async ({ db }) => {
    const role = `traces_${process.pid}`
    await db.script(`create role ${role}; grant select on nightly_run to ${role}`)
    await db.script(`set local role ${role}`)
    const told = findingLines(await traceFindings(db)).join('\n')
    expect(told).toMatch(/warning .* alter system set wal_recycle = off/)
    expect(told).toMatch(/warning .* grant pg_checkpoint to USER/)
    expect(told).toMatch(/problem .* grant create on database/)
  }))
