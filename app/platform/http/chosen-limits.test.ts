import { expect, test, vi } from 'vitest'
import type { ChannelState, OpenDatabase } from '../database/database.server.ts'
import { chosenUses, followChosenLimits } from './chosen-limits.server.ts'

function process(query: () => Promise<unknown>) {
  let hear = (_: ChannelState) => {}
  const db = {
    query,
    listen: async () => {},
    eventChannel: {
      onChange(watch: typeof hear) {
        hear = watch
      },
    },
  } as unknown as OpenDatabase
  return { db, hears: (state: ChannelState) => hear(state) }
}

test('a limit changed while a process was cut off applies once it’s back', async () => {
  const { db, hears } = process(async () => [{ name: 'kettles', uses: 3 }])
  await followChosenLimits(db, () => {})
  hears('deaf')
  expect(chosenUses('kettles')).toBeUndefined()
  hears('ok')
  await expect.poll(() => chosenUses('kettles')).toBe(3)
})

test('a process that can’t read the chosen limits logs it and retries', async () => {
  vi.useFakeTimers()
  const busy = new Error('busy')
  const query = vi
    .fn()
    .mockRejectedValueOnce(busy)
    .mockResolvedValue([{ name: 'pots', uses: 2 }])
  const { db, hears } = process(query)
  const onFailure = vi.fn()
  await followChosenLimits(db, onFailure)
  hears('ok')
  await vi.runAllTimersAsync()
  expect(chosenUses('pots')).toBe(2)
  expect(onFailure.mock.calls).toEqual([[busy]])
  vi.useRealTimers()
})
