/**
 * A small world for tests that call every endpoint: one of each thing, and people with every role. Mona, a member, wrote
 * nearly everything. The world is created through the site's own routes.
 */

import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import sql from 'sql-template-tag'
import type { AuthSettings } from '#app/api/auth/actor.server.ts'
import { type Actor, visitor } from '#app/api/auth/actor.ts'
import { addressOf, sealedAddress } from '#app/api/auth/addresses.server.ts'
import { authorKeyOfAccount, authorKeyOfVisitor } from '#app/api/auth/author-keys.server.ts'
import { openAccountRoot, rootOf } from '#app/api/auth/roots.server.ts'
import { endSession } from '#app/api/auth/session-marks.server.ts'
import { makeClaimLink } from '#app/companies/claims/claim-mail.server.ts'
import { codeOfLink, makeLink } from '#app/identity/accounts/auth-server/link-commands.server.ts'
import { insertFactor } from '#app/identity/accounts/second-factors/factor-rows.server.ts'
import { KEY_BYTES } from '#app/identity/credentials/credential.ts'
import { unsubscribeToken } from '#app/moderation/notifications/digest-choice.server.ts'
import { newsOffToken } from '#app/office/dashboard/company-news.server.ts'
import type { Database, OpenDatabase } from '#app/platform/database/database.server.ts'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import { giveErinHerCompany, type Person, testRoot } from '../people.ts'
import { notificationRow } from '../support/authors.ts'
import { testSecrets } from '../support/database.ts'
import { aRating, rate } from '../support/raters.ts'
import type { Endpoints } from './endpoints.ts'

/** What a person's browser identifies itself with. */
export interface Browser {
  token?: string
  anonymousId?: string
}

export interface World {
  /** The callers, by name, and invalid tokens. */
  browsers: Record<string, Browser>
  /** The names of things in addresses: `thread` is the ID of mona's thread. */
  names: Record<string, string>
  /** For each person, what no one else may learn about them. */
  secrets: Record<string, string[]>
  /** The secrets that people may learn about themselves: account IDs and addresses. */
  allowed: Set<string>
  picture: Buffer
}

/** Signed-out visitors. `OTHERS` describes everyone else. */
export const VISITORS = ['vera', 'vic'] as const
export const SIGNED_IN = [
  'dana',
  'uma',
  'mona',
  'erin',
  'emil',
  'sid',
  'mila',
  'ada',
  'olga',
] as const

/** Too long for a token to contain it by chance. No response to others may contain it. */
export const MONAS_NAME = 'MonaMarmelade'
export const usernameOf = (who: string) =>
  who === 'mona' ? MONAS_NAME : `${who[0]?.toUpperCase()}${who.slice(1)}`
export const MONAS_PASSWORD = 'correct horse 9'
export const PKCE_VERIFIER = 'v'.repeat(43)

/** A job as a form sends it. */
export const JOB = {
  title: 'Tea taster',
  description: 'You taste what others only drink, and write down what you think of it. '.repeat(3),
  places: [{ city: 'Utrecht', country: 'NL' }],
  remotePolicy: 'on-site',
  employmentType: 'full-time',
  salary: { minimum: 40_000, maximum: 50_000, currency: 'EUR', period: 'year' },
  tags: ['tea'],
  apply: { link: 'https://erin.example/jobs', email: null },
}

const browserOfVisitor = (word: string): Browser => ({ anonymousId: `anon-${word.repeat(8)}` })

/** Creates the world in `database`, and commits it. */
export async function settleWorld(
  endpoints: Endpoints,
  database: OpenDatabase,
  castOf: (name: Person) => Promise<Actor>,
): Promise<World> {
  const { tokens, base } = endpoints
  endpoints.use(database)
  const company = await giveErinHerCompany(database)
  const people: Record<string, Actor> = {}
  for (const name of ['dana', 'erin', 'ada', 'olga'] as const) people[name] = await castOf(name)
  for (const [who, traits] of Object.entries(OTHERS))
    people[who] = await addPerson(database, who, traits)
  const now = Math.floor(endpoints.base.now().getTime() / 1000)
  const browserOf = ({ account }: Actor, from = tokens, authenticatedAt = now): Browser => ({
    token: from.sign(
      {
        session_id: account?.sessionId,
        session_generation: 0,
        role: 'authenticated',
        amr: [{ method: 'password', timestamp: authenticatedAt }],
      },
      account?.id ?? '',
    ).token,
  })
  const browsers: Record<string, Browser> = {
    vera: browserOfVisitor('7e4a'),
    vic: browserOfVisitor('51c0'),
    ...Object.fromEntries(Object.entries(people).map(([name, actor]) => [name, browserOf(actor)])),
    late: browserOf(people.olga as Actor, endpoints.tokensOfBefore),
    // Signed in, with a proof of identity from an hour ago.
    idle: browserOf(people.olga as Actor, tokens, now - 3_600),
  }
  // Signed in to an account with a second factor, but not with that factor yet.
  browsers.hal = { ...browsers.hal, ...browsers.vic }
  browsers.forged = { token: `${browsers.olga?.token?.slice(0, -4)}AAAA` }

  const ask = async (who: string, endpoint: string, payload?: object) => {
    const [method, url] = endpoint.split(' ')
    const answer = await endpoints.http.inject({
      method: method as 'GET',
      url,
      headers: headersOf(browsers[who]),
      ...(payload && { payload }),
    })
    if (answer.statusCode >= 300) throw new Error(`${who}, ${endpoint}: ${answer.body}`)
    return answer.json()
  }
  const idempotencyKey = () => crypto.randomUUID()

  const [other] = await database.query<{ id: string }>(sql`
    insert into companies (name, name_key, slug, website)
    values ('Emil Works', 'emil works', 'emil-works',
            'https://emil.example') returning id`)
  const otherCompany = other?.id as string
  await database.query(sql`
    insert into employer_claims (account_id, company_id, status)
    values (${people.emil?.account?.id}, ${otherCompany}, 'approved'),
           (${people.una?.account?.id}, ${otherCompany}, 'approved'),
           (${people.edith?.account?.id}, ${company}, 'approved')`)
  const invitation = await ask('erin', `POST /api/v1/companies/${company}/seats/invitations`, {
    email: 'dana@kettle.example',
  })
  await database.query(
    sql`update companies set website = 'https://erin.example' where id = ${company}`,
  )

  const start = (who: string, title: string, more = {}) =>
    ask(who, 'POST /api/v1/threads', {
      title,
      body: 'Nobody comes in on that day.',
      companyId: company,
      idempotencyKey: idempotencyKey(),
      ...more,
    })
  const say = (who: string, threadId: string, body: string) =>
    ask(who, `POST /api/v1/threads/${threadId}/comments`, {
      body,
      idempotencyKey: idempotencyKey(),
    })
  const poll = { options: ['It is so', 'It is not'], days: 5 }
  const thread = await start('mona', 'About Thursdays', { poll })
  const ruled = await start('mona', 'About Fridays')
  const answered = await start('mona', 'About Mondays')
  const verasThread = await start('vera', 'About Tuesdays')
  const sidsThread = await start('sid', 'About Sundays')
  const comment = await say('mona', thread.id, 'I was there, and it is true.')
  const verasComment = await say('vera', thread.id, 'I was there too.')
  const removed = await say('mona', thread.id, 'Not one word of this about Saturdays.')
  const appealable = await say('mona', thread.id, 'Nor of this about Saturdays and Sundays.')

  await rate(
    { ...base, db: database, network: '127.0.0.1', actor: people.mona as Actor },
    company,
    aRating({
      rto: 2,
      dei: 3,
      workLife: 4,
      culture: 5,
      note: 'The tea is good and the chairs are not.',
    }),
    endpoints.ratings,
  )
  const [note] = await database.query<{ id: string }>(
    sql`select id from public_ratings where note <> ''`,
  )
  await ask('mona', `PUT /api/v1/companies/${company}/follow`, { isFollowing: true })
  await ask('mona', `PUT /api/v1/threads/${thread.id}/saved`, { isSaved: true })
  const reply = await ask('erin', `POST /api/v1/threads/${answered.id}/company-reply`, {
    text: 'We heard you, and there will be chairs.',
  })
  const jobs = `POST /api/v1/companies/${company}/jobs`
  const job = await ask('erin', jobs, { job: JOB, idempotencyKey: idempotencyKey() })
  const draft = await ask('erin', jobs, {
    job: JOB,
    isDraft: true,
    idempotencyKey: idempotencyKey(),
  })
  const feed = await ask('erin', 'POST /api/v1/job-feeds', {
    address: 'https://erin.example/jobs.xml',
    company,
  })
  const alert = await ask('mona', 'POST /api/v1/my/job-alerts', { search: 'taster' })
  await ask('mona', `PUT /api/v1/jobs/${job.id}/saved`, { isSaved: true })

  const suspend = `POST /api/v1/moderation/posts/thread/${sidsThread.id}/suspend`
  await ask('adam', suspend, { days: 7, reason: 'spam' })
  for (const id of [removed.id, appealable.id])
    await ask('adam', `POST /api/v1/moderation/posts/comment/${id}/remove`, { reason: 'spam' })
  await ask('mona', `POST /api/v1/my/moderation/comment/${removed.id}/appeal`, {
    text: 'Please look again, this is my own experience',
  })
  await ask('adam', 'POST /api/v1/reports', { kind: 'thread', id: thread.id, reason: 'spam' })
  await ask('adam', `POST /api/v1/moderation/threads/${ruled.id}/lock`)
  await ask('adam', `POST /api/v1/moderation/threads/${ruled.id}/slow`, { minutes: 10 })
  const template = await ask('adam', 'POST /api/v1/moderation/templates', {
    name: 'Advert',
    body: 'It is {reason}',
  })
  const watched = await ask('adam', 'POST /api/v1/moderation/watched-words', { entry: 'beans' })
  const signUpInvitation = await ask('adam', 'POST /api/v1/administration/invitations')
  const pinned = await ask('adam', `POST /api/v1/moderation/threads/${ruled.id}/pin`)

  await database.query(sql`
    insert into votes (subject_id, key, value, state)
    values (${verasThread.id}, ${Buffer.alloc(16)}, 1, 'held')`)

  const edits = `POST /api/v1/companies/${company}/edits`
  await ask('mona', edits, {
    changes: { description: { from: null, to: 'Lindworm breeders.' } },
  })
  await ask('adam', edits, { changes: { category: { from: 'Other', to: 'Tea' } } })
  await ask('adam', `POST /api/v1/companies/${otherCompany}/edits`, {
    changes: { category: { from: 'Other', to: 'Tea' } },
  })
  for (const it of [company, otherCompany])
    await ask('dana', 'POST /api/v1/interactions', { companyId: it })
  await database.query(sql`
    insert into employer_claims (account_id, company_id, claimed_on, method, domain, is_verified)
    values (${people.mona?.account?.id}, ${company}, '2026-03-01', 'dns', 'erin.example', true)`)
  const mailClaim = await ask('mona', `POST /api/v1/companies/${otherCompany}/claims`, {
    method: 'mail',
    workEmail: 'mona@emil.example',
  })
  await settleNotification(database, people.mona as Actor, thread.id)

  const wish = { companyName: 'Acme', isNotify: true, notifyEmail: 'wisher@people.example' }
  for (const who of SIGNED_IN) await ask(who, 'POST /api/v1/company-requests', wish)
  const { notice } = await ask('vera', 'POST /api/v1/company-requests', wish)
  browsers.notice = { token: notice }
  await ask('mona', 'POST /api/v1/company-requests', { companyName: 'Lindworm Tea' })
  await ask('mona', 'POST /api/v1/contact-messages', {
    name: MONAS_NAME,
    email: 'mona@people.example',
    message: 'A quagga stands in the kitchen.',
    idempotencyKey: idempotencyKey(),
  })
  await ask('ada', 'POST /api/v1/saved-answers', {
    title: 'Thanks',
    body: 'Dear {name}, thank you.',
  })

  const [made] = await database.query<{ id: string }>(sql`
    insert into company_imports (id, done_on, admin_name, source)
    values (gen_random_uuid(), '2026-03-01', 'Adam', 'anvils.csv') returning id`)

  // Suspending an account ends its sessions, so that comes last.
  await database.query(sql`
    update accounts set is_suspended = true
     where id in (${people.sam?.account?.id}, ${people.sue?.account?.id})`)
  await endSession({ ...base, db: database }, people.seth?.account?.sessionId as string)

  const newcomer = await ask('vic', 'POST /auth/v1/signup', {
    email: 'newcomer@people.example',
    password: MONAS_PASSWORD,
  })
  const auth = { ...base, db: database, auth: {} as AuthSettings }
  const accountId = newcomer.user.id
  const names = {
    ...(await namesIn(database, people)),
    danasFactor: await beginFactor(base, people.dana as Actor),
    halsFactor: await beginFactor(base, people.hal as Actor),
    company,
    otherCompany,
    handover: Buffer.alloc(KEY_BYTES).toString('base64url'),
    thread: thread.id,
    ruled: ruled.id,
    template: template.id,
    watched: watched.id,
    signUpInvitation: signUpInvitation.id,
    answered: answered.id,
    verasThread: verasThread.id,
    comment: comment.id,
    verasComment: verasComment.id,
    removed: removed.id,
    appealable: appealable.id,
    note: note?.id as string,
    reply: reply.id,
    job: job.id,
    draft: draft.id,
    alert: alert.id,
    feed: feed.id,
    mailClaim: mailClaim.id,
    invitation: invitation.id,
    import: made?.id as string,
    pinned: String(pinned.entry),
    monaId: people.mona?.account?.id as string,
    refresh: newcomer.refresh_token,
    link: await makeLink(auth, { accountId, kind: 'recovery' }),
    code: await codeOfLink(auth, {
      accountId,
      method: 'otp',
      codeChallenge: PKCE_VERIFIER,
      codeChallengeMethod: 'plain',
    }),
    unsubscribe: unsubscribeToken(testSecrets, people.mona?.account?.id as string),
    newsOff: newsOffToken(testSecrets, (await namesIn(database, people)).erins as string),
    claimLink: (await makeClaimLink({ ...base, db: database }, mailClaim.id)) as string,
    address: 'newcomer@people.example',
  }
  await database.query(
    sql`update second_factors set is_verified = true where id = ${names.halsFactor}`,
  )
  return {
    browsers,
    names,
    ...(await secretsOf(database, people, browsers)),
    picture: await sharp({ create: { width: 32, height: 32, channels: 3, background: 'teal' } })
      .png()
      .toBuffer(),
  }
}

export const headersOf = ({ token, anonymousId }: Browser = {}): Record<string, string> => ({
  ...(token && { authorization: `Bearer ${token}` }),
  ...(anonymousId && { 'x-anonymous-id': anonymousId }),
})

interface Traits {
  isConfirmed?: boolean
  isAdmin?: boolean
  isModerator?: boolean
}
/**
 * Besides the cast: Adam decided about what Mona wrote. Mila and Milo are moderators. Uma's address is unconfirmed. Emil
 * represents another company than Erin, and so does Una, whose address is unconfirmed. Edith represents Erin's, whose seats
 * Erin owns. Sid can't write for a week. Sam's account is suspended, and so is that of Sue, an administrator. Seth is an
 * administrator who signed out.
 */
const OTHERS: Record<string, Traits> = {
  mona: {},
  adam: { isAdmin: true },
  mila: { isModerator: true },
  milo: { isModerator: true },
  uma: { isConfirmed: false },
  una: { isConfirmed: false },
  emil: {},
  edith: {},
  sid: {},
  sam: {},
  sue: { isAdmin: true },
  seth: { isAdmin: true },
  hal: { isAdmin: true },
}

async function addPerson(
  db: Database,
  who: string,
  { isConfirmed = true, isAdmin = false, isModerator = false }: Traits,
): Promise<Actor> {
  const id = randomUUID()
  const username = usernameOf(who)
  const { hash, sealed } = sealedAddress(testSecrets, id, `${who}@people.example`)
  const rootSealed = testRoot(testSecrets, id)
  await db.query(sql`
    insert into accounts
      (id, email_hash, email_sealed, root_sealed, is_email_confirmed, made_in_month)
    values (${id}, ${hash}, ${sealed}, ${rootSealed}, ${isConfirmed}, '2026-02-01')`)
  await db.query(sql`
    insert into profiles (account_id, username, username_key)
    values (${id}, ${username}, ${username.toLowerCase()})`)
  if (isAdmin) await db.query(sql`insert into admin_users (id) values (${id})`)
  if (isModerator) await db.query(sql`insert into moderators (id) values (${id})`)
  return {
    ...visitor,
    role: isAdmin ? 'admin' : isModerator ? 'moderator' : 'member',
    authorKey: authorKeyOfAccount(testSecrets, id),
    account: {
      id,
      sessionId: randomUUID(),
      generation: 0,
      username,
      memberSince: '2026-02',
      isEmailConfirmed: isConfirmed,
      isEmployer: false,
      hasOwnersAddress: false,
      authenticatedAt: 0,
      isRecovering: false,
      emailSealed: sealed,
      newEmailSealed: null,
      rootSealed,
    },
  }
}

/** Jobs write notifications, but no jobs run here. */
function settleNotification(db: Database, actor: Actor, threadId: string) {
  const root = rootOf({ actor, secrets: testSecrets }) as Buffer
  const { key, ownRowKey } = notificationRow(root, { kind: 'reply', threadId, commentId: null })
  return db.query(sql`
    insert into notifications (key, own_row_key, kind, thread_id, comment_ids, latest_place, minute)
    select ${key}, ${ownRowKey}, 'reply', thread_id, array[id], place, 0
      from comments where thread_id = ${threadId} order by place limit 1`)
}

/** Not verified, so dana signs in without it. */
const beginFactor = (ctx: ServerContext, { account }: Actor) =>
  insertFactor(ctx, account?.id as string, 'totp', { name: 'Phone', secret: 'A'.repeat(32) })

async function namesIn(db: Database, people: Record<string, Actor>) {
  const [found] = await db.query<Record<string, string>>(sql`
    select (select id from employer_claims where status = 'pending' and method = 'dns') as claim,
           (select c.id from employer_claims c join accounts a on a.id = c.account_id
             where c.status = 'approved' and a.id = ${people.erin?.account?.id}) as erins,
           (select c.id from employer_claims c join accounts a on a.id = c.account_id
             where c.status = 'approved' and a.id = ${people.edith?.account?.id}) as "edithsSeat",
           (select id from company_requests where company_name like 'Lindworm%') as request,
           (select id from contact_messages) as message,
           (select id from saved_answers) as "savedAnswer",
           (select id from notifications where kind = 'reply') as news,
           (select id::text from company_edits where status = 'suggested') as suggestion,
           (select id::text from company_edits where status = 'applied'
             order by id limit 1) as change`)
  const handles = ['mona', 'adam', 'milo', 'sam', 'uma'].map((name) => [
    `${name}Handle`,
    testSecrets.seal(people[name]?.account?.id ?? ''),
  ])
  return { ...found, ...Object.fromEntries(handles) } as Record<string, string>
}

/** Everything that leads to a person, as it's sent, stored or sealed. */
async function secretsOf(
  db: Database,
  people: Record<string, Actor>,
  browsers: Record<string, Browser>,
) {
  const wisher = 'wisher@people.example'
  const secrets: Record<string, string[]> = { wisher: [wisher] }
  const allowed = new Set([wisher])
  for (const name of Object.keys({ ...people, ...browsers })) {
    const { authorKey, account } = people[name] ?? {}
    const { token, anonymousId } = browsers[name] ?? {}
    const [kept] = await db.query<{ id: string; hash: string; emailSealed: string }>(sql`
      select id, email_hash as hash, email_sealed as "emailSealed"
        from accounts where id = ${account?.id}`)
    const told = [account?.id, kept && addressOf(testSecrets, kept)]
    const kinds = [
      ...told,
      authorKey,
      anonymousId && authorKeyOfVisitor(testSecrets, anonymousId),
      anonymousId,
      token,
      account?.sessionId,
      kept?.hash,
      kept?.emailSealed,
      account?.rootSealed,
      account && openAccountRoot(testSecrets, account.id, account.rootSealed).toString('hex'),
    ]
    secrets[name] = kinds.filter((it): it is string => Boolean(it))
    for (const it of told) if (it) allowed.add(it)
  }
  return { secrets, allowed }
}
