/** The built site on the embedded database, stopped as a machine stops it: nothing is lost, in time. */
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPglite } from '../../app/server/pglite.server.ts'
import { type Site, startSite } from '../support/server.ts'

const json = { 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0 (X11) Firefox/130.0' }

let dataDir: string
let site: Site

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'kettle-embedded-stop-'))
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

test('a stop within ten seconds keeps what was written up to its last moment', async () => {
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
      sending: crypto.randomUUID(),
    },
    { 'x-anonymous-id': `anon-${'5ec2'.repeat(8)}` },
  )
  expect(started.status).toBe(201)
  const thread = (await started.json()) as { id: string }

  // Vera's message is half sent, a reader listens, and a view waits to be written.
  const message = JSON.stringify({
    name: 'Sent while you stopped',
    email: 'vera@people.example',
    sending: crypto.randomUUID(),
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

  // The folder is free, and whoever opens it next finds all of it.
  expect((await readdir(dataDir)).filter((name) => /lock/.test(name))).toEqual([])
  const db = await openPglite({ dataDir })
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

test('a crash in native code ends the site at once, to be started again', async () => {
  const site = await startSite({ env: { STARTER: 'none' } })
  process.kill(site.pid, 'SIGSEGV')
  expect(await site.ended).toEqual([null, 'SIGSEGV'])
  await site.stop()
})
