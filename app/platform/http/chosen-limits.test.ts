import { expect, test } from 'vitest'
import type { ChannelState, OpenDatabase } from '../database/database.server.ts'
import { chosenUses, followChosenLimits } from './chosen-limits.server.ts'

test('what was chosen while a process heard nothing holds there as soon as it hears again', async () => {
  let hear = (_: ChannelState) => {}
  const db = {
    query: async () => [{ name: 'kettles', uses: 3 }],
    listen: async () => {},
    news: {
      onChange(watch: typeof hear) {
        hear = watch
      },
    },
  } as unknown as OpenDatabase
  await followChosenLimits(db)
  hear('deaf')
  expect(chosenUses('kettles')).toBeUndefined()
  hear('ok')
  await expect.poll(() => chosenUses('kettles')).toBe(3)
})
