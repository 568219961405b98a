/** The nightly run: once a night, in one process at a time. After an interruption, it continues. */
import sql from 'sql-template-tag'
import { afterEach, describe, expect, test } from 'vitest'
import { withDatabase } from '#tests/support/database.ts'
import { runNightly } from './nightly-run.server.ts'

const { outside } = withDatabase()
afterEach(() => outside().query(sql`delete from nightly_run`))

const lines: object[] = []
const log = {
  info: (facts: object) => lines.push(facts),
  warn: (facts: object) => lines.push(facts),
}
const at = (moment: string) => ({ now: () => new Date(moment), at: '03:30', log })
afterEach(() => lines.splice(0))

/** Steps that record that they ran. */
function steps(names: string[], then: Record<string, () => unknown> = {}) {
  const ran: string[] = []
  return {
    ran,
    all: names.map((name) => ({
      name,
      run: async () => {
        ran.push(name)
        await then[name]?.()
      },
    })),
  }
}

describe('the nightly run', () => {
  test('the nightly run does its steps in order, once a night, and says so in one line', async () => {
    const { ran, all } = steps(['publish', 'reorder'])
    await runNightly(outside(), all, at('2026-03-14T03:31'))
    await runNightly(outside(), all, at('2026-03-14T03:32'))
    await runNightly(outside(), all, at('2026-03-15T03:29'))
    expect(ran).toEqual(['publish', 'reorder'])
    expect(lines).toEqual([
      { night: '2026-03-14', ms: { publish: expect.any(Number), reorder: expect.any(Number) } },
    ])
    await runNightly(outside(), all, at('2026-03-15T03:30'))
    expect(ran).toHaveLength(4)
  })

  test('the nightly run catches up on a missed night once', async () => {
    const { ran, all } = steps(['publish'])
    await runNightly(outside(), all, at('2026-03-14T03:31'))
    await runNightly(outside(), all, at('2026-03-18T17:00'))
    expect(ran).toHaveLength(2)
    await runNightly(outside(), all, at('2026-03-19T03:30'))
    expect(ran).toHaveLength(3)
  })

  test('the nightly run retries a failed step without holding up the others', async () => {
    let isBroken = true
    const { ran, all } = steps(['publish', 'reorder', 'clear'], {
      reorder: () => {
        if (isBroken) throw new Error('somebody reads for long')
      },
    })
    await expect(runNightly(outside(), all, at('2026-03-14T03:31'))).rejects.toThrow(
      'reads for long',
    )
    isBroken = false
    await runNightly(outside(), all, at('2026-03-14T03:32'))
    expect(ran).toEqual(['publish', 'reorder', 'clear', 'reorder'])
    await runNightly(outside(), all, at('2026-03-14T03:33'))
    expect(ran).toHaveLength(4)
  })

  test('the nightly run stops before its next step if another process took over', async () => {
    const other = steps(['publish', 'reorder'])
    const first = steps(['publish', 'reorder'], {
      // The first pauses for long, and the other takes over.
      publish: () => runNightly(outside(), other.all, at('2026-03-14T03:40')),
    })
    await runNightly(outside(), first.all, at('2026-03-14T03:31'))
    expect(first.ran).toEqual(['publish'])
    expect(other.ran).toEqual(['publish', 'reorder'])
    expect(lines).toHaveLength(1)
  })
})
