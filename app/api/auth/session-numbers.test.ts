import { expect, test } from 'vitest'
import { createSecrets } from '#app/platform/database/secrets.server.ts'
import { EXCHANGE_BYTES, packed, unpacked } from './exchanges-packed.server.ts'
import { createSessionNumbers, type Exchange, REUSE_WINDOW_S } from './session-numbers.server.ts'

const secrets = createSecrets('the secret key of every test')
const AT = new Date('2026-03-14T09:26:53.900Z')
const later = (seconds: number) => new Date(AT.getTime() + seconds * 1000)
const token = (number: number, sessionId = 'danas') => ({ sessionId, number })
const newProcess = (most?: number) => createSessionNumbers(secrets, { most })
type Process = ReturnType<typeof newProcess>
const allOf = (numbers: Process, now = AT) => [...numbers.all(now)]

/** What `from` exchanged reaches `to` as bytes, as in earnest. */
function tell(from: Process, to: Process) {
  const news: Exchange[] = []
  from.onExchange((exchange) => news.push(exchange))
  return () => to.learn(unpacked(packed(news.splice(0), 64)))
}

test('dana’s second tab gets the same successor for ten seconds, and then the session is over', () => {
  const numbers = newProcess()
  expect(REUSE_WINDOW_S).toBe(10)
  expect(numbers.exchange(token(0), AT)).toBe(1)
  numbers.use(token(1), AT)
  expect(numbers.exchange(token(0), later(10))).toBe(1)
  expect(numbers.exchange(token(0), later(11))).toBeUndefined()
  expect(numbers.exchange(token(1), later(12))).toBe(2)
})

test('an answer that was lost is given again, also hours later, until somebody comes with what it held', () => {
  const [first, second] = [newProcess(), newProcess()]
  const hear = tell(first, second)
  first.exchange(token(0), AT)
  first.exchange(token(1), later(3_600))
  hear()
  for (const numbers of [first, second]) {
    expect(numbers.exchange(token(1), later(7_200))).toBe(2)
    expect(numbers.exchange(token(0), later(7_200))).toBeUndefined()
    // Somebody still comes with the former access token.
    numbers.use(token(1), later(7_200))
    expect(numbers.exchange(token(1), later(7_300))).toBe(2)
  }
  first.use(token(2), later(7_400))
  hear()
  for (const numbers of [first, second])
    expect(numbers.exchange(token(1), later(7_400))).toBeUndefined()
})

test('who comes with a number that this process has not heard of yet has used it', () => {
  const numbers = newProcess()
  numbers.exchange(token(0), AT)
  numbers.use(token(1), AT)
  numbers.use(token(2), later(60))
  // A second tab that asks just then.
  expect(numbers.exchange(token(1), later(65))).toBe(2)
  expect(numbers.exchange(token(1), later(75))).toBeUndefined()
  expect(numbers.exchange(token(2), later(75))).toBe(3)
})

test('what an older program wrote down counts as used', () => {
  const [older, numbers] = [newProcess(), newProcess()]
  older.exchange(token(0), AT)
  const bytes = packed(allOf(older))
  // It had the day alone there.
  bytes.writeUInt16BE(bytes.readUInt16BE(EXCHANGE_BYTES - 2) & 0x7fff, EXCHANGE_BYTES - 2)
  numbers.learn(unpacked(bytes))
  expect(numbers.exchange(token(0), later(60))).toBeUndefined()
})

test('three exchanges later the slowest tab gets the newest, five later it is a thief', () => {
  const numbers = newProcess()
  for (let number = 0; number < 4; number++) numbers.exchange(token(number), AT)
  expect(numbers.exchange(token(0), AT)).toBe(4)
  numbers.exchange(token(4), AT)
  expect(numbers.exchange(token(0), AT)).toBeUndefined()
  expect(numbers.exchange(token(1), AT)).toBe(5)
})

test('the seconds of each exchange count for itself', () => {
  const numbers = newProcess()
  numbers.exchange(token(0), AT)
  numbers.exchange(token(1), later(8))
  expect(numbers.exchange(token(0), later(11))).toBeUndefined()
  expect(numbers.exchange(token(1), later(18))).toBe(2)
})

test('erin’s session has nothing to do with dana’s', () => {
  const numbers = newProcess()
  numbers.exchange(token(4), AT)
  expect(numbers.exchange(token(0, 'erins'), AT)).toBe(1)
})

test('what one process exchanged another one knows once it was told', () => {
  const [first, second] = [newProcess(), newProcess()]
  const hear = tell(first, second)
  first.exchange(token(0), AT)
  // At once, nothing told: both give the same successor.
  expect(second.exchange(token(0), AT)).toBe(1)
  first.exchange(token(1), later(30))
  first.use(token(2), later(31))
  hear()
  expect(second.exchange(token(1), later(35))).toBe(2)
  expect(second.exchange(token(1), later(90))).toBeUndefined()
  expect(second.exchange(token(0), later(35))).toBeUndefined()
  expect(second.exchange(token(2), later(90))).toBe(3)
})

test('news that come late, twice, or in another order change nothing', () => {
  const first = newProcess()
  const news: Exchange[] = []
  first.onExchange((exchange) => news.push(exchange))
  for (let number = 0; number < 3; number++) first.exchange(token(number), later(number))
  for (const order of [news, news.toReversed(), [...news, ...news]]) {
    const second = newProcess()
    second.learn(order)
    expect(allOf(second)).toEqual(allOf(first))
    expect(second.exchange(token(0), later(10))).toBe(3)
    expect(second.exchange(token(1), later(12))).toBeUndefined()
  }
})

test('where some were missed nobody knows when they were, so they are no second tab’s', () => {
  const numbers = newProcess()
  numbers.exchange(token(0), AT)
  numbers.exchange(token(2), later(1))
  expect(numbers.exchange(token(0), later(2))).toBe(3)
  expect(numbers.exchange(token(1), later(2))).toBeUndefined()
})

test('a clock that is a little ahead elsewhere makes nobody a thief', () => {
  const [first, second] = [newProcess(), newProcess()]
  const hear = tell(first, second)
  first.exchange(token(0), later(2))
  hear()
  expect(second.exchange(token(0), AT)).toBe(1)
})

test('all of them as bytes and back, of one size; those that have ended are gone after their day', () => {
  const numbers = newProcess()
  for (let n = 0; n < 20; n++) numbers.exchange(token(n, `somebody ${n}`), AT)
  const all = allOf(numbers)
  expect(all).toHaveLength(20)
  expect([...unpacked(packed(all))]).toEqual(all)
  expect(packed([], 64)).toHaveLength(64 * EXCHANGE_BYTES)
  expect(packed(all, 64)).toHaveLength(64 * EXCHANGE_BYTES)
  expect([...unpacked(packed(all, 64))]).toEqual(all)
  expect(allOf(numbers, later(90 * 86_400))).toHaveLength(20)
  expect(allOf(numbers, later(91 * 86_400))).toEqual([])
})

test('whoever was not seen for longest is forgotten first', () => {
  const numbers = newProcess(2)
  for (const who of ['dana', 'erin', 'ada']) numbers.exchange(token(0, who), AT)
  expect(allOf(numbers)).toHaveLength(2)
  expect(numbers.exchange(token(0, 'dana'), later(60))).toBe(1)
})
