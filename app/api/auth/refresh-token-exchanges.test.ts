import { expect, test } from 'vitest'
import { createSecrets } from '#app/platform/database/secrets.server.ts'
import {
  createRefreshTokenExchanges,
  type Exchange,
  REUSE_WINDOW_S,
} from './refresh-token-exchanges.server.ts'
import { EXCHANGE_BYTES, packed, unpacked } from './refresh-token-store.server.ts'

const secrets = createSecrets('the secret key of every test')
const AT = new Date('2026-03-14T09:26:53.900Z')
const later = (seconds: number) => new Date(AT.getTime() + seconds * 1000)
const token = (number: number, sessionId = 'danas') => ({ sessionId, number })
const newProcess = (maxSessions?: number) => createRefreshTokenExchanges(secrets, { maxSessions })
type Process = ReturnType<typeof newProcess>
const allOf = (exchanges: Process, now = AT) => [...exchanges.all(now)]

/** `to` gets the exchanges of `from` as bytes, as in production. */
function tell(from: Process, to: Process) {
  const news: Exchange[] = []
  from.onExchange((exchange) => news.push(exchange))
  return () => to.learn(unpacked(packed(news.splice(0), 64)))
}

test('dana’s second tab gets the same new token for ten seconds, and after that her session ends', () => {
  const exchanges = newProcess()
  expect(REUSE_WINDOW_S).toBe(10)
  expect(exchanges.exchange(token(0), AT)).toBe(1)
  exchanges.use(token(1), AT)
  expect(exchanges.exchange(token(0), later(10))).toBe(1)
  expect(exchanges.exchange(token(0), later(11))).toBeUndefined()
  expect(exchanges.exchange(token(1), later(12))).toBe(2)
})

test('a lost answer is repeated even hours later, until someone uses the token in it', () => {
  const [first, second] = [newProcess(), newProcess()]
  const hear = tell(first, second)
  first.exchange(token(0), AT)
  first.exchange(token(1), later(3_600))
  hear()
  for (const exchanges of [first, second]) {
    expect(exchanges.exchange(token(1), later(7_200))).toBe(2)
    expect(exchanges.exchange(token(0), later(7_200))).toBeUndefined()
    // Someone still uses the previous access token.
    exchanges.use(token(1), later(7_200))
    expect(exchanges.exchange(token(1), later(7_300))).toBe(2)
  }
  first.use(token(2), later(7_400))
  hear()
  for (const exchanges of [first, second])
    expect(exchanges.exchange(token(1), later(7_400))).toBeUndefined()
})

test('a token number that this process hasn’t seen yet counts as used', () => {
  const exchanges = newProcess()
  exchanges.exchange(token(0), AT)
  exchanges.use(token(1), AT)
  exchanges.use(token(2), later(60))
  // A second tab asks at the same moment.
  expect(exchanges.exchange(token(1), later(65))).toBe(2)
  expect(exchanges.exchange(token(1), later(75))).toBeUndefined()
  expect(exchanges.exchange(token(2), later(75))).toBe(3)
})

test('tokens stored by an older version count as used', () => {
  const [older, exchanges] = [newProcess(), newProcess()]
  older.exchange(token(0), AT)
  const bytes = packed(allOf(older))
  // It had the day alone there.
  bytes.writeUInt16BE(bytes.readUInt16BE(EXCHANGE_BYTES - 2) & 0x7fff, EXCHANGE_BYTES - 2)
  exchanges.learn(unpacked(bytes))
  expect(exchanges.exchange(token(0), later(60))).toBeUndefined()
})

test('a tab three exchanges late gets the newest token, and one five late counts as a thief', () => {
  const exchanges = newProcess()
  for (let number = 0; number < 4; number++) exchanges.exchange(token(number), AT)
  expect(exchanges.exchange(token(0), AT)).toBe(4)
  exchanges.exchange(token(4), AT)
  expect(exchanges.exchange(token(0), AT)).toBeUndefined()
  expect(exchanges.exchange(token(1), AT)).toBe(5)
})

test('each exchange has its own ten seconds', () => {
  const exchanges = newProcess()
  exchanges.exchange(token(0), AT)
  exchanges.exchange(token(1), later(8))
  expect(exchanges.exchange(token(0), later(11))).toBeUndefined()
  expect(exchanges.exchange(token(1), later(18))).toBe(2)
})

test('erin’s session has nothing to do with dana’s', () => {
  const exchanges = newProcess()
  exchanges.exchange(token(4), AT)
  expect(exchanges.exchange(token(0, 'erins'), AT)).toBe(1)
})

test('a process knows what another one exchanged as soon as it hears', () => {
  const [first, second] = [newProcess(), newProcess()]
  const hear = tell(first, second)
  first.exchange(token(0), AT)
  // Both exchange at once, before either is told, and give the same new token.
  expect(second.exchange(token(0), AT)).toBe(1)
  first.exchange(token(1), later(30))
  first.use(token(2), later(31))
  hear()
  expect(second.exchange(token(1), later(35))).toBe(2)
  expect(second.exchange(token(1), later(90))).toBeUndefined()
  expect(second.exchange(token(0), later(35))).toBeUndefined()
  expect(second.exchange(token(2), later(90))).toBe(3)
})

test('exchange messages that come late, twice or out of order change nothing', () => {
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

test('after missed messages, a token with an unknown exchange time isn’t a second tab’s', () => {
  const exchanges = newProcess()
  exchanges.exchange(token(0), AT)
  exchanges.exchange(token(2), later(1))
  expect(exchanges.exchange(token(0), later(2))).toBe(3)
  expect(exchanges.exchange(token(1), later(2))).toBeUndefined()
})

test('another process’s clock running slightly ahead ends no session', () => {
  const [first, second] = [newProcess(), newProcess()]
  const hear = tell(first, second)
  first.exchange(token(0), later(2))
  hear()
  expect(second.exchange(token(0), AT)).toBe(1)
})

test('exchanges are stored at one size and read back, and ended ones are gone after a day', () => {
  const exchanges = newProcess()
  for (let n = 0; n < 20; n++) exchanges.exchange(token(n, `somebody ${n}`), AT)
  const all = allOf(exchanges)
  expect(all).toHaveLength(20)
  expect([...unpacked(packed(all))]).toEqual(all)
  expect(packed([], 64)).toHaveLength(64 * EXCHANGE_BYTES)
  expect(packed(all, 64)).toHaveLength(64 * EXCHANGE_BYTES)
  expect([...unpacked(packed(all, 64))]).toEqual(all)
  expect(allOf(exchanges, later(90 * 86_400))).toHaveLength(20)
  expect(allOf(exchanges, later(91 * 86_400))).toEqual([])
})

test('the session unused the longest is forgotten first', () => {
  const exchanges = newProcess(2)
  for (const who of ['dana', 'erin', 'ada']) exchanges.exchange(token(0, who), AT)
  expect(allOf(exchanges)).toHaveLength(2)
  expect(exchanges.exchange(token(0, 'dana'), later(60))).toBe(1)
})
