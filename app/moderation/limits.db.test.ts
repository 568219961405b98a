/** Limits that whoever runs the site chooses, on a real database. */

import { afterEach, expect, test } from 'vitest'
import { readChosenLimits } from '#app/platform/http/chosen-limits.server.ts'
import { createRateLimit } from '#app/platform/http/rate-limits.server.ts'
import { withDatabase } from '#tests/support/database.ts'
import { chooseLimit, postingLimits } from './tool-commands.server.ts'

const { as } = withDatabase()
afterEach(() => as('ada', ({ db }) => readChosenLimits(db)))

test('ours hold until Ada chooses; hers hold at once and in each process, and ours again with one press', () =>
  as('ada', async (ada) => {
    const limit = createRateLimit({ name: 'threads-unproven', uses: 1, seconds: 600, isOn: true })
    expect(await limit.use('vera')).toBeUndefined()
    expect(await limit.use('vera')).toBeGreaterThan(0)

    expect(await chooseLimit(ada, 'threads-unproven', 3)).toMatchObject({ uses: 3, usual: 1 })
    // As every process does that hears of it.
    await readChosenLimits(ada.db)
    for (const each of ['first', 'second', 'third'])
      expect([each, await limit.use('wim')]).toEqual([each, undefined])
    expect(await limit.use('wim')).toBeGreaterThan(0)
    expect((await postingLimits(ada)).filter(({ uses, usual }) => uses !== usual)).toEqual([
      {
        name: 'threads-unproven',
        what: 'Threads',
        of: 'visitor',
        seconds: 600,
        usual: 1,
        uses: 3,
      },
    ])

    expect(await chooseLimit(ada, 'threads-unproven', null)).toMatchObject({ uses: 1 })
    await readChosenLimits(ada.db)
    expect(await limit.use('zoe')).toBeUndefined()
    expect(await limit.use('zoe')).toBeGreaterThan(0)
  }))

test('a limit that there is not is refused', () =>
  as('ada', async (ada) => {
    await expect(chooseLimit(ada, 'passwords', 9_000)).rejects.toMatchObject({ status: 404 })
  }))
