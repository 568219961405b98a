/** An inbox of 100,000 messages: opening it, its filters, its pages, and searching in it. */
import sql, { raw } from 'sql-template-tag'
import { visitor } from '../app/api/auth/actor.ts'
import type { Ctx } from '../app/api/auth/context.server.ts'
import type { ContactFilter } from '../app/office/contact/contact.ts'
import { searchWords } from '../app/office/contact/contact.ts'
import {
  contactAddressHash,
  type InboxQuery,
  contactMessages as messagesOf,
  unreadMessages,
} from '../app/office/contact/contact-queries.server.ts'
import { openPostgres } from '../app/platform/database/postgres.server.ts'
import { createSecrets } from '../app/platform/database/secrets.server.ts'
import { createJobs } from '../app/platform/jobs/jobs.server.ts'
import { createRandom, type Random } from './data/random.ts'
import { SMALL_WORDS, TALKED_WORDS } from './data/thread-words.ts'
import { type Bench, type Figure, latencyFigures, timesOf } from './measure.ts'

const MESSAGES = 100_000
const TOGETHER = 1_000
const OPENED = 200
const SEARCHED = 400
/** Issue 6: the inbox opens in 50 ms. */
const MOST_MS = 50

export const contact: Bench = {
  name: 'contact',
  async run({ databaseUrl, seed }) {
    const db = await openPostgres({ url: await databaseUrl(), connections: 2 })
    const ctx: Ctx = {
      db,
      now: () => new Date(),
      actor: { ...visitor, role: 'admin' },
      network: '127.0.0.1',
      secrets: createSecrets('of no importance here'),
      jobs: createJobs(db),
    }
    try {
      await fillInbox(ctx, createRandom(seed, 'contact messages'))
      return [...(await opening(ctx)), ...(await searching(ctx, createRandom(seed, 'searches')))]
    } finally {
      await db.close()
    }
  },
}

/** A tenth unread, a third archived, as many deleted, most of these new: an afternoon of spam. */
async function fillInbox(ctx: Ctx, random: Random) {
  const { db, secrets } = ctx
  const [first] = await db.query(sql`select from contact_messages limit 1`)
  if (first) return
  console.error(`Making ${MESSAGES} contact messages`)
  const hash = contactAddressHash(secrets, 'somebody@example.org')
  const sealed = secrets.seal('somebody@example.org')
  for (let made = 0; made < MESSAGES; made += TOGETHER) {
    const rows = Array.from({ length: TOGETHER }, () => {
      const name = `${random.pick(TALKED_WORDS)} ${random.pick(TALKED_WORDS)}`
      const message = textOf(random)
      const isSpam = made > MESSAGES * 0.7
      const status = isSpam
        ? 'deleted'
        : random.pick(['unread', 'read', 'read', 'read', 'archived', 'archived', 'archived'])
      return { name, message, status, words: searchWords(`${name} ${message}`) }
    })
    await db.query(sql`
      insert into contact_messages (idempotency_key, name, email_hash, email_sealed, message, status,
                                    deleted_on, created_at, search)
      select gen_random_uuid(), name, ${hash} || name, ${sealed}, message, status,
             case when status = 'deleted' then current_date end,
             date_trunc('hour', now(), 'UTC'), array_to_tsvector(words)
        from json_to_recordset(${JSON.stringify(rows)}::json)
               as made(name text, message text, status text, words text[])`)
  }
  await db.query(raw('vacuum (analyze) contact_messages'))
}

/** Words as common as they are in talk; a few hundred characters, now and then thousands. */
function textOf(random: Random) {
  const length = random.chance(0.05) ? 500 : 10 + random.below(60)
  const word = () =>
    random.chance(0.4)
      ? random.pick(SMALL_WORDS)
      : (TALKED_WORDS[Math.floor(TALKED_WORDS.length ** random.next()) - 1] as string)
  return Array.from({ length }, word).join(' ').slice(0, 5_000)
}

const contactMessages = (ctx: Ctx, query: InboxQuery) =>
  messagesOf(ctx, query, { siteUrl: 'https://kettle.example' })

async function opening(ctx: Ctx): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const filter of ['all', 'unread', 'archived'] as const satisfies ContactFilter[]) {
    const open = () => Promise.all([contactMessages(ctx, { filter }), unreadMessages(ctx)])
    const times = await timesOf(Array.from({ length: OPENED }), open)
    figures.push(...latencyFigures(`the inbox opens, ${filter}`, times, { most: MOST_MS }))
  }
  const pages: InboxQuery[] = []
  let after: string | undefined
  for (let n = 0; n < OPENED; n++) {
    pages.push({ filter: 'all', after })
    after = (await contactMessages(ctx, { filter: 'all', after })).next ?? undefined
  }
  const times = await timesOf(pages, (page) => contactMessages(ctx, page))
  return [...figures, ...latencyFigures('pages of the inbox', times, { p95: MOST_MS })]
}

async function searching(ctx: Ctx, random: Random): Promise<Figure[]> {
  const searches = Array.from({ length: SEARCHED }, (): InboxQuery => {
    const word = TALKED_WORDS[Math.floor(TALKED_WORDS.length ** random.next()) - 1] as string
    const search = random.pick([
      word,
      word.slice(0, 3),
      word.slice(0, 1),
      `${word} ${random.pick(TALKED_WORDS)}`,
      'somebody@example.org',
      'nobodywrotethis',
    ])
    return { filter: random.pick(['all', 'unread', 'archived'] as const), search }
  })
  const times = await timesOf(searches, (query) => contactMessages(ctx, query))
  return latencyFigures('searches in the inbox', times, { p95: MOST_MS })
}
