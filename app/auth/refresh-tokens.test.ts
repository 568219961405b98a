import { expect, test } from 'vitest'
import { createSecrets } from '../server/secrets.server.ts'
import {
  firstToken,
  nextToken,
  REUSE_WINDOW_S,
  readToken,
  rotationMark,
  wasJustRotated,
  writeToken,
} from './refresh-tokens.server.ts'

const secrets = createSecrets('the secret key of every test')
const SESSION = '01234567-89ab-cdef-0123-456789abcdef'
const AT = new Date('2026-03-14T09:26:53.900Z')
const token = nextToken(secrets, firstToken(SESSION, AT))
const later = (seconds: number) => new Date(AT.getTime() + seconds * 1000)

test('dana’s browser brings back what it was given', () => {
  expect(readToken(secrets, writeToken(secrets, token))).toEqual(token)
  const far = { ...token, number: 4_000_000_000 }
  expect(readToken(secrets, writeToken(secrets, far))).toEqual(far)
})

test('a session begins with 0 and a secret of its own', () => {
  const first = firstToken(SESSION, AT)
  expect(first).toMatchObject({ sessionId: SESSION, number: 0 })
  expect(first.secret).toHaveLength(16)
  expect(first.secret).not.toEqual(firstToken(SESSION, AT).secret)
})

test('two tabs that ask at once get the same next token; no other token and no other site has it', () => {
  const next = nextToken(secrets, token)
  expect(next).toMatchObject({ sessionId: SESSION, number: token.number + 1 })
  expect(next.secret).toHaveLength(16)
  expect(nextToken(secrets, token)).toEqual(next)
  for (const other of [
    { ...token, number: 7 },
    { ...token, secret: Buffer.alloc(16, 1) },
    { ...token, sessionId: SESSION.replace('0', '1') },
  ])
    expect(nextToken(secrets, other).secret).not.toEqual(next.secret)
  expect(nextToken(createSecrets('another key'), token).secret).not.toEqual(next.secret)
})

test('the secret that follows is no other hash of the site', () => {
  const hash = secrets.hash('next refresh token', SESSION, '2', token.secret.toString('hex'))
  expect(nextToken(secrets, token).secret.toString('base64url')).toBe(
    Buffer.from(hash, 'base64url').subarray(0, 16).toString('base64url'),
  )
})

test('a token ends with the site’s mark of all that stands before', () => {
  const bytes = Buffer.from(writeToken(secrets, token), 'base64url')
  const mark = secrets.hash('refresh token', bytes.subarray(0, 40).toString('hex'))
  expect(bytes.subarray(40)).toEqual(Buffer.from(mark, 'base64url').subarray(0, 16))
})

test('a token with one byte changed is none, wherever the byte is', () => {
  const bytes = Buffer.from(writeToken(secrets, token), 'base64url')
  expect(bytes).toHaveLength(56)
  for (const at of bytes.keys()) {
    const forged = Buffer.from(bytes)
    forged[at] = (forged[at] ?? 0) ^ 1
    expect(readToken(secrets, forged.toString('base64url'))).toBeUndefined()
  }
})

test('a token of another site, a longer or shorter one, or one in other letters is none', () => {
  const text = writeToken(secrets, token)
  expect(readToken(createSecrets('another key'), text)).toBeUndefined()
  for (const other of [
    '',
    'x',
    text.slice(4),
    text.slice(0, -4),
    `${text}AAAA`,
    `${text}=`,
    ` ${text}`,
  ])
    expect(readToken(secrets, other)).toBeUndefined()
})

test('every token of a session says when the session began, to the second', () => {
  expect(token.begunAt).toBe(Math.floor(AT.getTime() / 1000))
  const later = nextToken(secrets, nextToken(secrets, token))
  expect(readToken(secrets, writeToken(secrets, later))?.begunAt).toBe(token.begunAt)
})

test('a token from before that was in them is still one, of a session that began at no known time', () => {
  const bytes = Buffer.from(writeToken(secrets, token), 'base64url')
  const signed = Buffer.concat([bytes.subarray(0, 20), bytes.subarray(24, 40)])
  const mark = Buffer.from(secrets.hash('refresh token', signed.toString('hex')), 'base64url')
  const former = Buffer.concat([signed, mark.subarray(0, 16)]).toString('base64url')
  expect(readToken(secrets, former)).toEqual({ ...token, begunAt: 0 })
})

test('the mark of a token is good from its second on, for ten seconds', () => {
  const mark = rotationMark(token, AT)
  expect(REUSE_WINDOW_S).toBe(10)
  expect(wasJustRotated(token, mark, AT)).toBe(true)
  expect(wasJustRotated(token, mark, later(10))).toBe(true)
  expect(wasJustRotated(token, mark, later(11))).toBe(false)
  expect(wasJustRotated(token, mark, later(-1))).toBe(false)
})

test('nobody but the holder of the former token can tell when it was exchanged', () => {
  const mark = rotationMark(token, AT)
  expect(wasJustRotated(nextToken(secrets, token), mark, AT)).toBe(false)
  expect(wasJustRotated(token, undefined, AT)).toBe(false)
  expect(mark).not.toBe(rotationMark(token, later(1)))
  expect(mark).not.toBe(rotationMark({ ...token, secret: Buffer.alloc(16) }, AT))
})
