import { Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { findProgram, startRedis } from '#tests/support/programs.ts'
import { redisFindings } from './doctor-redis.server.ts'

test('the doctor says nothing without REDIS_URL', async () => {
  expect(await redisFindings({ redisUrl: undefined })).toEqual([])
})

test('a Redis that’s away is a problem, and its password isn’t shown', async () => {
  const [found] = await redisFindings({ redisUrl: 'redis://:a-secret@127.0.0.1:1' })
  expect(found).toMatchObject({
    level: 'problem',
    sentence: expect.stringContaining('nothing is responding'),
  })
  expect(found?.sentence).not.toContain('a-secret')
})

test('the doctor knows a Redis that refuses us, one that writes to its disk, and a good one', async ({
  skip,
}) => {
  skip(!findProgram('redis-server'), 'redis-server is not installed here')
  const { port, stop } = await startRedis()
  const client = new Redis(port)
  const found = async (password = '') => {
    const [finding] = await redisFindings({ redisUrl: `redis://${password}127.0.0.1:${port}` })
    return [finding?.level, finding?.sentence]
  }
  try {
    expect(await found()).toEqual(['ok', expect.stringContaining('writes nothing')])
    await client.config('SET', 'save', '60 1')
    expect(await found()).toEqual(['warning', expect.stringContaining('writes its counts')])
    await client.config('SET', 'requirepass', 'another')
    expect(await found()).toEqual(['problem', expect.stringContaining('needs a password')])
    expect(await found(':a-secret@')).toEqual([
      'problem',
      expect.stringContaining('rejects the user'),
    ])
  } finally {
    client.disconnect()
    await stop()
  }
})
