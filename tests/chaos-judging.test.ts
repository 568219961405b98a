/** Whether the checker of `npm run chaos` judges responses, reads and logs correctly. */
import { expect, test } from 'vitest'
import { openBook, type Post, type Read, type Spell } from './chaos/book.ts'
import { chanceOf } from './chaos/chance.ts'
import { complaintAbout } from './chaos/sending.ts'
import { shownAfterDeletion } from './chaos/shown-after-deletion.ts'
import { complaintAboutLine } from './chaos/stage.ts'

const GONE_AT = 10_000

const thread = (gone: Post['gone']) => ({ kind: 'thread', mark: 'tm1', gone }) as Post
const readAt = (site: number, started: number): Read => ({
  site,
  started,
  what: 'GET /thread/:id',
  ended: started + 5,
  marks: ['tm1'],
})

/** Process 0 acknowledged the thread's deletion. */
const seen = (reads: Read[], spells: Spell[] = []) =>
  shownAfterDeletion({
    posts: [thread({ at: GONE_AT, site: 0, how: 'deleted' })],
    reads,
    spells,
  }).map(({ sentence }) => sentence)

test('a read from before the acknowledgment can show the thread', () => {
  expect(seen([readAt(0, GONE_AT - 1), readAt(1, GONE_AT + 999)])).toEqual([])
})

test('the process that acknowledged a deletion stops showing the thread at once', () => {
  expect(seen([readAt(0, GONE_AT + 1)])).toEqual([
    'A thread that was deleted was seen in the same process: GET /thread/:id',
  ])
})

test('the other process stops showing a deleted thread after a second', () => {
  expect(seen([readAt(1, GONE_AT + 1_001)])).toEqual([
    'A thread that was deleted was seen in the other process: GET /thread/:id',
  ])
})

test('a process that slept has its second when it wakes up, and no more', () => {
  const slept: Spell[] = [{ site: 1, what: 'paused', from: GONE_AT + 500, to: GONE_AT + 4_000 }]
  expect(seen([readAt(1, GONE_AT + 4_900)], slept)).toEqual([])
  expect(seen([readAt(1, GONE_AT + 5_100)], slept)).toHaveLength(1)
})

test('a sleep that was over before excuses nothing', () => {
  const slept: Spell[] = [{ site: 1, what: 'paused', from: 5_000, to: GONE_AT - 1 }]
  expect(seen([readAt(1, GONE_AT + 1_001)], slept)).toHaveLength(1)
})

test('a comment goes with its thread', () => {
  const its = thread({ at: GONE_AT, site: 0, how: 'removed' })
  const comment = { kind: 'comment', mark: 'cm1', thread: its } as Post
  const read = { ...readAt(0, GONE_AT + 1), marks: ['cm1'] }
  expect(shownAfterDeletion({ posts: [its, comment], reads: [read], spells: [] })).toMatchObject([
    { sentence: 'A comment that was removed was seen in the same process: GET /thread/:id' },
  ])
})

test('a sensible refusal is no finding, and a failure of ours is one', () => {
  const judge = (status: number, headers = {}) =>
    complaintAbout({ what: 'GET /', allows: [404] }, { status, headers: new Headers(headers) })
  expect([200, 301, 404].map((status) => judge(status))).toEqual([undefined, undefined, undefined])
  expect(judge(503, { 'retry-after': '5' })).toBeUndefined()
  expect(judge(503)).toBe('GET / was answered with 503 without Retry-After')
  expect(judge(500)).toBe('GET / was answered with 500')
  expect(judge(403)).toBe('GET / was answered with 403')
})

test('a log line at level error with a stack is a finding, and a sentence isn’t', () => {
  const line = (level: number, err?: object) => JSON.stringify({ level, msg: 'It failed', err })
  const err = { type: 'Error', code: 'ECONNRESET', at: ['query (pool.ts:1:1)'] }
  expect(complaintAboutLine(line(50, err))).toMatch(/It failed.*ECONNRESET.*pool\.ts/)
  expect(complaintAboutLine(line(40, err))).toBeUndefined()
  expect(complaintAboutLine(line(50))).toBeUndefined()
  expect(complaintAboutLine('Kettle is ready')).toBeUndefined()
})

test('the same seed draws the same, separately for each client', () => {
  const draws = (seed: number, name: string) => {
    const chance = chanceOf(seed).fork(name)
    return [chance.next(), chance.hex(12), chance.uuid(), chance.shuffled([1, 2, 3, 4])]
  }
  expect(draws(7, 'client 1')).toEqual(draws(7, 'client 1'))
  expect(draws(7, 'client 1')).not.toEqual(draws(7, 'client 2'))
  expect(draws(7, 'client 1')).not.toEqual(draws(8, 'client 1'))
})

test('a violation is reported once, with its count', () => {
  const book = openBook()
  for (let times = 0; times < 3; times++) book.find('GET / was answered with 500')
  expect([...book.findings.values()]).toMatchObject([{ count: 3 }])
})
