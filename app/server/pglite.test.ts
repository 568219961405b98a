import { chmod, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openPglite } from './pglite.server.ts'

test('nobody else on the machine can look into the embedded database, wherever it lay before', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kettle-private-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await chmod(folder, 0o755)
  const db = await openPglite({ dataDir: folder })
  await db.close()
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
})
