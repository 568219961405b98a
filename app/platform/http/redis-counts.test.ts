/** Counting together in a real Redis; skipped where there is none. */

import { Redis } from 'ioredis'
import { afterEach, expect, test } from 'vitest'
import { slow } from '#tests/support/amounts.ts'
import { findProgram, type Program, startRedis } from '#tests/support/programs.ts'
import { createSecrets } from '../database/secrets.server.ts'
import { countsInRedis } from './redis-counts.server.ts'
import { countsInMemory, withFallback } from './shared-counts.server.ts'

const secrets = createSecrets('the secret key of two processes')
const LIMIT = { name: 'answers', uses: 10, seconds: 60 }
const NONE = 'redis-server is not installed here'
const isMissing = !findProgram('redis-server')

const opened: { close?(): unknown; stop?(): unknown }[] = []
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) {
    await each.close?.()
    await each.stop?.()
  }
})

async function open<Opened extends { close?(): unknown; stop?(): unknown }>(
  opening: Promise<Opened>,
) {
  const each = await opening
  opened.push(each)
  return each
}
const redisUrl = ({ port }: Pick<Program, 'port'>) => `redis://127.0.0.1:${port}`
/** More patient than the site: a busy machine is no Redis that hangs. */
const processOf = async (redis: Pick<Program, 'port'>) =>
  open(
    withFallback(
      await countsInRedis(redisUrl(redis), secrets, { patienceMs: 2_000 }),
      countsInMemory(),
    ),
  )

test('two processes count one limit, and mark one of 60', async ({ skip }) => {
  skip(isMissing, NONE)
  const redis = await open(startRedis())
  const [first, second] = await Promise.all([processOf(redis), processOf(redis)])
  expect([first.word(), second.word()]).toEqual(['shared', 'shared'])

  const counters = [first.counterOf(LIMIT), second.counterOf(LIMIT)]
  const uses = await Promise.allSettled(
    Array.from({ length: 60 }, (_, i) => counters[i % 2]?.consume('198.51.100.7')),
  )
  expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  // Another limit or network isn't affected.
  await second.counterOf({ ...LIMIT, name: 'questions' }).consume('198.51.100.7')
  await counters[1]?.consume('198.51.100.8')

  const marks = await Promise.all(
    Array.from({ length: 60 }, (_, i) => (i % 2 ? first : second).markFirst('a proof', 60_000)),
  )
  expect(marks.filter(Boolean)).toHaveLength(1)
})

test('Redis has no address, and nothing for longer than it counts', async ({ skip }) => {
  skip(isMissing, NONE)
  const redis = await open(startRedis())
  const counts = await processOf(redis)
  await counts.counterOf(LIMIT).consume('198.51.100.7')
  await counts.counterOf(LIMIT).consume('2001:db8:1:2')
  await counts.markFirst('proof 5ec2', 60_000)
  const client = new Redis(redisUrl(redis))
  opened.push({ close: () => client.disconnect() })
  const keys = (await client.keys('*')).sort()
  expect(keys).toHaveLength(3)
  for (const key of keys) {
    expect(key).toMatch(/^kettle-(answers|mark):[\w-]{43}$/)
    expect(await client.get(key)).toBe('1')
    expect(await client.ttl(key)).toBeGreaterThan(0)
    expect(await client.ttl(key)).toBeLessThanOrEqual(60)
  }
})

slow.test('a Redis that hangs or is gone refuses no one, and is found again', async ({ skip }) => {
  skip(isMissing, NONE)
  const redis = await open(startRedis())
  const counts = await processOf(redis)
  const words: string[] = []
  counts.whenChanged((word) => words.push(word))
  const counter = counts.counterOf(LIMIT)
  await counter.consume('dana')

  process.kill(redis.pid, 'SIGSTOP')
  for (let i = 0; i < 10; i++) await counter.consume('dana')
  await expect(counter.consume('dana')).rejects.toMatchObject({ consumedPoints: 11 })
  expect(await counts.markFirst('a proof', 60_000)).toBe(true)
  expect(await counts.markFirst('a proof', 60_000)).toBe(false)
  expect([counts.word(), words]).toEqual(['alone', ['alone']])
  process.kill(redis.pid, 'SIGCONT')
  await expect.poll(counts.word).toBe('shared')

  await redis.stop()
  await counter.consume('erin')
  expect(counts.word()).toBe('alone')
  await open(startRedis({ port: redis.port }))
  await expect.poll(counts.word).toBe('shared')
  await counter.consume('erin')
  expect(words).toEqual(['alone', 'shared', 'alone', 'shared'])
})

test('a site starts without the Redis in its setting', async () => {
  const counts = await processOf({ port: 1 })
  expect(counts.word()).toBe('alone')
  await counts.counterOf(LIMIT).consume('dana')
})
