/** The moderators' tools: templates for notes to authors, limits, and the watch list. */

import { setImmediate } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { Sql } from 'sql-template-tag'
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import {
  CHANGES_LIMIT,
  COMMENTS_LIMIT,
  THREADS_LIMIT,
  VOTING_LIMIT,
} from '#app/community/discussions/discussion.contract.ts'
import { threadPath } from '#app/community/discussions/discussion.ts'
import type { NoteTemplate } from '#app/community/reports/decision.contract.ts'
import { templateProblems } from '#app/community/reports/note-to-author.ts'
import type { PostRef } from '#app/community/reports/report.ts'
import { excerptOf } from '#app/kit/writing/excerpt.server.ts'
import { oneLine, tidyText } from '#app/kit/writing/text.ts'
import { type Database, isUniqueViolation } from '#app/platform/database/database.server.ts'
import { transaction } from '#app/platform/database/server-context.server.ts'
import { minuteOf } from '#app/platform/days.server.ts'
import { limitsChanged } from '#app/platform/http/chosen-limits.server.ts'
import { badRequest, conflict, notFound, requireValid } from '#app/platform/http/refusal.ts'
import { type HoldContext, holdByRule } from './cases.server.ts'
import type { DryRun, PostingLimit, WatchedWord } from './moderation.contract.ts'
import { MODERATION_REFUSALS } from './moderation.ts'
import { createWatch, type WatchedEntry, watchKey } from './watch.ts'

type Draft = Omit<NoteTemplate, 'id'>

export const noteTemplates = ({ db }: Ctx) =>
  db.query<NoteTemplate>(sql`select id, name, body from note_templates order by lower(name), id`)

/** @throws Refusal bad-request for a broken placeholder, conflict for a taken name */
export async function addTemplate({ db }: Ctx, draft: Draft) {
  const { name, body } = checkedTemplate(draft)
  const [added] = await unlessTaken(
    db.query<{ id: string }>(sql`
      insert into note_templates (name, body) values (${name}, ${body}) returning id`),
  )
  return added as { id: string }
}

/** @throws Refusal not-found, bad-request for a broken placeholder, conflict for a taken name */
export async function changeTemplate({ db }: Ctx, id: string, draft: Draft) {
  const { name, body } = checkedTemplate(draft)
  const [changed] = await unlessTaken(
    db.query<{ id: string }>(sql`
      update note_templates set name = ${name}, body = ${body} where id = ${id} returning id`),
  )
  if (!changed) throw notFound(MODERATION_REFUSALS.noTemplate)
  return changed
}

/** Notes already sent with the template stay. @throws Refusal not-found */
export async function removeTemplate({ db }: Ctx, id: string) {
  const [removed] = await db.query<{ id: string }>(
    sql`delete from note_templates where id = ${id} returning id`,
  )
  if (!removed) throw notFound(MODERATION_REFUSALS.noTemplate)
  return removed
}

function checkedTemplate({ name, body }: Draft): Draft {
  const template = { name: oneLine(name), body: tidyText(body) }
  requireValid(templateProblems(template))
  return template
}

async function unlessTaken<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (isUniqueViolation(error)) throw conflict(MODERATION_REFUSALS.templateTaken)
    throw error
  }
}

const LIMITS = [
  { limit: THREADS_LIMIT, what: 'Threads' },
  { limit: COMMENTS_LIMIT, what: 'Comments' },
  { limit: CHANGES_LIMIT, what: 'Edits' },
  { limit: VOTING_LIMIT, what: 'Votes' },
]

/** Our limits, under the names that the policy uses for counting. */
const OURS = LIMITS.flatMap(({ limit: { name, seconds, person, untrusted, network }, what }) => [
  { name, what, of: 'member' as const, seconds, usual: person },
  { name: `${name}-untrusted`, what, of: 'untrusted' as const, seconds, usual: untrusted },
  { name: `${name}-network`, what, of: 'network' as const, seconds, usual: network },
])

export async function postingLimits({ db }: Ctx): Promise<PostingLimit[]> {
  const chosen = new Map(
    (await db.query<{ name: string; uses: number }>(sql`select name, uses from chosen_limits`)).map(
      ({ name, uses }) => [name, uses],
    ),
  )
  return OURS.map((ours) => ({ ...ours, uses: chosen.get(ours.name) ?? ours.usual }))
}

/** Applies in all processes within moments. @param uses null for the default @throws Refusal not-found */
export const chooseLimit = (ctx: Ctx, name: string, uses: number | null) =>
  transaction(ctx, async (ctx) => {
    const ours = OURS.find((each) => each.name === name)
    if (!ours) throw notFound(MODERATION_REFUSALS.noLimit)
    if (uses === null) await ctx.db.query(sql`delete from chosen_limits where name = ${name}`)
    else
      await ctx.db.query(sql`
        insert into chosen_limits (name, uses) values (${name}, ${uses})
        on conflict (name) do update set uses = excluded.uses`)
    await limitsChanged(ctx.db)
    return { ...ours, uses: uses ?? ours.usual }
  })

export const watchedWords = ({ db }: Ctx) =>
  db.query<WatchedWord>(sql`
    select id, entry, is_domain as "isDomain" from watched_words order by folded`)

/** @throws Refusal bad-request, conflict if already on the list */
export async function watchFor({ db }: Ctx, text: string): Promise<WatchedWord> {
  const { entry, folded, isDomain } = watchedEntry(text)
  const [added] = await db.query<WatchedWord>(sql`
    insert into watched_words (entry, folded, is_domain) values (${entry}, ${folded}, ${isDomain})
    on conflict (folded) do nothing returning id, entry, is_domain as "isDomain"`)
  if (!added) throw conflict(MODERATION_REFUSALS.watched)
  return added
}

/** Posts that the entry has held stay held. @throws Refusal not-found */
export async function unwatch({ db }: Ctx, id: string): Promise<WatchedWord> {
  const [removed] = await db.query<WatchedWord>(sql`
    delete from watched_words where id = ${id} returning id, entry, is_domain as "isDomain"`)
  if (!removed) throw notFound(MODERATION_REFUSALS.notWatched)
  return removed
}

function watchedEntry(text: string): WatchedEntry {
  const entry = oneLine(text)
  const key = watchKey(entry)
  if ('problem' in key) throw badRequest(key.problem)
  return { entry, ...key }
}

interface Text extends PostRef {
  text: string
}

/** A thread's text with its poll's options. */
const threadText = sql`
  concat_ws(E'\\n', thread.title, thread.body,
            (select string_agg(text, E'\\n') from poll_options where thread_id = thread.id))`

/**
 * Holds posts that contain an entry of the watch list. A post that a moderator has kept stays until its
 * author changes it. Safe to repeat.
 */
export async function holdWatched(base: HoldContext, posts: PostRef[]) {
  const entries = await base.db.query<WatchedEntry>(
    sql`select entry, folded, is_domain as "isDomain" from watched_words`,
  )
  if (entries.length === 0) return
  const look = createWatch(entries)
  const ids = posts.map(({ id }) => id)
  const texts = await base.db.query<Text>(sql`
    select 'thread' as kind, id, ${threadText} as text from threads thread
     where id = any (${ids}::uuid[])
    union all
    select 'comment', id, body from comments where id = any (${ids}::uuid[])`)
  for (const { kind, id, text } of texts) {
    await setImmediate()
    const found = look(text)
    if (found.length === 0) continue
    await holdByRule(base, { kind, id }, { cause: 'watched', watched: found.join(', ') })
  }
}

const MONTH_MINUTES = 43_200
/** How many rows one short statement reads. No more are in memory. */
const PORTION = 100
/** After this many letters, which is the longest text, other requests get their turn. */
const LETTERS_AT_ONCE = 20_000
/** Only one portion is in memory, no matter how many moderators ask. */
const oneAtATime = pLimit(1)
const EXAMPLES_MAX = 5

interface CheckedPost extends Text {
  minute: number
  threadId: string
  title: string
}

/** What an entry would have held in the last 30 days. Writes nothing. @throws Refusal bad-request */
export async function dryRun(ctx: Ctx, text: string): Promise<DryRun> {
  const watched = watchedEntry(text)
  return oneAtATime(() => checkPosts(ctx, watched))
}

async function checkPosts({ db, now }: Ctx, watched: WatchedEntry): Promise<DryRun> {
  const look = createWatch([watched])
  let total = 0
  let matches = 0
  let examples: CheckedPost[] = []
  let letters = 0
  for await (const post of postsSince(db, minuteOf(now()) - MONTH_MINUTES)) {
    total += 1
    letters += post.text.length
    if (letters > LETTERS_AT_ONCE) {
      letters = post.text.length
      await setImmediate()
    }
    if (look(post.text).length === 0) continue
    matches += 1
    examples = [...examples, post]
      .sort((one, other) => other.minute - one.minute)
      .slice(0, EXAMPLES_MAX)
  }
  const { entry, isDomain } = watched
  return { entry, isDomain, matches, total, examples: examples.map(viewOf) }
}

/** Visible threads, then visible comments. */
async function* postsSince(db: Database, from: number) {
  for (const portionAfter of [threadsAfter, commentsAfter]) {
    let after: CheckedPost | undefined
    do {
      const posts = await portionAfter(db, { from, after })
      yield* posts
      after = posts.length === PORTION ? posts.at(-1) : undefined
    } while (after)
  }
}

interface Portion {
  from: number
  after: Pick<CheckedPost, 'minute' | 'id'> | undefined
}

const newestFirst = (post: Sql, { from, after }: Portion) => sql`
  ${post}.posted_minute >= ${from} and (${after === undefined}
    or (${post}.posted_minute, ${post}.id) < (${after?.minute ?? 0}::integer, ${after?.id ?? null}::uuid))`

const threadsAfter = (db: Database, portion: Portion) =>
  db.query<CheckedPost>(sql`
    select 'thread' as kind, id, id as "threadId", title, posted_minute as minute, ${threadText} as text
      from threads thread where hidden is null and ${newestFirst(sql`thread`, portion)}
     order by posted_minute desc, id desc limit ${PORTION}`)

const commentsAfter = (db: Database, portion: Portion) =>
  db.query<CheckedPost>(sql`
    select 'comment' as kind, comment.id, thread.id as "threadId", thread.title,
           comment.posted_minute as minute, comment.body as text
      from comments comment join threads thread on thread.id = comment.thread_id
     where comment.hidden is null and not comment.is_deleted and thread.hidden is null
       and ${newestFirst(sql`comment`, portion)}
     order by comment.posted_minute desc, comment.id desc limit ${PORTION}`)

function viewOf({ kind, id, threadId, title, text }: CheckedPost): DryRun['examples'][number] {
  const path = threadPath({ id: threadId, title })
  return {
    kind,
    id,
    title,
    href: kind === 'comment' ? `${path}#comment-${id}` : path,
    excerpt: excerptOf(kind === 'thread' ? text.slice(title.length) : text),
  }
}
