/**
 * People write, reply, report, moderate and appeal on the built site, request companies, write to the site's team and get
 * roles. Then this reads everything that anyone can read, and compares it with everything that could identify someone.
 */

import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEMO_PASSWORD } from '#app/identity/accounts/demo-people.server.ts'
import { type Site, startSite } from '../support/server.ts'
import { openWorld, type World } from '../support/site-in-browser.ts'

const VERAS_ID = `anon-${'5ec2'.repeat(8)}`
/** The address that vera left for replies. */
const CONTACT_ADDRESS = 'vera.writes@people.example'
const REQUEST_ADDRESS = 'vera.asks@people.example'

let world: World
let site: Site
/** Headers with each person's credentials. */
const people: Record<string, Record<string, string>> = {
  nobody: {},
  vera: { 'x-anonymous-id': VERAS_ID },
}

beforeAll(async () => {
  world = await openWorld()
  site = await startSite({
    env: { ...world.env, PROOF_OF_WORK: '0', RATE_LIMITS: 'off', LOG_LEVEL: 'debug' },
  })
  for (const name of ['dana', 'erin', 'ada', 'olga']) {
    const { access_token } = await call<{ access_token: string }>(
      'nobody',
      'POST',
      '/auth/v1/token?grant_type=password',
      { email: `${name}@kettle.example`, password: DEMO_PASSWORD },
    )
    people[name] = { authorization: `Bearer ${access_token}` }
  }
})
afterAll(async () => {
  await site?.stop()
  await world?.db.close()
})

async function call<Answer>(who: string, method: string, path: string, body?: object) {
  const answer = await fetch(site.url + path, {
    method,
    headers: { ...people[who], ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Answer
}

interface Made {
  id: string
  path: string
}

const started = (who: string, title: string, companyId?: string) =>
  call<Made>(who, 'POST', '/api/v1/threads', {
    title,
    body: 'What they say.',
    companyId,
    topics: ['culture'],
    idempotencyKey: crypto.randomUUID(),
  })
const answered = (who: string, threadId: string, body: string, parentId?: string) =>
  call<{ id: string; author: { name: string } }>(
    who,
    'POST',
    `/api/v1/threads/${threadId}/comments`,
    { body, parentId, idempotencyKey: crypto.randomUUID() },
  )

/** What could identify someone: keys, IDs of accounts and sessions, addresses, anonymous IDs. */
async function whatNames() {
  const { db } = world
  const columns = await db.query<{ table: string; column: string; isBytes: boolean }>(sql`
    select table_name as table, column_name as column, data_type = 'bytea' as "isBytes"
      from information_schema.columns
     where table_schema = 'public' and (
       column_name in ('author_key', 'email_hash', 'email_sealed', 'password_hash', 'tag',
                       'requester_email', 'key_sealed', 'marks')
       or (data_type = 'bytea' and column_name in ('key', 'own_row_key', 'person_sealed'))
       or (table_name, column_name) in
          (('accounts', 'id'), ('ended_sessions', 'mark'), ('company_interactions', 'user_id')))`)
  expect(columns.map(({ table }) => table)).toEqual(
    expect.arrayContaining([
      'threads',
      'comments',
      'notifications',
      'contact_messages',
      'company_requests',
      'company_interactions',
      'interaction_keys',
      'visitor_marks',
    ]),
  )
  const found = new Map<string, string>()
  for (const { table, column, isBytes } of columns) {
    const base64 = `rtrim(encode(${column}, 'base64'), '=')`
    const forms = isBytes
      ? [`encode(${column}, 'hex')`, base64, `translate(${base64}, '+/', '-_')`]
      : [`${column}::text`]
    for (const form of forms)
      for (const { value } of await db.query<{ value: string | null }>(
        sql`select distinct ${raw(form)} as value from ${raw(table)}`,
      ))
        if (value) found.set(value, `${table}.${column}`)
  }
  found.set(VERAS_ID, 'the anonymous id of vera')
  for (const name of ['dana', 'erin', 'ada', 'olga'])
    found.set(`${name}@kettle.example`, `the address of ${name}`)
  found.set(CONTACT_ADDRESS, 'the address of a contact message')
  found.set(REQUEST_ADDRESS, 'the address of a company request')
  return found
}

/** Spec §2.11, §2.12, §6: the only owner sees who requested a company, and administrators see whom to reply to. */
const SHOWN: Record<string, { to: string[]; addresses: string[] }> = {
  '/api/v1/company-requests': {
    to: ['olga'],
    addresses: [REQUEST_ADDRESS, 'dana@kettle.example'],
  },
  '/api/v1/contact-messages': { to: ['ada', 'olga'], addresses: [CONTACT_ADDRESS] },
}
const shownAt = (path: string) => SHOWN[path.split('?')[0] as string]
function isShown(address: string, who: string, path: string) {
  const shown = shownAt(path)
  return Boolean(shown?.to.includes(who) && shown.addresses.includes(address))
}
/** Finds which of many names a text contains, with one lookup per position, however many names there are. */
function finder(names: string[]) {
  const shortest = Math.min(...names.map((name) => name.length))
  const byStart = new Map<string, string[]>()
  for (const name of names) {
    const start = name.slice(0, shortest)
    byStart.set(start, [...(byStart.get(start) ?? []), name])
  }
  return function* held(text: string) {
    for (let at = 0; at + shortest <= text.length; at++)
      for (const name of byStart.get(text.slice(at, at + shortest)) ?? [])
        if (text.startsWith(name, at)) yield name
  }
}

describe('what the site reveals', () => {
  let thread: Made
  let removed: Made
  let comment: { id: string }
  let company: { id: string; slug: string }

  beforeAll(async () => {
    company = await call('nobody', 'GET', '/api/v1/companies?search=Fennimoor').then(
      (it) => (it as { companies: { id: string; slug: string }[] }).companies[0] as never,
    )
    thread = await started('vera', 'Does anybody else count the meetings?', company.id)
    removed = await started('dana', 'Something that will not stay here')
    comment = await answered('dana', thread.id, 'Eleven on Tuesday.')
    const reply = await answered('vera', thread.id, 'Only eleven?', comment.id)
    await answered('dana', thread.id, `@${reply.author.name} twelve, with the stand-up`)
    await call('dana', 'PUT', `/api/v1/threads/${thread.id}/vote`, { vote: 1 })
    await call('dana', 'PUT', `/api/v1/threads/${thread.id}/saved`, { isSaved: true })
    await call('dana', 'PUT', `/api/v1/threads/${thread.id}/muted`, { isMuted: true })
    for (const who of ['vera', 'erin'])
      await call(who, 'POST', '/api/v1/reports', {
        kind: 'thread',
        id: removed.id,
        reason: 'spam',
        note: 'I have seen this elsewhere',
      })
    await call('dana', 'POST', '/api/v1/reports', {
      kind: 'thread',
      id: thread.id,
      reason: 'other',
      note: 'Just asking',
    })
    await call('ada', 'POST', `/api/v1/moderation/posts/thread/${removed.id}/remove`, {
      reason: 'spam',
      note: 'Please do not advertise',
    })
    await call('dana', 'POST', `/api/v1/my/moderation/thread/${removed.id}/appeal`, {
      text: 'It was no advertisement, it was a question.',
    })
    await call('dana', 'PUT', '/api/v1/my/digest', { digest: 'daily' })

    await call('vera', 'POST', '/api/v1/contact-messages', {
      name: 'Vera',
      email: CONTACT_ADDRESS,
      message: 'Who reads this?',
      idempotencyKey: crypto.randomUUID(),
    })
    const wish = { companyWebsite: 'https://quillfeather.example', isNotify: true }
    await call('vera', 'POST', '/api/v1/company-requests', {
      ...wish,
      companyName: 'Quillfeather Umbrellas',
      notifyEmail: REQUEST_ADDRESS,
    })
    await call('dana', 'POST', '/api/v1/company-requests', {
      ...wish,
      companyName: 'Quillfeather Parasols',
    })
    await call('dana', 'POST', '/api/v1/interactions', { companyId: company.id })
    await call('ada', 'POST', '/functions/v1/import-companies-custom', {
      companies: [{ name: 'Quillfeather Hats' }],
    })
    const { users } = await call<{ users: { handle: string }[] }>(
      'olga',
      'GET',
      '/api/v1/administration/users?search=erin%40kettle.example',
    )
    for (const act of ['grant', 'revoke'])
      await call('olga', 'POST', `/api/v1/administration/users/${users[0]?.handle}/${act}`)
    const { messages } = await call<{ messages: { id: string }[] }>(
      'ada',
      'GET',
      '/api/v1/contact-messages',
    )
    await call('ada', 'POST', `/api/v1/contact-messages/${messages[0]?.id}/answers`, {
      text: 'We all do.',
      idempotencyKey: crypto.randomUUID(),
    })
  })

  /** Each GET of the API, with its parameters filled in from existing data. */
  async function everyAnswer() {
    const { paths } = await call<{ paths: Record<string, Record<string, object>> }>(
      'nobody',
      'GET',
      '/api/openapi.json',
    )
    const ids: [RegExp, string[]][] = [
      [/\/companies\/\{id\}/, [company.id]],
      [/\/comments\/\{id\}/, [comment.id]],
      [/\{slug\}/, [company.slug]],
      [/\{id\}/, [thread.id, removed.id]],
    ]
    return Object.entries(paths)
      .filter(([path, methods]) => 'get' in methods && !path.endsWith('/live'))
      .flatMap(([path]) => {
        const values = ids.find(([pattern]) => pattern.test(path))?.[1] ?? ['']
        return values.map((value) => path.replace(/\{\w+\}/, value))
      })
      .map((path) => (/\/(clicks|company-views)$/.test(path) ? `${path}?ids=${company.id}` : path))
      .flatMap((path) =>
        path.endsWith('/users') && path.startsWith('/api/')
          ? [path, `${path}?search=dana%40kettle.example`, `${path}?list=administrators`]
          : [path],
      )
      .flatMap((path) =>
        path.endsWith('/contact-messages')
          ? [path, `${path}?search=${encodeURIComponent(CONTACT_ADDRESS)}`]
          : [path],
      )
      .flatMap((path) =>
        path === '/api/v1/threads' ? [path, `${path}?search=meetings`, `${path}?sort=new`] : [path],
      )
      .flatMap((path) => (path.endsWith('/queue') ? [path, `${path}?list=appeals`] : [path]))
  }

  test('no answer, page, feed or log has anyone’s key, id, address or anonymous id', async () => {
    const hears = async () =>
      (await call<{ unread: number }>('vera', 'GET', '/api/v1/notifications/unread')).unread
    await expect.poll(hears).toBeGreaterThan(0)
    const names = await whatNames()
    const heldIn = finder([...names.keys()])
    const pages = [
      '/',
      '/companies',
      '/discussions',
      '/discussions?search=meetings',
      `/${company.slug}`,
      thread.path,
      removed.path,
      '/my-discussions',
      '/notifications',
      '/admin',
      '/admin?section=users',
      '/admin/moderation',
      '/admin-tracking',
      '/admin-tools',
      '/feeds/discussions.atom',
      `/feeds/company/${company.slug}.atom`,
      '/feeds/topic/culture.atom',
    ]
    const addresses = [...(await everyAnswer()), ...pages]
    expect(addresses.length).toBeGreaterThan(35)
    for (const path of [
      ...Object.keys(SHOWN),
      '/api/v1/administration/log',
      '/api/v1/analytics.csv',
    ])
      expect(addresses).toContain(path)
    let answered = 0
    for (const who of Object.keys(people))
      for (const address of addresses) {
        const answer = await fetch(site.url + address, { headers: people[who], redirect: 'manual' })
        expect(answer.status, `${who} ${address}`).toBeLessThan(500)
        if (answer.ok) answered++
        const said = `${await answer.text()}\n${[...answer.headers].join('\n')}`
        // These tell people who they are.
        const isOwn = /^\/(api\/v1\/(me|my-page)|auth\/v1)\b/.test(address)
        if (isOwn) continue
        for (const name of heldIn(said))
          expect(isShown(name, who, address), `${who} reads ${names.get(name)} at ${address}`).toBe(
            true,
          )
        for (const name of shownAt(address)?.addresses ?? [])
          expect(said.includes(name), `${who} reads ${name}`).toBe(isShown(name, who, address))
      }
    expect(answered).toBeGreaterThan(150)
    expect([...heldIn(site.logs())].map((name) => names.get(name))).toEqual([])
  })

  test('a username is only where its owner put it', async () => {
    for (const path of [thread.path, '/discussions?sort=new', '/feeds/discussions.atom']) {
      const page = await (await fetch(site.url + path)).text()
      expect(page).not.toMatch(/\bDana\b/)
    }
    const queue = await call('ada', 'GET', '/api/v1/moderation/queue?list=appeals')
    expect(JSON.stringify(queue)).toContain('no advertisement')
    expect(JSON.stringify(queue)).not.toMatch(/\bDana\b/)
  })

  test('administrators’ clicks, requests and messages name no member', async () => {
    const read = (path: string) => call<Record<string, object[]>>('olga', 'GET', path)
    const [clicks, requests, messages] = await Promise.all([
      read('/api/v1/interactions'),
      read('/api/v1/company-requests'),
      read('/api/v1/contact-messages'),
    ])
    expect(clicks.interactions).toHaveLength(1)
    expect(requests.requests).toHaveLength(2)
    expect(messages.messages).toHaveLength(1)
    for (const answer of [clicks, requests, messages])
      expect(JSON.stringify(answer)).not.toMatch(/\bDana\b/)
  })

  test('a removed thread answers 410, with the reason', async () => {
    const page = await fetch(site.url + removed.path)
    expect(page.status).toBe(410)
    const html = await page.text()
    expect(html).toContain('This thread was removed by a moderator: Spam or advertising')
    expect(html).not.toContain('Something that will not stay here')
  })
})
