/**
 * Spec §6 as one table: every endpoint that administrators have, over the site's own routes, asked by
 * everybody. Whoever adds an endpoint adds its row: a route that stands in neither list is a failure.
 */
import sharp from 'sharp'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import { actorOf } from '../app/auth/actor.server.ts'
import { type Actor, visitor } from '../app/auth/actor.ts'
import { sealedAddress } from '../app/auth/addresses.server.ts'
import { authorKeyOfAccount } from '../app/auth/author-keys.server.ts'
import type { Ctx } from '../app/auth/context.server.ts'
import { createTokens } from '../app/auth/tokens.server.ts'
import { accountContract } from '../app/features/accounts/account.contract.ts'
import { claimContract } from '../app/features/claims/claim.contract.ts'
import { companyContract } from '../app/features/companies/company.contract.ts'
import { editCompany } from '../app/features/companies/edit-commands.server.ts'
import { sendMessage } from '../app/features/contact/contact-commands.server.ts'
import { dashboardContract } from '../app/features/dashboard/dashboard.contract.ts'
import { addComment } from '../app/features/discussions/comment-commands.server.ts'
import { discussionContract } from '../app/features/discussions/discussion.contract.ts'
import { postKeepers } from '../app/features/discussions/keepers.server.ts'
import { createProofs } from '../app/features/discussions/proof.server.ts'
import { startThread } from '../app/features/discussions/thread-commands.server.ts'
import { followContract } from '../app/features/following/follow.contract.ts'
import { jobContract } from '../app/features/jobs/job.contract.ts'
import { createJobCounts } from '../app/features/jobs/job-counts.server.ts'
import { savedJobContract } from '../app/features/jobs/saved-job.contract.ts'
import { appealRemoval } from '../app/features/moderation/appeal-commands.server.ts'
import { removePost } from '../app/features/moderation/moderation-commands.server.ts'
import { reportPost } from '../app/features/moderation/report-commands.server.ts'
import { lockThread, pinThread } from '../app/features/moderation/thread-ruling-commands.server.ts'
import { notificationContract } from '../app/features/notifications/notification.contract.ts'
import { noteKeeper } from '../app/features/ratings/keepers.server.ts'
import { ratingContract } from '../app/features/ratings/rating.contract.ts'
import { replyContract } from '../app/features/replies/reply.contract.ts'
import { requestCompany } from '../app/features/requests/request-commands.server.ts'
import { siteContract } from '../app/features/site/site.contract.ts'
import { createTracking } from '../app/features/tracking/tracking.server.ts'
import { answerRoutes } from '../app/main.routes.server.ts'
import { readConfig } from '../app/server/config.server.ts'
import type { OpenDatabase } from '../app/server/database.server.ts'
import { createHttp, type Http } from '../app/server/http.server.ts'
import { createJobs } from '../app/server/jobs.server.ts'
import { createPageCache } from '../app/server/page-cache.server.ts'
import { giveErinHerCompany, OWNER_EMAIL } from './people.ts'
import { usualSigningKey } from './support/auth-site.ts'
import { NOW, testSecrets, withDatabase } from './support/database.ts'

/**
 * Beside the cast: `token` is a visitor with one that is no good, uma a member whose address is
 * unconfirmed, sam a suspended member. Nobody of them wrote the posts, all may have asked for Acme.
 */
const WHO = ['vera', 'token', 'dana', 'uma', 'erin', 'ada', 'olga', 'sam'] as const

const TABLE = readTable(`
                                                          vera token dana  uma erin  ada olga  sam
POST   /api/v1/company-requests                            201  401  201  201  201  201  201  401
GET    /api/v1/company-requests                            401  401  403  403  403  403  200  401
DELETE /api/v1/company-requests/{request}                  401  401  403  403  403  403  200  401
POST   /api/v1/company-requests/{request}/approve          401  401  403  403  403  403  200  401
POST   /api/v1/company-requests/{request}/link             401  401  403  403  403  403  200  401
POST   /api/v1/company-requests/{request}/decline          401  401  403  403  403  403  200  401
POST   /functions/v1/notify-company-request                401  401  200  200  200  200  200  401

POST   /api/v1/contact-messages                            201  401  201  201  201  201  201  401
GET    /api/v1/contact-messages                            401  401  403  403  403  200  200  401
GET    /api/v1/contact-messages/unread                     401  401  403  403  403  200  200  401
PUT    /api/v1/contact-messages/{message}/status           401  401  403  403  403  200  200  401
POST   /api/v1/contact-messages/{message}/answers          401  401  403  403  403  201  201  401

GET    /api/v1/administration/stats                        401  401  403  403  403  200  200  401
GET    /api/v1/administration/users                        401  401  403  403  403  200  200  401
POST   /api/v1/administration/users/{mallory}/grant        401  401  403  403  403  403  200  401
POST   /api/v1/administration/users/{adam}/revoke          401  401  403  403  403  403  200  401
POST   /api/v1/administration/users/{mallory}/suspend      401  401  403  403  403  200  200  401
POST   /api/v1/administration/users/{sam}/unsuspend        401  401  403  403  403  200  200  401
POST   /api/v1/administration/users/{mallory}/deletion     401  401  403  403  403  200  200  401
GET    /api/v1/administration/log                          401  401  403  403  403  200  200  401
GET    /auth/v1/admin/users                                401  403  403  403  403  200  200  403
POST   /auth/v1/admin/users                                401  403  403  403  403  200  200  403
GET    /auth/v1/admin/users/{malloryId}                    401  403  403  403  403  200  200  403
PUT    /auth/v1/admin/users/{malloryId}                    401  403  403  403  403  200  200  403
DELETE /auth/v1/admin/users/{malloryId}                    401  403  403  403  403  200  200  403

POST   /api/v1/views                                       202  401  202  202  202  202  202  401
POST   /api/v1/interactions                                202  401  202  202  202  202  202  401
GET    /api/v1/interactions                                401  401  403  403  403  200  200  401
GET    /api/v1/company-views                               401  401  403  403  403  200  200  401
GET    /api/v1/clicks                                      401  401  403  403  403  200  200  401
GET    /api/v1/clicks.csv                                  401  401  403  403  403  200  200  401
GET    /api/v1/analytics                                   401  401  403  403  403  200  200  401
GET    /api/v1/analytics.csv                               401  401  403  403  403  200  200  401

GET    /api/v1/admin-tools                                 401  401  200  200  200  200  200  401
POST   /functions/v1/scrape-market-movers                  401  401  403  403  403  200  200  401
POST   /functions/v1/import-companies-custom               401  401  403  403  403  200  200  401
POST   /api/v1/imports                                     401  401  403  403  403  200  200  401
GET    /api/v1/imports/template.csv                        200  200  200  200  200  200  200  200

GET    /api/v1/companies/{company}/edits                   200  401  200  200  200  200  200  401
POST   /api/v1/companies/{company}/edits                   401  401  200  403  200  200  200  401
GET    /api/v1/company-edits                               401  401  403  403  403  200  200  401
POST   /api/v1/company-edits/{suggestion}/accept           401  401  403  403  403  200  200  401
POST   /api/v1/company-edits/{suggestion}/decline          401  401  403  403  403  200  200  401
POST   /api/v1/company-edits/{change}/revert               401  401  403  403  403  200  200  401
POST   /api/v1/companies/{company}/logo                    401  401  403  403  403  200  200  401
POST   /api/v1/companies/{company}/logo-fetch              401  401  403  403  403  202  202  401

POST   /api/v1/reports                                     201  401  201  201  201  201  201  401
GET    /api/v1/removals                                    200  401  200  200  200  200  200  401
GET    /api/v1/my/moderation                               200  401  200  200  200  200  200  401
POST   /api/v1/my/moderation/comment/{removed}/appeal      404  401  404  404  404  404  404  401
GET    /api/v1/moderation/queue                            401  401  403  403  403  200  200  401
GET    /api/v1/moderation/log                              401  401  403  403  403  200  200  401
POST   /api/v1/moderation/log/{pinned}/undo                401  401  403  403  403  200  200  401
POST   /api/v1/moderation/posts/thread/{thread}/keep       401  401  403  403  403  200  200  401
POST   /api/v1/moderation/posts/thread/{thread}/remove     401  401  403  403  403  200  200  401
POST   /api/v1/moderation/posts/thread/{thread}/suspend    401  401  403  403  403  200  200  401
POST   /api/v1/moderation/posts/comment/{removed}/accept-appeal
                                                           401  401  403  403  403  200  200  401
POST   /api/v1/moderation/posts/comment/{removed}/decline-appeal
                                                           401  401  403  403  403  200  200  401
POST   /api/v1/moderation/threads/{thread}/lock            401  401  403  403  403  200  200  401
POST   /api/v1/moderation/threads/{other}/unlock           401  401  403  403  403  200  200  401
POST   /api/v1/moderation/threads/{thread}/pin             401  401  403  403  403  200  200  401
POST   /api/v1/moderation/threads/{other}/unpin            401  401  403  403  403  200  200  401
POST   /api/v1/moderation/threads/{thread}/move            401  401  403  403  403  200  200  401

GET    /api/v1/claims                                      401  401  403  403  403  200  200  401
POST   /api/v1/claims/{claim}/approve                      401  401  403  403  403  200  200  401
POST   /api/v1/claims/{claim}/decline                      401  401  403  403  403  200  200  401
POST   /api/v1/claims/{erins}/revoke                       401  401  403  403  403  200  200  401

DELETE /api/v1/threads/{thread}                            403  401  403  403  403  200  200  401
DELETE /api/v1/comments/{comment}                          403  401  403  403  403  200  200  401
POST   /api/v1/my/threads/deletion                         403  401  403  403  403  403  403  401
`)

/** What else the site answers: open to everybody, or one's own. */
const ELSEWHERE = [
  accountContract,
  companyContract,
  dashboardContract,
  discussionContract,
  followContract,
  jobContract,
  notificationContract,
  ratingContract,
  replyContract,
  savedJobContract,
  siteContract,
  // What is everybody's own; the rest of it is administrators'.
  Object.fromEntries(Object.entries(claimContract).filter(([it]) => !it.includes('/v1/claims'))),
].flatMap((contract) => Object.entries(contract))
const BOUND_BY_HAND = [
  'GET /healthz',
  'GET /readyz',
  'GET /api/openapi.json',
  'GET /logos/:file',
  'GET /feeds/discussions.atom',
  'GET /feeds/company/:file',
  'GET /feeds/topic/:file',
  'GET /feeds/*',
  'GET /api/v1/companies/:id/ratings.csv',
  'GET /api/v1/companies/:id/dashboard.csv',
  'GET /claims/confirm',
  'POST /claims/confirm',
  'GET /api/v1/threads/:id/live',
  'GET /unsubscribe',
  'POST /unsubscribe',
]
/** Signing in, and the pages that show the document of the interface. */
const OF_OTHERS = / \/(auth\/v1\/(?!admin)|api\/docs\/?)/

/** Words of rows that only administrators may read. */
const KEPT_WORDS = /Mallory|people\.example|kettle\.example|Lindworm|quagga|Saturdays/i

interface Row {
  endpoint: string
  statuses: Record<string, number>
}

/** Lines of an endpoint and a status per person; a long endpoint stands on a line of its own. */
function readTable(text: string): Row[] {
  const words = text.trim().split('\n').slice(1).join(' ').split(/\s+/)
  const rows: Row[] = []
  while (words.length > 0) {
    const endpoint = words.splice(0, 2).join(' ')
    const statuses = words.splice(0, WHO.length).map(Number)
    rows.push({
      endpoint,
      statuses: Object.fromEntries(WHO.map((who, i) => [who, statuses[i] ?? 0])),
    })
  }
  return rows
}

const { as, outside } = withDatabase()

/** Each call is a transaction of its own that never commits, so all find the same. */
let current: Ctx
const db = new Proxy({} as OpenDatabase, {
  get: (_, name) => (name === 'listen' ? async () => {} : Reflect.get(current.db, name)),
})
const base = {
  db,
  now: () => NOW,
  secrets: testSecrets,
  jobs: createJobs(db, { now: () => NOW }),
}
const ROUTES: { endpoint: string; pattern: RegExp }[] = []

let http: Http
let tokenOf: Record<string, string | undefined>
let names: Record<string, string>
let picture: Buffer

beforeAll(async () => {
  const tokens = createTokens({
    keys: [await usualSigningKey()],
    issuer: () => 'http://kettle.test/auth/v1',
    lifetime: 3600,
  })
  http = await openSite(tokens)
  const world = await settleWorld()
  names = world.names
  tokenOf = Object.fromEntries(
    Object.entries(world.people).map(([name, { account }]) => [
      name,
      tokens.sign({ session_id: account?.sessionId, role: 'authenticated' }, account?.id ?? '')
        .token,
    ]),
  )
  tokenOf.token = `${tokenOf.olga?.slice(0, -4)}AAAA`
  tokenOf.notice = world.notice
  picture = await sharp({ create: { width: 32, height: 32, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
})

/** The site as main composes it, but for its pages, its jobs and its clock. */
async function openSite(tokens: ReturnType<typeof createTokens>) {
  const config = readConfig({ LOG_LEVEL: 'silent', RATE_LIMITS: 'off' })
  const cache = createPageCache(async () => ({ status: 404, html: '' }), { headers: [] })
  const http = await createHttp({ config, pages: { keyOf: (url) => url, cache } })
  http.addHook('onRoute', ({ method, url }) => {
    // Several methods at once are those that an address does not have.
    if (Array.isArray(method) || method === 'HEAD') return
    const endpoint = `${method} ${url}`
    ROUTES.push({ endpoint, pattern: new RegExp(`^${endpoint.replace(/:\w+/g, '[^/]+')}$`) })
  })
  const site = {
    siteName: 'Kettle',
    siteUrl: 'http://kettle.test',
    contactDomain: 'kettle.test',
    flags: config.flags,
    build: { buildTime: NOW.toISOString(), timestamp: NOW.getTime() },
  }
  const auth = {
    tokens,
    siteName: site.siteName,
    siteUrl: () => site.siteUrl,
    autoconfirm: true,
    redirectUrls: [],
    ownerEmail: OWNER_EMAIL,
  }
  await answerRoutes({
    http,
    db,
    base,
    site,
    auth,
    ratings: { minShown: 1 },
    // Nobody listens there: a run that is let in ends at once.
    marketMovers: { name: 'Movers', url: 'http://127.0.0.1:9/', isChosen: true },
    hasRateLimits: false,
    proofs: createProofs(0),
    tracking: createTracking(base, { hasRateLimits: false }),
    jobCounts: createJobCounts(base, { hasRateLimits: false }),
    contextOf: async (credentials) => ({
      ...base,
      network: credentials.network,
      actor: await actorOf({ ...base, tokens, ownerEmail: OWNER_EMAIL }, credentials),
    }),
    htmlPage: (title) => title,
    forgetPages: () => {},
  })
  await http.ready()
  return http
}

/** Mallory wrote it all, and Adam, an administrator, decided; so no column is about its own. */
async function settleWorld() {
  const ctx = { ...base, db: outside(), network: '127.0.0.1', actor: visitor }
  const company = await giveErinHerCompany(ctx.db)
  await ctx.db.query(sql`update companies set website = 'https://erin.example'`)
  const people: Record<string, Actor> = {
    mallory: await addPerson('Mallory'),
    adam: await addPerson('Adam', { isAdmin: true }),
    uma: await addPerson('Uma', { isConfirmed: false }),
    sam: await addPerson('Sam', { isSuspended: true }),
    suspendedAdmin: await addPerson('Sue', { isSuspended: true, isAdmin: true }),
    signedOutAdmin: await addPerson('Seth', { isAdmin: true }),
  }
  await ctx.db.query(
    sql`delete from sessions where account_id = ${people.signedOutAdmin?.account?.id}`,
  )
  for (const name of ['dana', 'erin', 'ada', 'olga'] as const)
    people[name] = await as(name, async ({ actor }) => actor)
  const seenBy = (name: string) => ({
    ...ctx,
    actor: people[name] as Actor,
    keepers: { ...postKeepers, note: noteKeeper },
  })
  const [mallory, adam] = [seenBy('mallory'), seenBy('adam')]

  const ask = { companyWebsite: '', isNotify: true, notifyEmail: 'vera@people.example' }
  for (const name of ['dana', 'uma', 'erin', 'ada', 'olga', 'sam'])
    await requestCompany(seenBy(name), { ...ask, companyName: 'Acme' })
  const { notice } = await requestCompany(ctx, { ...ask, companyName: 'Acme' })
  await requestCompany(mallory, { ...ask, companyName: 'Lindworm Tea' })
  await sendMessage(mallory, {
    name: 'Mallory',
    email: 'mallory@people.example',
    message: 'A quagga stands in the kitchen.',
    sending: crypto.randomUUID(),
  })

  const post = { name: 'pseudonym', topics: [] as string[], companyId: company } as const
  const [thread, other] = [
    await startThread(mallory, {
      ...post,
      title: 'About Thursdays',
      body: 'Nobody comes in.',
      sending: crypto.randomUUID(),
    }),
    await startThread(mallory, {
      ...post,
      title: 'About Fridays',
      body: 'Nobody stays.',
      sending: crypto.randomUUID(),
    }),
  ]
  const say = (body: string) =>
    addComment(mallory, thread.id, { body, name: 'pseudonym', sending: crypto.randomUUID() })
  const comment = await say('I was there, and it is true.')
  const removed = await say('Not one word of this about Saturdays.')
  const removedPost = { kind: 'comment', id: removed.id } as const
  await removePost(adam, removedPost, { reason: 'spam', note: '' })
  await appealRemoval(mallory, removedPost, 'Please look again, this is my own experience')
  await reportPost(adam, { kind: 'thread', id: thread.id }, { reason: 'spam', note: '' })
  await lockThread(adam, other.id)
  const { entry: pinned } = await pinThread(adam, other.id)

  await editCompany(mallory, company, {
    changes: { description: { from: null, to: 'Lindworm breeders.' } },
    reason: '',
  })
  await editCompany(adam, company, {
    changes: { category: { from: 'Other', to: 'Tea' } },
    reason: '',
  })
  await ctx.db.query(sql`
    insert into employer_claims (account_id, company_id, claimed_on, method, domain, is_verified)
    values (${people.mallory?.account?.id}, ${company}, '2026-03-01', 'dns', 'erin.example', true)`)
  const [found] = await ctx.db.query<Record<string, string>>(sql`
    select (select id from employer_claims where status = 'pending') as claim,
           (select id from employer_claims where status = 'approved') as erins,
           (select id from company_requests where company_name like 'Lindworm%') as request,
           (select id from contact_messages) as message,
           (select id::text from company_edits where status = 'suggested') as suggestion,
           (select id::text from company_edits where status = 'applied') as change`)
  const handle = (name: string) => testSecrets.seal(people[name]?.account?.id ?? '')
  return {
    people,
    notice: notice as string,
    names: {
      ...found,
      company,
      thread: thread.id,
      other: other.id,
      comment: comment.id,
      removed: removed.id,
      pinned: String(pinned),
      mallory: handle('mallory'),
      adam: handle('adam'),
      sam: handle('sam'),
      malloryId: people.mallory?.account?.id as string,
    } as Record<string, string>,
  }
}

async function addPerson(
  username: string,
  { isConfirmed = true, isSuspended = false, isAdmin = false } = {},
): Promise<Actor> {
  const db = outside()
  const { hash, sealed } = sealedAddress(testSecrets, `${username}@people.example`)
  const [row] = await db.query<{ id: string; sessionId: string }>(sql`
    with account as (
      insert into accounts
        (email_hash, email_sealed, is_email_confirmed, is_suspended, made_in_month)
      values (${hash}, ${sealed}, ${isConfirmed}, ${isSuspended}, '2026-02-01') returning id),
    profile as (
      insert into profiles (account_id, username, username_key)
      select id, ${username}, ${username.toLowerCase()} from account)
    insert into sessions (account_id, method, expires_on)
    select id, 'password', '2099-01-01' from account
    returning account_id as id, id as "sessionId"`)
  const { id = '', sessionId = '' } = row ?? {}
  if (isAdmin) await db.query(sql`insert into admin_users (id) values (${id})`)
  return {
    role: isAdmin ? 'admin' : 'member',
    userType: null,
    authorKey: authorKeyOfAccount(testSecrets, id),
    account: {
      id,
      sessionId,
      username,
      memberSince: '2026-02',
      cred: 0,
      isEmailConfirmed: isConfirmed,
      emailSealed: sealed,
      newEmailSealed: null,
    },
  }
}

interface Sent {
  query?: Record<string, string>
  headers?: Record<string, string>
  payload?: object | string | Buffer
}

/** What an administrator would send; nothing where nothing is named. */
function sentTo(endpoint: string): Sent {
  const { company = '', thread = '' } = names
  const sending = crypto.randomUUID()
  const sent: Record<string, Sent> = {
    'POST /api/v1/company-requests': { payload: { companyName: 'Anvils' } },
    'POST /api/v1/company-requests/{request}/link': { payload: { companyId: company } },
    'POST /functions/v1/notify-company-request': {
      payload: { companyName: 'Acme', companyWebsite: 'Not provided', requesterEmail: 'Anonymous' },
    },
    'POST /api/v1/contact-messages': {
      payload: { name: 'A', email: 'a@b.example', message: 'What is new here?', sending },
    },
    'PUT /api/v1/contact-messages/{message}/status': { payload: { status: 'read' } },
    'POST /api/v1/contact-messages/{message}/answers': {
      payload: { text: 'Thank you for telling us.', sending },
    },
    'POST /api/v1/administration/users/{mallory}/deletion': {
      payload: { confirmation: 'Mallory' },
    },
    'POST /auth/v1/admin/users': { payload: { email: 'new@somewhere.example' } },
    'PUT /auth/v1/admin/users/{malloryId}': { payload: { ban_duration: '24h' } },
    'POST /api/v1/views': { payload: { companyId: company } },
    'POST /api/v1/interactions': { payload: { companyId: company } },
    'GET /api/v1/company-views': { query: { ids: company } },
    'GET /api/v1/clicks': { query: { ids: company } },
    'POST /functions/v1/scrape-market-movers': { payload: { limit: 1 } },
    'POST /functions/v1/import-companies-custom': { payload: { companies: [{ name: 'Anvils' }] } },
    'POST /api/v1/imports': { headers: { 'content-type': 'text/csv' }, payload: 'name\nAnvils\n' },
    'POST /api/v1/companies/{company}/edits': {
      payload: { changes: { name: { from: 'Erin and Sons', to: 'Erin and Daughters' } } },
    },
    'POST /api/v1/companies/{company}/logo': {
      headers: { 'content-type': 'image/png' },
      payload: picture,
    },
    'POST /api/v1/reports': { payload: { kind: 'thread', id: thread, reason: 'spam' } },
    'POST /api/v1/my/moderation/comment/{removed}/appeal': {
      payload: { text: 'Please look again, this is my own experience' },
    },
    'POST /api/v1/moderation/posts/thread/{thread}/remove': { payload: { reason: 'spam' } },
    'POST /api/v1/moderation/posts/thread/{thread}/suspend': {
      payload: { days: 7, reason: 'spam' },
    },
    'POST /api/v1/moderation/posts/comment/{removed}/decline-appeal': { payload: {} },
    'POST /api/v1/claims/{claim}/decline': { payload: {} },
    'POST /api/v1/moderation/threads/{thread}/move': { payload: { companyId: null } },
    'POST /api/v1/my/threads/deletion': { payload: { title: 'About Thursdays' } },
  }
  return sent[endpoint] ?? {}
}

/** An id, an account's handle or a number that nothing has. */
const unknown = (name: string) =>
  ({
    mallory: testSecrets.seal(crypto.randomUUID()),
    adam: testSecrets.seal(crypto.randomUUID()),
    sam: testSecrets.seal(crypto.randomUUID()),
    suggestion: '987654',
    change: '987654',
    pinned: '987654',
  })[name] ?? crypto.randomUUID()

/** One call as somebody's browser makes it, undone afterwards. */
const call = (who: string, endpoint: string, nameOf = (name: string) => names[name] ?? '') =>
  as('vera', async (ctx) => {
    current = ctx
    const [method, path = ''] = endpoint.split(' ')
    const { query, headers, payload } = sentTo(endpoint)
    const token = tokenOf[who]
    const answer = await http.inject({
      method: method as 'GET',
      url: path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(nameOf(name))),
      headers: {
        ...headers,
        ...(token ? { authorization: `Bearer ${token}` } : { 'x-anonymous-id': ANONYMOUS_ID }),
      },
      ...(query && { query }),
      ...(payload !== undefined && { payload }),
    })
    const [wrote] = await ctx.db.query<{ isSo: boolean }>(
      sql`select pg_current_xact_id_if_assigned() is not null as "isSo"`,
    )
    return { status: answer.statusCode, text: answer.body, hasWritten: wrote?.isSo }
  })
const ANONYMOUS_ID = `anon-${'5eca'.repeat(8)}`

/** Whose a post is, only its locked row says. */
const LOCKS_FIRST = /^DELETE \/api\/v1\/(threads|comments)\//
const ADMINISTRATORS: string[] = ['ada', 'olga']
/** A sentence and its code, in the shape of the site, of `/auth/v1` or of Spec §7.3. */
const REFUSAL = [
  ['error.code', 'error.message'],
  ['code', 'error_code', 'msg'],
  ['error', 'imported', 'success'],
].map(String)
const fieldsOf = (body: object, prefix = ''): string[] =>
  Object.entries(body).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null
      ? fieldsOf(value, `${prefix}${key}.`)
      : `${prefix}${key}`,
  )

/** A sentence, no row; and who is no administrator gets as far as a lock nowhere. */
function expectNothingTold(endpoint: string, who: string, { text, status, hasWritten }: Answer) {
  expect(REFUSAL).toContain(String(fieldsOf(JSON.parse(text)).sort()))
  expect(text).not.toMatch(KEPT_WORDS)
  for (const name of Object.values(names).filter(({ length }) => length > 8))
    expect(text).not.toContain(name)
  if (status !== 404 && !ADMINISTRATORS.includes(who) && !LOCKS_FIRST.test(endpoint))
    expect(hasWritten).toBe(false)
}
type Answer = Awaited<ReturnType<typeof call>>

test('every endpoint of the site stands in the table, or among those that are not for administrators', () => {
  const hasRow = ({ pattern }: (typeof ROUTES)[number]) =>
    TABLE.some(({ endpoint }) => pattern.test(endpoint))
  const routes = ROUTES.filter(({ endpoint }) => !OF_OTHERS.test(endpoint))
  const elsewhere = [
    ...BOUND_BY_HAND,
    ...ELSEWHERE.map(([endpoint]) => endpoint.replace(/\{(\w+)\}/g, ':$1')),
  ]
  const missing = routes.filter((route) => !hasRow(route)).map(({ endpoint }) => endpoint)
  expect(missing.filter((endpoint) => !elsewhere.includes(endpoint))).toEqual([])
  const gone = TABLE.filter(({ endpoint }) => !ROUTES.some(({ pattern }) => pattern.test(endpoint)))
  expect(gone).toEqual([])
  expect(BOUND_BY_HAND.filter((endpoint) => !missing.includes(endpoint))).toEqual([])
  // Whoever writes one for administrators into another contract says so there.
  for (const [endpoint, { summary }] of ELSEWHERE)
    expect(summary, endpoint).not.toMatch(/administrator|moderator|for the owner/i)
})

describe('Spec §6', () => {
  test.each(TABLE.map((row) => [row.endpoint, row] as const))('%s', async (endpoint, row) => {
    const answers: Record<string, Answer> = {}
    for (const who of WHO) answers[who] = await call(who, endpoint)
    const got = Object.fromEntries(WHO.map((who) => [who, answers[who]?.status]))
    expect(
      got,
      Object.values(answers)
        .map(({ text }) => text)
        .join('\n'),
    ).toEqual(row.statuses)
    for (const [who, answer] of Object.entries(answers)) {
      if (answer.status >= 400) expectNothingTold(endpoint, who, answer)
      if (!ADMINISTRATORS.includes(who)) expect(answer.text).not.toMatch(KEPT_WORDS)
    }
  })

  test('what is not there is refused like what is: nobody learns which ids exist', async () => {
    const guarded = TABLE.filter(
      ({ endpoint, statuses }) =>
        endpoint.includes('{') && statuses.dana === 403 && !LOCKS_FIRST.test(endpoint),
    )
    expect(guarded.length).toBeGreaterThan(25)
    for (const { endpoint, statuses } of guarded)
      for (const who of ['vera', 'dana']) {
        const answer = await call(who, endpoint, unknown)
        expect(answer.status, `${who}, ${endpoint}`).toBe(statuses[who])
        expectNothingTold(endpoint, who, answer)
      }
  })

  test.each(['notice', 'suspendedAdmin', 'signedOutAdmin'])(
    'the token %s opens no more than one that is no good',
    async (who) => {
      for (const { endpoint, statuses } of TABLE) {
        const isItsOwn = who === 'notice' && endpoint.endsWith('/notify-company-request')
        const isOfAnAccount = who !== 'notice' && endpoint.includes('/auth/v1/')
        const answer = await call(who, endpoint)
        expect(answer.status, endpoint).toBe(
          isItsOwn ? 200 : isOfAnAccount ? statuses.sam : statuses.token,
        )
        if (answer.status >= 400) expectNothingTold(endpoint, who, answer)
      }
    },
  )
})
