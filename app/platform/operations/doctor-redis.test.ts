import { Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { findProgram, startRedis } from '#tests/support/programs.ts'
import { redisFindings } from './doctor-redis.server.ts'

test('without REDIS_URL there is nothing to say', async () => {
  expect(await redisFindings({ redisUrl: undefined })).toEqual([])
})

test('a Redis that is not there is a problem, and its password is not told', async () => {
  const [found] = await redisFindings({ redisUrl: 'redis://:a-secret@127.0.0.1:1' })
  expect(found).toMatchObject({
    level: 'problem',
    sentence: expect.stringContaining('nothing is responding'),
  })
  expect(found?.sentence).not.toContain('a-secret')
})

test('one that refuses us, that writes to its disk, and that is as it should be', async ({
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
