/** What we store, on a disk that forgets what wasn't synced: tests/power-cut. */
import { mkdir, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { storedFile } from '#app/platform/database/secrets.server.ts'
import { createMailer } from '#app/platform/mail/mail.server.ts'
import { recordFiles } from './power-cut/forgetful-files.ts'

test('a secret key and a written mail survive a power cut', async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'kettle-power-cut-')))
  onTestFinished(() => rm(folder, { recursive: true }))
  const root = join(folder, 'disk')
  await mkdir(root)
  const recording = recordFiles(root)
  const dataDir = join(root, 'data')
  const outboxFolder = join(dataDir, 'outbox')
  const mailer = createMailer({ from: 'no-reply@kettle.example', outboxFolder })
  let key: string
  try {
    key = await storedFile(dataDir, 'secret.key', () => 'a secret')
    await mailer.send({ to: 'dana@example.com', subject: 'Hello', text: 'Hello', html: 'Hello' })
  } finally {
    recording.end()
  }
  // Deterministic: nothing survives that wasn't synced.
  recording.cutAt(recording.length, join(folder, 'cut'), () => 0)
  expect(await readFile(join(folder, 'cut/data/secret.key'), 'utf8')).toBe(key)
  const [mail, ...others] = await readdir(join(folder, 'cut/data/outbox'))
  expect(others).toEqual([])
  expect(await readFile(join(folder, `cut/data/outbox/${mail}`), 'utf8')).toContain('Hello')
})
