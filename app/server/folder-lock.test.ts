import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { takeFolderLock } from './folder-lock.server.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kettle-lock-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('a folder in use is refused with a sentence that names it', async () => {
  const lock = await takeFolderLock(folder)
  await expect(takeFolderLock(folder)).rejects.toThrow(`The folder ${folder} is in use`)
  await lock.release()
  await (await takeFolderLock(folder)).release()
  expect(await readdir(folder)).toEqual([])
})

test('of several that try at once, one gets it', async () => {
  const tries = await Promise.allSettled(Array.from({ length: 8 }, () => takeFolderLock(folder)))
  expect(tries.filter((attempt) => attempt.status === 'fulfilled')).toHaveLength(1)
})

test('the lock of a killed process does not keep anybody out', async () => {
  const gone = spawn('true')
  await once(gone, 'exit')
  await writeFile(
    join(folder, 'kettle.lock'),
    JSON.stringify({ pid: gone.pid, startedAt: '1', nonce: 'old' }),
  )
  await (await takeFolderLock(folder)).release()
})

test('a process id that now belongs to somebody else does not keep anybody out', async () => {
  await writeFile(
    join(folder, 'kettle.lock'),
    JSON.stringify({ pid: process.pid, startedAt: 'long ago', nonce: 'old' }),
  )
  await (await takeFolderLock(folder)).release()
})
