import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { allOwnRows, nextKey, retryTakenNumbers } from '#app/api/auth/numbered-rows.server.ts'
import { forbiddenFor, may } from '#app/api/auth/permissions.ts'
import { requirePersonRoot } from '#app/api/auth/require.server.ts'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import type { PostBadge } from '#app/companies/badges/badge.contract.ts'
import { checkedBadge, type PostedBadge } from '#app/companies/badges/badge-rules.server.ts'
import { lockCompany } from '#app/companies/company-commands.server.ts'
import { countPosts } from '#app/companies/company-counters.server.ts'
import { withCurrentCompany } from '#app/companies/merging/merged-companies.server.ts'
import { requireUnchanged } from '#app/kit/writing/edit-conflict.server.ts'
import { excerptOf } from '#app/kit/writing/excerpt.server.ts'
import { markdownHtml } from '#app/kit/writing/markdown.ts'
import { cleanText, oneLine } from '#app/kit/writing/text.ts'
import { likeText } from '#app/platform/database/database.server.ts'
import { isSameAs, requireSameText } from '#app/platform/database/idempotency.server.ts'
import { emit, transaction } from '#app/platform/database/server-context.server.ts'
import { DAY_MS, dayOf, minuteOf } from '#app/platform/days.server.ts'
import { badRequest, forbidden, notFound, requireValid } from '#app/platform/http/refusal.ts'
import { POST_REWORDED } from '../../reports/post-moderation.server.ts'
import { type NameChoice, POST_REFUSALS, threadPath } from '../discussion.ts'
import { broadcastThreadChange } from '../live/live.server.ts'
import {
  isSameKey,
  OWN_THREADS,
  ownThreadKey,
  sealAuthor,
  sealNamed,
  threadKey,
} from '../posts/own-posts.server.ts'
import { isSameTitle } from '../posts/post-deletion.ts'
import {
  type Hiding,
  hidingOfThread,
  requireStillVisible,
  requireUnlocked,
  requireWriter,
} from '../posts/post-rules.server.ts'
import { namingIn, ownIdempotencyKey, queuePostAdded, sentHash } from '../posts/posting.server.ts'
import { removeThread } from '../posts/removal.server.ts'
import { pollProblem, threadProblems } from './thread-draft.ts'

interface ThreadText {
  title: string
  body: string
  topics: string[]
}

interface Poll {
  options: string[]
  days: number
}

export interface NewThread extends ThreadText {
  companyId?: string
  poll?: Poll
  name: NameChoice
  idempotencyKey: string
  badge?: PostBadge | undefined
}

/** @throws Refusal bad-request */
function checkedThread({ title, body }: { title: string; body: string }) {
  const thread = { title: oneLine(title), body: cleanText(body) }
  requireValid(threadProblems(thread))
  return thread
}

/** @throws Refusal bad-request */
function checkedPoll({ options, days }: Poll): Poll {
  const poll = { options: options.map(oneLine), days }
  requireValid(pollProblem(poll.options))
  return poll
}

/**
 * Adds a thread, only once if it's sent twice.
 * @throws Refusal employer-not-allowed, suspended, bad-request (also for an unproven badge), conflict
 * for a badge of another domain; idempotency-key-used for another text under the same key
 * @throws Unavailable when too many badges wait to be verified
 */
export async function startThread(ctx: Ctx, thread: NewThread, issuer: Pick<Issuer, 'verify'>) {
  const checked = { ...checkedThread(thread), poll: thread.poll && checkedPoll(thread.poll) }
  const badge = await checkedBadge(ctx, thread, issuer)
  return withCurrentCompany(ctx.db, thread.companyId, (companyId) =>
    retryTakenNumbers(OWN_THREADS, () =>
      startThreadOnce(ctx, { ...thread, companyId }, { ...checked, badge }),
    ),
  )
}

interface Checked {
  title: string
  body: string
  poll: Poll | undefined
  badge: PostedBadge | null
}

const startThreadOnce = (ctx: Ctx, thread: NewThread, { title, body, poll, badge }: Checked) =>
  transaction(ctx, async (ctx) => {
    const { db, secrets } = ctx
    const person = await requireWriter(ctx)
    const topics = await knownTopics(ctx, thread.topics)
    const id = randomUUID()
    const idempotencyKey = ownIdempotencyKey(person, thread.idempotencyKey)
    const hash = sentHash(person, thread.idempotencyKey, [
      title,
      body,
      thread.companyId ?? null,
      thread.topics,
      thread.poll ?? null,
      thread.name,
      badge,
    ])
    if (thread.companyId) await lockCompany(db, thread.companyId, 'bad-request')
    const { username, pseudonym } = namingIn(ctx, id, person, thread.name)
    const name = username ?? pseudonym(0)
    const key = threadKey(person.root, id)
    const ownRowKey = await nextKey(db, OWN_THREADS, person.root)
    const inserted = await db.query(sql`
      insert into threads (id, company_id, key, own_row_key, person_sealed, author_name, is_visitor, title, body, html,
                           excerpt, topics, posted_minute, idempotency_key, sent_hash, badge_domain, badge_company_id)
      values (${id}, ${thread.companyId ?? null}, ${key}, ${ownRowKey}, ${sealAuthor(secrets, id, person)},
              ${name}, ${ctx.actor.account === null}, ${title}, ${body}, ${markdownHtml(body)}, ${excerptOf(body)}, ${topics},
              ${minuteOf(ctx.now())}, ${idempotencyKey}, ${hash}, ${badge?.domain ?? null}, ${badge?.companyId ?? null})
      on conflict (idempotency_key) do nothing returning id`)
    if (inserted.length === 0) {
      const [sent] = await db.query<{ id: string; title: string; isSame: boolean }>(sql`
        select id, title, ${isSameAs(hash)}
          from threads where idempotency_key = ${idempotencyKey}`)
      if (!sent) throw notFound(POST_REFUSALS.noThread)
      requireSameText(sent)
      return { id: sent.id, path: threadPath(sent) }
    }
    if (username === null)
      await db.query(sql`
        insert into thread_names (thread_id, key, person_sealed, name)
        values (${id}, ${key}, ${sealNamed(secrets, key, person)}, ${name})`)
    if (poll) await insertPoll(ctx, id, poll)
    await countPosts(db, thread.companyId, { threads: 1 })
    await queuePostAdded(ctx, { kind: 'thread', id })
    return { id, path: threadPath({ id, title }) }
  })

async function knownTopics({ db }: Ctx, wanted: string[]) {
  const topics = [...new Set(wanted)]
  const known = await db.query(sql`select from topics where slug = any (${topics}::text[])`)
  if (known.length !== topics.length) throw badRequest(POST_REFUSALS.unknownTopicInThread)
  return topics
}

async function insertPoll(ctx: Ctx, threadId: string, { options, days }: Poll) {
  const closesOn = dayOf(new Date(ctx.now().getTime() + days * DAY_MS))
  await ctx.db.query(
    sql`insert into polls (thread_id, closes_on) values (${threadId}, ${closesOn}::date)`,
  )
  await ctx.db.query(sql`
    insert into poll_options (thread_id, place, text)
    select ${threadId}, place - 1, text
      from unnest(${options}::text[]) with ordinality as option(text, place)`)
}

/**
 * @throws Refusal not-found, forbidden, suspended, bad-request, conflict for a thread that's locked or hidden, or has a
 * different text by now
 */
export async function editThread(
  ctx: Ctx,
  id: string,
  change: ThreadText & { before?: ThreadText },
) {
  const { title, body } = checkedThread(change)
  return transaction(ctx, async (ctx) => {
    const thread = await lockThreadRow(ctx, id)
    if (!may.editPost(thread)) throw forbidden(POST_REFUSALS.cannotEditThread)
    await requireWriter(ctx)
    requireStillVisible(thread, 'thread')
    requireUnlocked(thread)
    const topics = await knownTopics(ctx, change.topics)
    const stored = { title: thread.title, body: thread.body, topics: thread.topics }
    requireUnchanged(stored, change.before, { title, body, topics })
    const hasNewText = title !== thread.title || body !== thread.body
    await ctx.db.query(sql`
      update threads
         set title = ${title}, body = ${body}, html = ${markdownHtml(body)},
             excerpt = ${excerptOf(body)}, topics = ${topics}, is_edited = is_edited or ${hasNewText}
       where id = ${id}`)
    if (hasNewText) await emit(ctx, POST_REWORDED, { kind: 'thread', id })
    broadcastThreadChange(ctx.db, id)
    return { id, path: threadPath({ id, title }) }
  })
}

/** Deletes a thread in one transaction. Spec §4, §5. @throws Refusal forbidden with the specification's sentence */
export const deleteThread = (ctx: Ctx, id: string) =>
  transaction(ctx, async (ctx) => {
    const thread = await lockThreadRow(ctx, id)
    if (!may.deleteThread(ctx.actor, thread))
      throw forbiddenFor(ctx.actor, POST_REFUSALS.cannotDeleteThread)
    await removeThread(ctx.db, id)
    broadcastThreadChange(ctx.db, id)
    return { title: thread.title }
  })

/**
 * Deletes the newest of the caller's threads with this title, ignoring case. Spec §5, §8.
 * @throws Refusal not-found, and forbidden if only others have such a thread
 */
export const deleteThreadTitled = (ctx: Ctx, title: string) =>
  transaction(ctx, async (ctx) => {
    const { db } = ctx
    // We compare here, because databases disagree about which letters differ only by case.
    const all = await allOwnRows<{ id: string; title: string }>(
      db,
      OWN_THREADS,
      requirePersonRoot(ctx).root,
      (own) =>
        sql`select id, title from ${own} own join threads using (own_row_key) order by number`,
    )
    const own = all.filter((thread) => isSameTitle(thread.title, title))
    const thread = own.at(-1)
    if (!thread) {
      const [another] = await db.query(
        sql`select from threads
             where title ilike ${likeText(title.normalize('NFC').trim())} and hidden is null limit 1`,
      )
      if (another) throw forbidden(POST_REFUSALS.cannotDeleteOthersPosts)
      throw notFound(POST_REFUSALS.notTitled(title))
    }
    const { isMine } = await lockThreadRow(ctx, thread.id)
    if (!may.deleteByTitle({ isMine })) throw forbidden(POST_REFUSALS.cannotDeleteOthersPosts)
    await removeThread(db, thread.id)
    broadcastThreadChange(db, thread.id)
    return { title: thread.title, isOneOfSeveral: own.length > 1 }
  })

/** @throws Refusal not-found */
async function lockThreadRow(ctx: Ctx, id: string) {
  const [thread] = await ctx.db.query<
    Hiding & ThreadText & { id: string; isLocked: boolean; key: Uint8Array }
  >(sql`
    select id, title, body, topics, is_locked as "isLocked", ${hidingOfThread}, key
      from threads thread where id = ${id} for update`)
  if (!thread) throw notFound(POST_REFUSALS.noThread)
  const { key, ...locked } = thread
  return { ...locked, isMine: isSameKey(key, ownThreadKey(ctx, thread.id)) }
}
