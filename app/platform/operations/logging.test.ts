import { Writable } from 'node:stream'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { logSettings } from './logging.server.ts'

/** A logger with our settings, and what it wrote. */
function openLog() {
  let text = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk
      done()
    },
  })
  const { log } = Fastify({ logger: { level: 'trace', ...logSettings, stream } })
  return { log, written: () => text }
}

/** As the database refuses a row: it quotes it. */
const refusedRow = () =>
  Object.assign(new Error('duplicate key value: vera@people.example'), {
    code: '23505',
    constraint: 'accounts_email_hash_key',
    table: 'accounts',
    detail: 'Key (email_hash)=(anon-5ec2) already exists.',
    where: 'anon-5ec2',
    internalQuery: 'select anon-5ec2',
    cause: new TypeError('vera@people.example\n    at vera (anon-5ec2.ts:1:1)'),
  })

test('a logged error has its kind, its code and its lines, and none of its words', () => {
  const { log, written } = openLog()
  log.error({ err: refusedRow() }, 'A request failed')
  expect(written()).not.toMatch(/vera|5ec2/)
  const { err, msg } = JSON.parse(written())
  expect(msg).toBe('A request failed')
  expect(err).toMatchObject({
    type: 'Error',
    code: '23505',
    table: 'accounts',
    constraint: 'accounts_email_hash_key',
    cause: { type: 'TypeError' },
  })
  expect(err.at[0]).toContain('logging.test.ts')
  expect(err).not.toHaveProperty('message')
})

test('a log line has its minute, not its second', () => {
  const { log, written } = openLog()
  log.info('listening')
  expect(JSON.parse(written()).time % 60_000).toBe(0)
})

test('an error doesn’t become the words of a log line', () => {
  const { log, written } = openLog()
  log.error(refusedRow())
  log.warn({ err: refusedRow() })
  log.child({ reqId: 'req-1' }).info({ err: refusedRow() }, undefined as unknown as string)
  expect(written()).not.toMatch(/vera|5ec2/)
  expect(written().match(/"msg":"An error"/g)).toHaveLength(3)
})

test.each([
  ['a thrown text', 'vera@people.example'],
  ['nothing', undefined],
  ['a made-up name and code', { name: 'vera@people.example', code: 'anon-5ec2', message: 'vera' }],
  ['a stack without its message', { message: 'other', stack: 'vera\n    at anon-5ec2 (x:1:1)' }],
])('a log of %s says nothing', (_what, err) => {
  const { log, written } = openLog()
  log.error({ err }, 'A request failed')
  expect(written()).not.toMatch(/vera|5ec2/)
  expect(written()).toContain('A request failed')
})

test('a request and its answer aren’t logged', () => {
  const { log, written } = openLog()
  const req = { url: '/vera', headers: { 'user-agent': 'vera' }, ip: '198.51.100.7' }
  log.info({ req, res: { headers: { 'set-cookie': 'vera' } } }, 'hello')
  expect(JSON.parse(written())).toMatchObject({ req: {}, res: {}, msg: 'hello' })
  expect(written()).not.toMatch(/vera|198\.51/)
})
