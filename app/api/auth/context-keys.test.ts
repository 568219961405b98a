import { createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { contextKey, numberKeys } from './context-keys.server.ts'

const danas = Buffer.alloc(16, 1)
const veras = Buffer.alloc(16, 2)
const hex = (key: Buffer) => key.toString('hex')

test('dana has one key per thread, and a different one in every other context', () => {
  const key = contextKey(danas, 'vote', 'thread 1')
  expect(key).toHaveLength(16)
  expect(contextKey(danas, 'vote', 'thread 1')).toEqual(key)
  for (const other of [
    contextKey(veras, 'vote', 'thread 1'),
    contextKey(danas, 'vote', 'thread 2'),
    contextKey(danas, 'report', 'thread 1'),
  ])
    expect(other).not.toEqual(key)
})

test('a key needs the id as it’s stored, so another spelling can’t make dana a second person', () => {
  const id = '0b9d2c1e-7f44-4a0b-9c3d-5e6f7a8b9c0d'
  expect(contextKey(danas, 'vote', id)).toHaveLength(16)
  for (const spelled of [id.toUpperCase(), `{${id}}`, id.replaceAll('-', ''), ` ${id}`, `${id}\n`])
    expect(() => contextKey(danas, 'vote', spelled)).toThrow('exactly as stored')
})

test('dana’s numbered rows have the key of their number, wherever counting starts', () => {
  const keys = numberKeys(danas, 'saved', 0, 600).map(hex)
  expect(new Set(keys).size).toBe(600)
  expect(numberKeys(danas, 'saved', 590, 10).map(hex)).toEqual(keys.slice(590))
  expect(numberKeys(danas, 'saved', 300, 1).map(hex)).toEqual([keys[300]])
  const others = [...numberKeys(veras, 'saved', 0, 600), ...numberKeys(danas, 'followed', 0, 600)]
  for (const key of others) expect(keys).not.toContain(hex(key))
})

test('someone with the root reads only a number from a number key', () => {
  const root = randomBytes(16)
  const key = createHmac('sha256', root).update('numbers saved').digest()
  const [seventh] = numberKeys(root, 'saved', 7, 1)
  const open = createDecipheriv('aes-256-ecb', key, null).setAutoPadding(false)
  expect(open.update(seventh as Buffer).readBigUInt64BE(8)).toBe(7n)
})
