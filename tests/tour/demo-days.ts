/** What the demo people do before the pictures are taken, through the site's own routes. */
import { DEMO_PASSWORD } from '#app/identity/accounts/demo-people.server.ts'
import { DEMO_JOBS } from './demo-jobs.ts'

const VERA = `anon-${'7e4a'.repeat(8)}`

/** Titles begin like this, because there are many starter threads. */
export const THREADS = {
  badges: 'The new badge rule',
  moon: 'We finally voted on how to fold the Moon',
  lamp: 'On-call: 41 pages last week',
  canteen: 'Canteen here',
} as const

/** Companies, by slug. */
const FOLLOWED = ['lampwright-systems', 'halvmane-kartverksted', 'caixa-do-vale-quieto']

export type Who = 'vera' | 'dana' | 'erin' | 'ada' | 'olga'
type Answer = Record<string, unknown>

/** Where things are, by the names that the pictures use. */
export interface Found {
  threads: Record<keyof typeof THREADS, { id: string; path: string }>
  /** IDs by slug, which is also their path. */
  companies: Record<string, string>
  job: string
}

/** @param url of a site without rate limits or proof of work */
export async function liveDemoDays(url: string): Promise<Found> {
  const tokens: Partial<Record<Who, string>> = {}
  for (const who of ['dana', 'erin', 'ada', 'olga'] as const)
    tokens[who] = await tokenOf(url, `${who}@kettle.example`)
  const ask = async <Body = Answer>(who: Who, endpoint: string, body?: object): Promise<Body> => {
    const [method, path] = endpoint.split(' ')
    const answer = await fetch(url + path, {
      method,
      headers: {
        ...(tokens[who] ? { authorization: `Bearer ${tokens[who]}` } : { 'x-anonymous-id': VERA }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${who}, ${endpoint}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Body
  }
  const idempotencyKey = () => crypto.randomUUID()

  const companies: Found['companies'] = {}
  for (const slug of new Set([
    ...FOLLOWED,
    ...DEMO_JOBS.map(([slug]) => slug),
    'pawnwick-house-games',
  ]))
    companies[slug] = (
      await ask<{ id: string }>('vera', `GET /api/v1/companies/by-slug/${slug}`)
    ).id
  const findThread = async (title: string) => {
    const { threads } = await ask<{ threads: { id: string; path: string; title: string }[] }>(
      'vera',
      `GET /api/v1/threads?sort=new&search=${encodeURIComponent(title)}`,
    )
    const found = threads.find((it) => it.title.startsWith(title))
    if (!found) throw new Error(`No thread is called ${title}`)
    return { id: found.id, path: found.path }
  }
  const threads = Object.fromEntries(
    await Promise.all(
      Object.entries(THREADS).map(async ([key, title]) => [key, await findThread(title)]),
    ),
  ) as Found['threads']
  const say = (who: Who, threadId: string, body: string, parentId?: string) =>
    ask<{ id: string }>(who, `POST /api/v1/threads/${threadId}/comments`, {
      body,
      parentId,
      idempotencyKey: idempotencyKey(),
    })

  const policy = (slug: string, to: object) =>
    ask('ada', `POST /api/v1/companies/${companies[slug]}/edits`, {
      changes: { policy: { from: null, to: { since: '2025-09', source: null, ...to } } },
    })
  await policy('lampwright-systems', { mode: 'hybrid', days: 3 })
  await policy('caixa-do-vale-quieto', { mode: 'hybrid', days: 2 })
  await policy('hoshimori-ward-robotics', { mode: 'office', days: 4 })

  // Dana follows companies, and is notified of what comes next.
  for (const slug of FOLLOWED)
    await ask('dana', `PUT /api/v1/companies/${companies[slug]}/follow`, { isFollowing: true })
  await ask('dana', 'POST /api/v1/my/job-alerts', { search: 'engineer', remote: 'remote' })

  let job = ''
  for (const [slug, posted] of DEMO_JOBS) {
    const jobs = `POST /api/v1/companies/${companies[slug]}/jobs`
    job = (
      await ask<{ path: string }>('erin', jobs, { job: posted, idempotencyKey: idempotencyKey() })
    ).path
  }

  // She asks a question, and gets a reply.
  const asked = await ask<{ id: string }>('dana', 'POST /api/v1/threads', {
    title: 'Does anybody count the fog days?',
    body: 'Nobody is to come in when the boats stay in. Nobody has written it down either.',
    companyId: companies['lampwright-systems'],
    topics: ['return-to-office'],
    idempotencyKey: idempotencyKey(),
  })
  const answer = await say(
    'vera',
    asked.id,
    'We do, with a pencil. They *do* count as office days.',
  )
  await ask('dana', `PUT /api/v1/comments/${answer.id}/vote`, { vote: 1 })
  const own = await say('dana', threads.canteen.id, 'Seconds are the whole point of a canteen.')
  await say('vera', threads.canteen.id, 'And of friendship.', own.id)
  await ask('vera', 'POST /api/v1/threads', {
    title: 'Badge rule, second month: who got to twelve?',
    body: 'I have eleven, and a cold.',
    companyId: companies['lampwright-systems'],
    topics: ['return-to-office'],
    idempotencyKey: idempotencyKey(),
  })
  await ask('erin', `POST /api/v1/threads/${asked.id}/company-reply`, {
    text: 'They count as office days, and it is written down now: page four of the memo.',
  })
  await ask('erin', `POST /api/v1/threads/${threads.lamp.id}/company-reply`, {
    text:
      'You are right about the lamp. It was taken off the chart in 1987 and never off our monitoring; ' +
      'since Monday it pages nobody. Whoever was on call last week has two days off.',
  })
  await ask('dana', `PUT /api/v1/threads/${threads.moon.id}/poll`, { optionIndex: 2 })
  await ask('dana', `PUT /api/v1/threads/${threads.moon.id}/vote`, { vote: 1 })

  // Some posts for moderators to look at.
  const advert = await say('vera', threads.canteen.id, 'Best coffee beans in town, ask me!')
  const rude = await say('vera', threads.moon.id, 'My desk neighbor Uwe Krahn voted twice.')
  const report = (who: Who, id: string, reason: string, kind = 'comment') =>
    ask(who, 'POST /api/v1/reports', { kind, id, reason })
  await report('dana', advert.id, 'spam')
  await report('erin', advert.id, 'spam')
  await report('dana', rude.id, 'private-data')

  return { threads, companies, job }
}

async function tokenOf(url: string, email: string) {
  const answer = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: DEMO_PASSWORD }),
  })
  const { access_token } = (await answer.json()) as { access_token?: string }
  if (!access_token) throw new Error(`${email} cannot sign in: ${answer.status}`)
  return access_token
}
