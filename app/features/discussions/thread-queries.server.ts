/** Reads of threads. Author keys never leave: `isMine` is worked out in SQL. */
import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { Ctx } from '../../auth/context.server.ts'
import { may } from '../../auth/permissions.ts'
import { readCursor, writeCursor } from '../../server/keyset.server.ts'
import { badRequest, notFound } from '../../server/refusal.ts'
import { companyPath } from '../companies/company.ts'
import type { MyThread, Thread, ThreadRow, Topic } from './discussion.contract.ts'
import {
  minuteOf,
  PERIOD_MINUTES,
  type Period,
  THREAD_NOT_FOUND,
  type ThreadSort,
  threadPath,
} from './discussion.ts'

/** Rows of a list's page. */
const PAGE = 20
const RELATED = 5
const RELATED_SAMPLE = 40

/** Minutes since 1970 as ISO text. */
export const isoOf = (minute: Sql) =>
  sql`to_char(to_timestamp(${minute} * 60.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI"Z"')`

const rowColumns = sql`
  thread.id, thread.title, thread.excerpt, thread.score, thread.comments,
  thread.is_locked as "isLocked", thread.author_name as "authorName",
  thread.is_visitor as "isVisitor", ${isoOf(sql`thread.posted_minute`)} as "postedAt",
  (select coalesce(json_agg(json_build_object('slug', topic.slug, 'name', topic.name)
            order by topic.position), '[]')
     from topics topic where topic.slug = any (thread.topics)) as topics,
  (select json_build_object('id', company.id, 'name', company.name, 'slug', company.slug)
     from companies company where company.id = thread.company_id) as company,
  exists (select from polls where polls.thread_id = thread.id) as "hasPoll"`

interface RawRow extends Omit<ThreadRow, 'path' | 'author' | 'company'> {
  authorName: string
  isVisitor: boolean
  company: { id: string; name: string; slug: string | null } | null
}

function viewOf<Row extends RawRow>({ authorName, isVisitor, company, ...row }: Row) {
  return {
    ...row,
    path: threadPath(row),
    author: { name: authorName, isVisitor },
    company: company && { id: company.id, name: company.name, path: companyPath(company) },
  }
}

export const allTopics = ({ db }: Ctx) =>
  db.query<Topic>(sql`select slug, name from topics order by position`)

export interface ThreadListQuery {
  sort: ThreadSort
  period: Period
  company?: string
  topic?: string
  search?: string
  after?: string
}

const SORTED: Record<ThreadSort, { column: Sql; cast: Sql; form: RegExp }> = {
  hot: { column: sql`thread.hot`, cast: sql`double precision`, form: /^-?[\d.]+(e[-+]?\d+)?$/ },
  new: { column: sql`thread.posted_minute`, cast: sql`integer`, form: /^\d{1,9}$/ },
  top: { column: sql`thread.score`, cast: sql`integer`, form: /^-?\d{1,9}$/ },
  unanswered: { column: sql`thread.posted_minute`, cast: sql`integer`, form: /^\d{1,9}$/ },
}

/** A page of threads, by keyset. @throws Refusal for a page marker that is none of this list's */
export async function listThreads(ctx: Ctx, query: ThreadListQuery) {
  const { column, cast, form } = SORTED[query.sort]
  const conditions = [...filtersOf(ctx, query)]
  if (query.after !== undefined) {
    const cursor = readCursor(query.after, query.sort, form)
    if (!cursor) throw badRequest('This page marker does not belong to this list')
    conditions.push(sql`(${column}, thread.id) < (${cursor.value}::${cast}, ${cursor.id}::uuid)`)
  }
  return threadsPage(ctx, query.sort, column, conditions)
}

function* filtersOf(ctx: Ctx, { sort, period, company, topic, search }: ThreadListQuery) {
  if (sort === 'unanswered') yield sql`not thread.is_answered`
  if (sort === 'top' && period !== 'all')
    yield sql`thread.posted_minute >= ${minuteOf(ctx.now()) - PERIOD_MINUTES[period]}`
  if (company) yield sql`thread.company_id = ${company}`
  if (topic) yield sql`thread.topics @> array[${topic}]::text[]`
  if (search)
    yield sql`thread.id in (
      select id from threads where search @@ websearch_to_tsquery('english', ${search})
      union select thread_id from comments where search @@ websearch_to_tsquery('english', ${search})
      union select id from threads where title % ${search})`
}

async function threadsPage(ctx: Ctx, order: string, column: Sql, conditions: Sql[]) {
  const rows = await ctx.db.query<RawRow & { value: string }>(sql`
    select ${rowColumns}, ${column}::text as value from threads thread
     ${conditions.length > 0 ? sql`where ${join(conditions, ' and ')}` : empty}
     order by ${column} desc, thread.id desc limit ${PAGE + 1}`)
  const shown = rows.slice(0, PAGE)
  const last = shown.at(-1)
  return {
    threads: shown.map(viewOf),
    next:
      rows.length > PAGE && last ? writeCursor({ order, value: last.value, id: last.id }) : null,
  }
}

/** @throws Refusal not-found */
export async function threadById(ctx: Ctx, id: string): Promise<Thread> {
  const [row] = await ctx.db.query<
    RawRow & {
      html: string
      isEdited: boolean
      closesOn: string | null
      options: { place: number; text: string; votes: number }[] | null
      related: { id: string; title: string; comments: number }[]
    }
  >(sql`
    select ${rowColumns}, thread.html, thread.is_edited as "isEdited",
           (select closes_on from polls where thread_id = thread.id) as "closesOn",
           (select json_agg(json_build_object('place', place, 'text', text, 'votes', votes)
                     order by place)
              from poll_options where thread_id = thread.id) as options,
           (select coalesce(json_agg(other), '[]') from (
              select id, title, comments from (
                select near.id, near.title, near.comments, near.score from threads near
                 where near.id <> thread.id
                   and near.company_id is not distinct from thread.company_id
                 order by near.posted_minute desc, near.id desc limit ${RELATED_SAMPLE}
              ) sample order by score desc, comments desc, id limit ${RELATED}) other) as related
      from threads thread where thread.id = ${id}`)
  if (!row) throw notFound(THREAD_NOT_FOUND)
  const { closesOn, options, related, ...thread } = row
  return {
    ...viewOf(thread),
    poll: closesOn
      ? {
          closesOn,
          isClosed: isClosed(ctx, closesOn),
          votes: (options ?? []).reduce((sum, option) => sum + option.votes, 0),
          options: (options ?? []).map(({ place, text }) => ({ place, text })),
        }
      : null,
    related: related.map((other) => ({ ...other, path: threadPath(other) })),
  }
}

export const isClosed = ({ now }: Ctx, closesOn: string) =>
  now().toISOString().slice(0, 10) >= closesOn

/** What is the asking person's own about a thread. @throws Refusal not-found */
export async function myThread(ctx: Ctx, id: string): Promise<MyThread> {
  const key = ctx.actor.authorKey
  const [row] = await ctx.db.query<{
    isMine: boolean
    isLocked: boolean
    name: string | null
    vote: -1 | 0 | 1
    isSaved: boolean
    pollChoice: number | null
    closesOn: string | null
    results: number[] | null
    comments: string[]
    votes: Record<string, -1 | 1>
  }>(sql`
    select thread.author_key = ${key} as "isMine", thread.is_locked as "isLocked",
           (select name from thread_names where thread_id = thread.id and author_key = ${key}) as name,
           coalesce((select value from votes where subject_id = thread.id and author_key = ${key}), 0)
             as vote,
           exists (select from saved_threads
                    where thread_id = thread.id and author_key = ${key}) as "isSaved",
           (select place from poll_votes where thread_id = thread.id and author_key = ${key})
             as "pollChoice",
           (select closes_on from polls where thread_id = thread.id) as "closesOn",
           (select json_agg(votes order by place) from poll_options where thread_id = thread.id)
             as results,
           (select coalesce(json_agg(id), '[]') from comments
             where thread_id = thread.id and author_key = ${key} and not is_deleted) as comments,
           (select coalesce(json_object_agg(vote.subject_id, vote.value), '{}') from votes vote
              join comments comment on comment.id = vote.subject_id
             where comment.thread_id = thread.id and vote.author_key = ${key}) as votes
      from threads thread where thread.id = ${id}`)
  if (!row) throw notFound(THREAD_NOT_FOUND)
  const { isLocked, closesOn, results, ...mine } = row
  const isMine = mine.isMine === true
  const mayKnow = mine.pollChoice !== null || (closesOn !== null && isClosed(ctx, closesOn))
  return {
    ...mine,
    isMine,
    pollResults: mayKnow ? results : null,
    can: {
      comment: !isLocked && (may.write(ctx.actor) || ctx.actor.role === 'visitor'),
      edit: may.edit(ctx.actor, { isMine }) && !isLocked,
      delete: may.deleteThread(ctx.actor, { isMine }),
    },
  }
}

/** What its author wrote. @throws Refusal not-found, also for everybody else's */
export async function threadSource(ctx: Ctx, id: string) {
  const [thread] = await ctx.db.query<{ title: string; body: string; topics: string[] }>(sql`
    select title, body, topics from threads
     where id = ${id} and author_key = ${ctx.actor.authorKey}`)
  if (!thread) throw notFound(THREAD_NOT_FOUND)
  return thread
}

/** Threads of the person who asks, newest first. */
export const myThreads = (ctx: Ctx, after?: string) =>
  newestOf(ctx, sql`thread.author_key = ${ctx.actor.authorKey}`, after)

export const mySavedThreads = (ctx: Ctx, after?: string) =>
  newestOf(
    ctx,
    sql`thread.id in (select thread_id from saved_threads where author_key = ${ctx.actor.authorKey})`,
    after,
  )

function newestOf(ctx: Ctx, condition: Sql, after: string | undefined) {
  const { column, form } = SORTED.new
  const conditions = [condition]
  if (after !== undefined) {
    const cursor = readCursor(after, 'mine', form)
    if (!cursor) throw badRequest('This page marker does not belong to this list')
    conditions.push(sql`(${column}, thread.id) < (${cursor.value}::integer, ${cursor.id}::uuid)`)
  }
  return threadsPage(ctx, 'mine', column, conditions)
}
