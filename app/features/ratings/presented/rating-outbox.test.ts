/** What is given from a browser is sent by itself, and nothing of it is lost on the way. */
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepHolder } from '../../credentials/holder.data.ts'
import { changeRated, ratedBy, sendLater } from '../../credentials/rated.data.ts'
import { startOutbox } from './rating-outbox.data.ts'

const DANA = 'dana'
const ACME = { id: '00000000-0000-4000-8000-000000000001', name: 'Acme', path: '/acme' }
const MINUTES = 3 * 60_000

let asked: string[] = []
/** Of the account, and of whoever asks without saying who. */
let answers: number[] = []

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-03-14T12:00:00Z') })
  asked = []
  answers = []
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('removeEventListener', () => {})
  vi.stubGlobal('navigator', {})
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    asked.push(`${method} ${url}`)
    const status = answers.shift() ?? 200
    return new Response(JSON.stringify(status === 200 ? { isRemoved: true } : {}), { status })
  })
  keepHolder(DANA, { m1: 'a'.repeat(43), r: 'b'.repeat(43) })
})

afterEach(() => {
  changeRated(DANA, ACME.id, () => undefined)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const start = () =>
  startOutbox({
    queryClient: new QueryClient(),
    member: {
      who: DANA,
      api: (async (endpoint: string) => {
        asked.push(`as dana ${endpoint}`)
        return { isRemoved: true }
      }) as never,
    },
  })

const REMOVAL = `POST /api/v1/companies/${ACME.id}/held-rating/remove`

test('a rating that is taken back goes some time later, and is tried again until it arrives', async () => {
  answers = [503, 429, 200]
  sendLater(DANA, ACME, { rating: null, formerIds: [] })
  const stop = start()
  await vi.advanceTimersByTimeAsync(14_000)
  expect(asked).toEqual([])
  await vi.advanceTimersByTimeAsync(3 * MINUTES)
  expect(asked).toEqual([REMOVAL, REMOVAL, REMOVAL])
  expect(ratedBy(DANA)).toEqual({})
  stop()
})

test('what was given under the account goes, too, when the one that took its place is taken back', async () => {
  sendLater(DANA, ACME, { rating: null, formerIds: [], replacesOld: true })
  const stop = start()
  await vi.advanceTimersByTimeAsync(2 * MINUTES)
  expect(asked).toEqual([REMOVAL, 'as dana DELETE /api/v1/companies/{id}/my-rating'])
  stop()
})

test('what is refused stays, with the reason, and is not sent again', async () => {
  answers = [410]
  sendLater(DANA, ACME, { rating: null, formerIds: [] })
  const stop = start()
  await vi.advanceTimersByTimeAsync(3 * MINUTES)
  expect(asked).toEqual([REMOVAL])
  expect(ratedBy(DANA)[ACME.id]?.outgoing?.problem).toEqual(expect.any(String))
  stop()
})
