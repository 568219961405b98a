/** The built site with its embedded PostgreSQL: stopped, killed, out of disk space, and upgraded from an older Kettle. */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openInside } from '../support/database.ts'
import { type Site, startSite } from '../support/server.ts'
import { commandsBeside } from './steps/commands.ts'

const json = { 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0 (X11) Firefox/130.0' }

let dataDir: string
let site: Site

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'kettle-embedded-'))
  site = await startSite({
    env: { DATA_DIR: dataDir, STARTER: 'companies', PROOF_OF_WORK: '0' },
  })
})
afterAll(async () => {
  await site?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const post = (path: string, body: object, headers = {}) =>
  fetch(site.url + path, {
    method: 'POST',
    headers: { ...json, ...headers },
    body: JSON.stringify(body),
  })

test('a stop within ten seconds keeps everything written up to its last moment', async () => {
  const [company] = (
    (await (await fetch(`${site.url}/api/v1/companies`)).json()) as {
      companies: { id: string; views: number }[]
    }
  ).companies
  const started = await post(
    '/api/v1/threads',
    {
      title: 'Does anybody else count the meetings?',
      body: 'What they say.',
      topics: ['culture'],
      idempotencyKey: crypto.randomUUID(),
    },
    { 'x-anonymous-id': `anon-${'5ec2'.repeat(8)}` },
  )
  expect(started.status).toBe(201)
  const thread = (await started.json()) as { id: string }

  // Vera's message is half sent, a reader has a live stream, and a view is waiting to be written.
  const message = JSON.stringify({
    name: 'Sent while you stopped',
    email: 'vera@people.example',
    idempotencyKey: crypto.randomUUID(),
    message: 'It began before, and it arrived after.',
  })
  const slow = request(`${site.url}/api/v1/contact-messages`, {
    method: 'POST',
    headers: { ...json, 'content-length': Buffer.byteLength(message) },
  })
  slow.write(message.slice(0, 40))
  const answered = once(slow, 'response')
  const live = await fetch(`${site.url}/api/v1/threads/${thread.id}/live`)
  const viewed = await post('/api/v1/views', { companyId: company?.id })
  expect(await viewed.json()).toEqual({ isCounted: true })

  const ended = site.stop()
  expect(await live.text()).toMatch(/retry: ([5-9]\d{3}|1[0-4]\d{3}|15000)\n\n$/)
  expect((await fetch(`${site.url}/readyz`)).status).toBe(503)
  slow.end(message.slice(40))
  const [answer] = await answered
  expect(answer.statusCode).toBe(201)
  answer.resume()
  expect(await ended).toEqual([0, null])

  // The database has ended with it, and the next process that opens it finds everything.
  expect(await readdir(join(dataDir, 'postgres'))).not.toContain('postmaster.pid')
  const db = await openInside(dataDir)
  try {
    const [kept] = await db.query(sql`
      select (select count(*)::integer from threads where id = ${thread.id}) as threads,
             (select count(*)::integer from contact_messages
               where name = 'Sent while you stopped') as messages,
             (select views from company_stats where company_id = ${company?.id}) as views`)
    expect(kept).toEqual({ threads: 1, messages: 1, views: (company?.views ?? 0) + 1 })
  } finally {
    await db.close()
  }
})

test('a crash in native code ends the site at once, so it can restart', async () => {
  const site = await startSite({ env: { STARTER: 'none' } })
  process.kill(site.pid, 'SIGSEGV')
  expect(await site.ended).toEqual([null, 'SIGSEGV'])
  await site.stop()
})

/** A new, empty folder. */
async function newFolder() {
  const dataDir = await mkdtemp(join(tmpdir(), 'kettle-embedded-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  return dataDir
}

async function startOn(dataDir: string, env: Record<string, string> = {}) {
  const site = await startSite({
    env: { DATA_DIR: dataDir, STARTER: 'none', PROOF_OF_WORK: '0', RATE_LIMITS: 'off', ...env },
  })
  onTestFinished(async () => {
    await site.stop()
  })
  return site
}

const write = (site: Site, title: string) =>
  fetch(`${site.url}/api/v1/threads`, {
    method: 'POST',
    headers: { ...json, 'x-anonymous-id': `anon-${'5ec2'.repeat(8)}` },
    body: JSON.stringify({
      title,
      body: 'It happened here.',
      topics: ['culture'],
      idempotencyKey: crypto.randomUUID(),
    }),
  })

async function writeFor(site: Site, title: string) {
  const answer = await write(site, title)
  expect(answer.status).toBe(201)
  const { id } = (await answer.json()) as { id: string }
  return async (site: Site) => (await fetch(`${site.url}/api/v1/threads/${id}`)).status
}

const processOf = async (dataDir: string) =>
  (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0] as string

test('a killed site leaves its database running, and the next start uses it', async () => {
  const dataDir = await newFolder()
  const killed = await startOn(dataDir)
  const look = await writeFor(killed, 'Vera was told yes')
  const before = await processOf(dataDir)
  process.kill(killed.pid, 'SIGKILL')
  await killed.ended
  const again = await startOn(dataDir)
  expect(await processOf(dataDir)).toBe(before)
  expect(await look(again)).toBe(200)
})

test('two starts at once are two processes on one database', async () => {
  const dataDir = await newFolder()
  const [one, other] = await Promise.all([startOn(dataDir), startOn(dataDir)])
  const look = await writeFor(one as Site, 'Vera writes to one')
  expect(await look(other as Site)).toBe(200)
})

test('several processes of one site share its database, and the last one stops it', async () => {
  const dataDir = await newFolder()
  const site = await startOn(dataDir, { WORKERS: '2' })
  const look = await writeFor(site, 'Vera writes to whoever answers')
  expect(await look(site)).toBe(200)
  expect(await site.stop()).toEqual([0, null])
  expect(await readdir(join(dataDir, 'postgres'))).not.toContain('postmaster.pid')
})

/** Only Linux can limit a running process. */
test.runIf(process.platform === 'linux')(
  'a full disk is reported, loses nothing acknowledged, and the site continues afterwards',
  async () => {
    const dataDir = await newFolder()
    const site = await startOn(dataDir)
    const look = await writeFor(site, 'Vera was told yes')
    // From now on, it can't write a byte to any file.
    const postmaster = await processOf(dataDir)
    const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
    const { uid, gid } = await stat(join(dataDir, 'postgres'))
    for (const pid of [postmaster, ...children.split(' ').filter(Boolean)])
      spawnSync('prlimit', ['--fsize=0', '--pid', pid], {
        // One may have ended by itself. For root, they're another user's.
        ...(process.getuid?.() === 0 && { uid, gid }),
      })
    const refused = await write(site, 'Vera was told no')
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    // It gives up, and the process that replaces it has room again.
    await expect.poll(async () => (await write(site, 'Vera tries again')).status).toBe(201)
    expect(await look(site)).toBe(200)
  },
)

test('a backup of Kettle 0.1 restores completely, and an older folder is refused with what to do', async () => {
  const dataDir = await newFolder()
  const settings = { SECRET_KEY: 'a secret key that only the tests know' }
  await mkdir(join(dataDir, 'pg'))
  await expect(startOn(dataDir, settings)).rejects.toThrow(/is from before Kettle 0\.1\. Update it/)
  await rm(join(dataDir, 'pg'), { recursive: true })
  const backup = fileURLToPath(new URL('../support/version-0.1.backup', import.meta.url))
  const restored = await commandsBeside(dataDir, settings)('backup', 'restore', backup)
  expect(restored.said).toMatch(/^Done: 456 rows from 87 tables restored, read back and compared/)
  const site = await startOn(dataDir, settings)
  const home = await (await fetch(`${site.url}/discussions`)).text()
  expect(home).toContain('Does anybody else count the meetings?')
  expect((await fetch(`${site.url}/erin-and-sons`)).status).toBe(200)
  const signedIn = await fetch(`${site.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ email: 'dana@kettle.example', password: 'correct horse battery tea' }),
  })
  expect(signedIn.status).toBe(200)
})
