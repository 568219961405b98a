import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { privateFolder } from './folders.server.ts'

async function temporary() {
  const folder = await mkdtemp(join(tmpdir(), 'kettle-folders-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

test('a folder and all that’s missing above it are made for this user only, and nothing stays in it', async () => {
  const folder = join(await temporary(), 'a', 'b', 'c')
  await Promise.all([privateFolder(folder), privateFolder(folder)])
  for (const made of [folder, join(folder, '..')])
    expect((await stat(made)).mode & 0o777).toBe(0o700)
  expect(await readdir(folder)).toEqual([])
})

const refused = /^DATA_DIR isn’t a folder that this user can write to\. /

test('a file is refused as a folder, and so is what’s below it', async () => {
  const file = join(await temporary(), 'file')
  await writeFile(file, '', { mode: 0o700 })
  for (const folder of [file, join(file, 'below')])
    await expect(privateFolder(folder)).rejects.toThrow(refused)
})

test
  .skipIf(!existsSync('/proc/self'))
  .each(['/proc', '/proc/kettle', '/proc/a/b', '/sys', '/sys/kettle'])(
  'where the kernel has its own files, nothing can be stored, not even by root: %s',
  async (folder) => {
    await expect(privateFolder(folder)).rejects.toThrow(refused)
  },
)
