/** What all writing has in common: who may, as whom, and how often. */
import sql, { type Sql } from 'sql-template-tag'
import type { Ctx } from '../../auth/context.server.ts'
import { may } from '../../auth/permissions.ts'
import type { Database } from '../../server/database.server.ts'
import { badRequest, Refusal } from '../../server/refusal.ts'
import { reasonName } from '../moderation/moderation.ts'
import { type Suspension, suspensionOf } from '../moderation/suspension-queries.server.ts'
import { minuteOf, type NameChoice } from './discussion.ts'
import { pseudonymOf } from './pseudonym.ts'

const TRIES = 1_000
export const NO_NAME = 'No free pseudonym was found'

/** What follows a new post: whoever looks at it or tells of it handles this, after the commit. */
export const POST_ADDED = 'post-added'
export interface PostAdded {
  kind: 'thread' | 'comment'
  id: string
}

/**
 * Run it in the transaction of the post. Due since the post's minute began, which is at once: not even
 * the queue, where a job may wait for long, keeps a finer time of a post. Decision 6.
 */
export const tellOfPost = ({ db, jobs, now }: Ctx, post: PostAdded) =>
  jobs.enqueue(db, POST_ADDED, post, sinceMinute(now))

/** The same as a part of the statement that adds the post: once for each row of `added`. */
export const tellingOfPost = ({ db, jobs, now }: Ctx, post: PostAdded, added: Sql) =>
  jobs.enqueuing(db, POST_ADDED, post, added, sinceMinute(now))

const sinceMinute = (now: () => Date) => ({ dueAt: new Date(minuteOf(now()) * 60_000) })

/** Of whoever has an author key, also an employer who wrote before. @throws Refusal sign-in-required */
export function demandKey({ actor }: Ctx): string {
  if (actor.authorKey === null)
    throw new Refusal(
      'sign-in-required',
      'Your browser sent no anonymous id. Reload the page, or sign in.',
    )
  return actor.authorKey
}

/** The author key of whoever may take part. @throws Refusal sign-in-required, forbidden */
export function demandAuthor(ctx: Ctx): string {
  const authorKey = demandKey(ctx)
  if (!may.write(ctx.actor))
    throw new Refusal('forbidden', 'Employers read here; the company answers by its own reply')
  return authorKey
}

/** The author key of whoever may write words. @throws Refusal sign-in-required, forbidden */
export async function demandWriter(ctx: Ctx): Promise<string> {
  const authorKey = demandAuthor(ctx)
  demandUnsuspended(await suspensionOf(ctx, authorKey))
  return authorKey
}

/** @throws Refusal forbidden */
export function demandUnsuspended(suspension: Suspension | null | undefined) {
  if (suspension)
    throw new Refusal(
      'forbidden',
      `You cannot write up to and including ${suspension.endsOn}: ${reasonName(suspension.reason)}`,
    )
}

/** What a thread is about, for nobody to delete meanwhile. @throws Refusal bad-request */
export async function demandCompany(db: Database, id: string | undefined) {
  if (id === undefined) return
  const [company] = await db.query(sql`select from companies where id = ${id} for key share`)
  if (!company) throw badRequest('This company does not exist')
}

/** The same person the same name within a thread, nobody else that name. Decision 5. */
export async function nameInThread(ctx: Ctx, threadId: string, choice: NameChoice) {
  for (const named of namings(ctx, threadId, choice)) {
    const [row] = await ctx.db.query<{ name: string }>(sql`with ${named} select name from named`)
    if (row) return row.name
  }
  throw new Error(NO_NAME)
}

/**
 * The same as a part of other statements, to be tried one after the other: common table expressions,
 * of which `named` has the name, or no row where somebody else had drawn it before.
 */
export function* namings(ctx: Ctx, threadId: string, choice: NameChoice): Generator<Sql> {
  const authorKey = demandAuthor(ctx)
  const username = choice === 'username' ? (ctx.actor.account?.username ?? null) : null
  const seed = Buffer.from(ctx.secrets.hash('pseudonym', authorKey, threadId), 'base64url')
  for (let attempt = 0; attempt < TRIES; attempt++)
    yield sql`
      known as (
        select ${username}::text as name where ${username}::text is not null
        union all
        select name from thread_names
         where thread_id = ${threadId} and author_key = ${authorKey} and ${username}::text is null),
      drawn as (
        insert into thread_names (thread_id, author_key, name)
        select ${threadId}, ${authorKey}, ${pseudonymOf(seed, attempt)}
         where not exists (select from known)
        on conflict do nothing returning name),
      named as (select name from known union all select name from drawn)`
}

/** The mark of one sending of one author: a second one of the same form is the same post. */
export const sendingMark = ({ secrets }: Ctx, authorKey: string, sending: string) =>
  secrets.hash('sending', authorKey, sending)
