import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { freePort } from '#tests/support/postgres-cluster.ts'
import { type S3Server, signatureOf, startS3 } from '#tests/support/s3-server.ts'
import { bucketFiles } from './backup-bucket.server.ts'
import { type BackupStore, keepNewest, newestIn } from './backup-folder.server.ts'
import { readConfig } from './config.server.ts'

let s3: S3Server
let store: BackupStore
const storeWith = (env: Partial<S3Server['env']> = {}) =>
  bucketFiles(readConfig({ ...s3.env, ...env }).s3)
beforeAll(async () => {
  s3 = await startS3()
  store = storeWith()
})
afterAll(() => s3.stop())
beforeEach(() => {
  s3.before = () => undefined
  s3.objects.clear()
  s3.log.length = 0
})

const MB = 1024 * 1024
const PATH = 's3://backups/kettle/a name + sign.backup'
const isWell = async () => {}
const sumOf = (content: Buffer | undefined) =>
  createHash('sha256')
    .update(content ?? '')
    .digest('hex')

/** AWS publishes these examples: "Signature Calculations for the Authorization Header". */
test('the tests’ server signs as Amazon does', () => {
  const signedBy = (names: string) =>
    `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=${names},Signature=`
  const nothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  const headers = {
    host: 'examplebucket.s3.amazonaws.com',
    'x-amz-date': '20130524T000000Z',
    'x-amz-content-sha256': nothing,
    authorization: signedBy('host;x-amz-content-sha256;x-amz-date'),
  }
  expect(
    signatureOf({
      method: 'GET',
      url: '/test.txt',
      headers: {
        ...headers,
        range: 'bytes=0-9',
        authorization: signedBy('host;range;x-amz-content-sha256;x-amz-date'),
      },
    }),
  ).toBe('f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41')
  expect(signatureOf({ method: 'GET', url: '/?max-keys=2&prefix=J', headers })).toBe(
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  )
  expect(signatureOf({ method: 'GET', url: '/?lifecycle', headers })).toBe(
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  )
})

test('a backup goes to the bucket in parts, is read before the next, and comes back the same', async () => {
  const whole = randomBytes(40 * MB)
  let taken = 0
  const source = Readable.from(
    (function* () {
      for (; taken < whole.length; taken += MB) yield whole.subarray(taken, taken + MB)
    })(),
  )
  const takenAtPart: number[] = []
  s3.before = (line) => {
    if (line.includes('partNumber')) takenAtPart.push(taken / MB)
  }
  expect(await store.save(PATH, source, isWell)).toBe(whole.length)
  // No more than a part, and what a stream reads ahead, ever waits in memory.
  expect(takenAtPart).toHaveLength(3)
  expect(takenAtPart[0]).toBeLessThan(16 + 17)
  expect(s3.uploads.size).toBe(0)
  expect(sumOf(s3.objects.get('backups/kettle/a name + sign.backup'))).toBe(sumOf(whole))
  const back = await store.read(PATH)
  expect(sumOf(await buffer(back as Readable))).toBe(sumOf(whole))
})

test('a failed part is sent again, and a failed upload leaves nothing behind', async () => {
  const failing = new Set(['1'])
  s3.before = (line) => {
    const part = /partNumber=(\d)/.exec(line)?.[1] ?? ''
    return failing.delete(part) ? 503 : undefined
  }
  await store.save(PATH, Readable.from([Buffer.from('tea')]), isWell)
  expect(s3.objects.size).toBe(1)
  s3.objects.clear()
  s3.before = (line) => (line.includes('partNumber') ? 403 : undefined)
  await expect(store.save(PATH, Readable.from([Buffer.from('tea')]), isWell)).rejects.toThrow(
    /^The bucket refused \(403 SlowDown\)/,
  )
  expect([s3.objects.size, s3.uploads.size]).toEqual([0, 0])
})

test('a backup that can’t be read back isn’t kept', async () => {
  const check = async () => {
    throw new Error('It isn’t the same')
  }
  await expect(store.save(PATH, Readable.from([Buffer.from('tea')]), check)).rejects.toThrow(
    'It isn’t the same',
  )
  expect(s3.objects.size).toBe(0)
})

test('the newest backups stay, of our own names in that folder, whose list has several pages', async () => {
  const day = (n: number) => `kettle-2026-03-0${n}-033000.backup`
  for (const name of [...[1, 2, 3, 4, 5].map(day), 'kettle-notes.backup', `archive/${day(1)}`])
    s3.objects.set(`backups/kettle/${name}`, Buffer.from('x'))
  s3.objects.set(`backups/kettle-other/${day(1)}`, Buffer.from('x'))
  const folder = 's3://backups/kettle'
  expect(await newestIn(store, folder)).toBe(`${folder}/${day(5)}`)
  // The clock was wrong when the last one was made.
  expect(await keepNewest(store, folder, day(1), 3)).toBe(2)
  expect([...s3.objects.keys()].toSorted()).toEqual([
    `backups/kettle-other/${day(1)}`,
    `backups/kettle/archive/${day(1)}`,
    `backups/kettle/${day(1)}`,
    `backups/kettle/${day(4)}`,
    `backups/kettle/${day(5)}`,
    'backups/kettle/kettle-notes.backup',
  ])
})

test('a refusal names the reason and no key', async () => {
  expect(await store.read('s3://backups/none')).toBeUndefined()
  const wrong = storeWith({ S3_SECRET_KEY: 'another' })
  const away = storeWith({ S3_URL: `http://127.0.0.1:${await freePort()}` })
  const save =
    (store: BackupStore, path = PATH) =>
    () =>
      store.save(path, Readable.from([Buffer.from('tea')]), isWell)
  const list = (store: BackupStore) => () => store.list('s3://backups/kettle')
  for (const [work, sentence] of [
    [save(wrong), /^The bucket refused \(403 SignatureDoesNotMatch\)\. Check/],
    [list(wrong), /403/],
    [save(store, 's3://elsewhere/a'), /\(404 NoSuchBucket\)/],
    [save(away), /^We lost or couldn’t get the connection to S3_URL \(ECONNREFUSED\)/],
    [list(away), /ECONNREFUSED/],
  ] as const) {
    const error = await work().catch((error: Error) => error.message)
    expect(error).toMatch(sentence)
    expect(error).not.toMatch(/AKIA|another|wJalr/)
  }
  expect(() => bucketFiles(readConfig({}).s3)).toThrow(
    /set S3_URL, S3_ACCESS_KEY and S3_SECRET_KEY/,
  )
})
