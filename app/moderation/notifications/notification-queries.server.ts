import sql, { type Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { rootOf } from '#app/api/auth/roots.server.ts'
import { threadPath } from '#app/community/discussions/discussion.ts'
import { isSameKey, ownThreadKey } from '#app/community/discussions/posts/own-posts.server.ts'
import { mutedAmong } from '#app/community/discussions/threads/saved-threads.server.ts'
import { isoOf } from '#app/community/discussions/threads/thread-queries.server.ts'
import type { ModerationEvent } from '#app/community/reports/report.ts'
import { companyPath } from '#app/companies/company.ts'
import { policyOf } from '#app/companies/company-queries.server.ts'
import { type Policy, policyText } from '#app/companies/edits/company-policy.ts'
import { type JobLocation, jobPath, type Salary } from '#app/jobs/job.ts'
import { isOpen } from '#app/jobs/job-queries.server.ts'
import { locationsText, salaryText } from '#app/jobs/job-text.ts'
import type { SiteConfig } from '#app/kit/session/session.contract.ts'
import { EXCERPT_SOURCE, excerptOf } from '#app/kit/writing/excerpt.server.ts'
import { shortened } from '#app/kit/writing/text.ts'
import { atMost, PREPARED } from '#app/platform/database/database.server.ts'
import { requireCursor, writeCursor } from '#app/platform/database/keyset.server.ts'
import { mapRows } from '#app/platform/database/rows.server.ts'
import type { Notification } from './notification.contract.ts'
import type { AlertEvent, NotificationKind } from './notification.ts'
import { notificationKeys, usualNotificationKeys } from './notification-keys.server.ts'

const PAGE = 20
const EXCERPT = 140
/** The badge doesn't show more. */
const UNREAD_MAX = 100
/** Where authors see which posts are hidden, why, and how to appeal. */
const OWN_MODERATED = '/my-discussions?tab=moderation'
const UNSHOWN_TITLE = 'A hidden thread'

/** The new threads that an alert counts, if they're visible and still about that company. */
const countedThreads = sql`
  from unnest(notification.thread_ids[:notification.count]) with ordinality as counted (id, place)
  join threads new_thread on new_thread.id = counted.id and new_thread.hidden is null
   and new_thread.company_id = notification.company_id`

/** The new jobs that an alert counts, if they're open and still that company's. */
const countedJobs = (ctx: Pick<Ctx, 'now'>) => sql`
  from unnest(notification.job_ids[:notification.count]) with ordinality as counted (id, place)
  join job_postings job on job.id = counted.id and job.company_id = notification.company_id
   and ${isOpen(ctx)}`

const isShown = sql`not latest.is_deleted and latest.hidden is null`

/**
 * How many of the comments that a row counts people can still read. The row remembers only the last
 * comments, and trusts its count for earlier ones.
 */
export const shownCount = sql`
  (notification.count - (select count(*) from unnest(notification.comment_ids) counted (id)
                  where not exists (select from comments latest where latest.id = counted.id and ${isShown}))
  )::integer`

/** The last visible comment that a row counts. */
const latestComment = sql`
  select latest.id, latest.author_name, latest.is_visitor, latest.body
    from unnest(notification.comment_ids) with ordinality as counted (id, place)
    join comments latest on latest.id = counted.id and ${isShown}
   order by counted.place limit 1`

/** A company's reply, as long as its thread is about that company. */
const companyReply = sql`
  select reply.body from company_replies reply
   where notification.kind = 'company-reply' and reply.thread_id = notification.thread_id
     and reply.company_id = notification.company_id and reply.company_id = thread.company_id
     and reply.hidden is null`

export interface NotificationSettings {
  /** If a part of the site is off, there's no news from it. */
  hasJobs: boolean
  hasDiscussions: boolean
  hasCompanies: boolean
}

export const notificationSettingsOf = (flags: SiteConfig['flags']): NotificationSettings => ({
  hasJobs: flags.enableJobs,
  hasDiscussions: flags.enableDiscussions,
  hasCompanies: flags.enableCompanies,
})

/**
 * Hides news about things people can no longer read. About a hidden thread, people only hear decisions on
 * their own posts. `thread` is left-joined, because an alert has none.
 */
export const isVisible = (
  ctx: Pick<Ctx, 'now'>,
  { hasJobs, hasDiscussions, hasCompanies }: NotificationSettings,
) => sql`
  (case notification.kind when 'moderation' then
          not exists (select from comments own where own.id = notification.comment_id and own.is_deleted)
        when 'alert' then
          case notification.event when 'thread' then ${hasDiscussions}::boolean and exists (select ${countedThreads})
                          when 'job' then ${hasJobs} and exists (select ${countedJobs(ctx)})
                          else ${hasCompanies}::boolean end
        else thread.hidden is null
             and case notification.kind when 'company-reply' then exists (${companyReply})
                  else ${shownCount} > 0 end
             and case when notification.thread_id is null then ${hasCompanies}::boolean
                  else ${hasDiscussions}::boolean end end)`

export const notificationsWithThread = sql`
  notifications notification left join threads thread on thread.id = notification.thread_id`

/** Every page asks, so the keys of most people's news come first. At most 100. */
export async function unreadCount(
  ctx: Ctx,
  settings: NotificationSettings,
): Promise<{ unread: number }> {
  const root = rootOf(ctx)
  if (!root) return { unread: 0 }
  const { keys, last } = usualNotificationKeys(ctx, root)
  const usual = await unreadAmong(ctx, { keys, last }, settings)
  if (!usual.hasMore) return { unread: usual.unread }
  const { unread } = await unreadAmong(
    ctx,
    { keys: await notificationKeys(ctx, root), last: [] },
    settings,
  )
  return { unread }
}

async function unreadAmong(
  ctx: Ctx,
  { keys, last }: { keys: Buffer[]; last: Buffer[] },
  settings: NotificationSettings,
) {
  const [row] = await ctx.db.query<{ unread: number; hasMore: boolean }>(
    sql`
    select (select count(*)::integer from (
              select from ${notificationsWithThread}
               where notification.own_row_key = any (${keys}::bytea[]) and not notification.is_read
                 and ${isVisible(ctx, settings)}
               limit ${atMost(UNREAD_MAX)}) counted) as unread,
           exists (select from notifications where own_row_key = any (${last}::bytea[]))
             or exists (select from used_numbers where own_row_key = any (${last}::bytea[])) as "hasMore"`,
    PREPARED,
  )
  return row as { unread: number; hasMore: boolean }
}

interface Row {
  id: string
  kind: NotificationKind
  event: ModerationEvent | AlertEvent | null
  reason: string | null
  count: number
  isRead: boolean
  at: string
  minute: string
  commentId: string | null
  /** Null for an alert, which has a company. */
  threadId: string | null
  title: string
  isThreadHidden: boolean
  isThreadMine: boolean
  isMuted: boolean
  /** Whether the comment that moderators decided about is hidden. */
  isCommentHidden: boolean | null
  ownWords: string | null
  /** The latest visible comment. */
  latestId: string | null
  authorName: string | null
  isVisitor: boolean | null
  words: string | null
  company: { id: string; name: string; slug: string | null } | null
  policy: Policy | null
  newThread: { id: string; title: string; excerpt: string; shown: number } | null
  newJob: (NewJob & { shown: number }) | null
}

interface RawRow extends Omit<Row, 'isMuted' | 'isThreadMine'> {
  /** The key of the thread's author. */
  threadKey: Uint8Array | null
}

interface NewJob {
  id: string
  title: string
  salary: Salary
  places: JobLocation[]
}

/** The company of an alert, or the one that replied. The office policy is the current one. */
const companyColumns = (ctx: Pick<Ctx, 'now'>): Sql => sql`
  (select json_build_object('id', c.id, 'name', c.name, 'slug', c.slug)
     from companies c where c.id = notification.company_id) as company,
  case when notification.event = 'policy' then (
    select ${policyOf(sql`c`)} from companies c where c.id = notification.company_id) end as policy,
  case when notification.event = 'thread' then (
    select json_build_object('id', new_thread.id, 'title', new_thread.title, 'excerpt', new_thread.excerpt,
                             'shown', count(*) over ())
      ${countedThreads} order by counted.place limit 1) end as "newThread",
  case when notification.event = 'job' then (
    select json_build_object('id', job.id, 'title', job.title, 'places', job.places,
                             'salary', json_build_object(
                               'minimum', job.salary_minimum, 'maximum', job.salary_maximum,
                               'currency', job.salary_currency, 'period', job.salary_period),
                             'shown', count(*) over ())
      ${countedJobs(ctx)} order by counted.place limit 1) end as "newJob"`

/** Newest first. @throws Refusal bad-request for another list's page marker */
export async function listNotifications(
  ctx: Ctx,
  after: string | undefined,
  settings: NotificationSettings,
) {
  const { db } = ctx
  const cursor = after === undefined ? undefined : requireCursor(after, 'notification', /^\d{1,9}$/)
  const root = rootOf(ctx)
  if (!root) return { notifications: [], next: null, unread: 0 }
  const beyond = cursor
    ? sql`and (notification.minute, notification.id) < (${cursor.value}::integer, ${cursor.id}::uuid)`
    : sql``
  const rows = await db.query<RawRow>(
    sql`
    select notification.id, notification.kind, notification.event, notification.reason, ${shownCount} as count, notification.is_read as "isRead",
           ${isoOf(sql`notification.minute`)} as at, notification.minute::text as minute,
           notification.comment_id as "commentId", thread.id as "threadId", thread.title,
           thread.hidden is not null as "isThreadHidden",
           thread.key as "threadKey",
           own.hidden is not null as "isCommentHidden", left(own.body, ${EXCERPT_SOURCE + 1}) as "ownWords",
           latest.id as "latestId", latest.author_name as "authorName",
           latest.is_visitor as "isVisitor",
           left(coalesce(latest.body, reply.body), ${EXCERPT_SOURCE + 1}) as words,
           ${companyColumns(ctx)}
      from ${notificationsWithThread}
      left join comments own on own.id = notification.comment_id and notification.kind = 'moderation'
      left join lateral (${latestComment}) latest on true
      left join lateral (${companyReply}) reply on true
     where notification.own_row_key = any (${await notificationKeys(ctx, root)}::bytea[])
       and ${isVisible(ctx, settings)} ${beyond}
     order by notification.minute desc, notification.id desc limit ${atMost(PAGE + 1)}`,
    PREPARED,
  )
  const shown = rows.slice(0, PAGE)
  const last = shown.at(-1)
  const muted = await mutedAmong(
    ctx,
    shown.flatMap(({ threadId }) => threadId ?? []),
  )
  return {
    notifications: mapRows('notifications', shown, ({ threadKey, ...row }) =>
      viewOf({
        ...row,
        isMuted: muted.has(row.threadId ?? ''),
        isThreadMine:
          row.threadId !== null && isSameKey(threadKey, ownThreadKey(ctx, row.threadId)),
      }),
    ),
    next:
      rows.length > PAGE && last
        ? writeCursor({ order: 'notification', value: last.minute, id: last.id })
        : null,
    ...(await unreadCount(ctx, settings)),
  }
}

function viewOf(row: Row): Notification {
  const { threadId, company } = row
  if (threadId !== null) return postView({ ...row, threadId })
  if (company !== null) return alertView(row, company)
  throw new Error('A notification needs a thread or a company')
}

const jobText = ({ salary, places }: NewJob) =>
  [salaryText(salary), locationsText(places, 1)].filter(Boolean).join(' · ')

const sharedView = ({ id, kind, event, isRead, at }: Row) => ({ id, kind, event, isRead, at })

function alertView(row: Row, { id, name, slug }: NonNullable<Row['company']>): Notification {
  const { event, newThread, newJob, policy } = row
  const company = { id, name, path: companyPath({ id, slug }) }
  const count = (newThread ?? newJob)?.shown ?? row.count
  const thread = newThread && {
    id: newThread.id,
    title: newThread.title,
    path: threadPath(newThread),
    isMuted: false,
  }
  const job = newJob && { id: newJob.id, title: newJob.title, path: jobPath(newJob) }
  const [from, to] = event === 'rating' ? (row.reason ?? '').split(' ').map(Number) : []
  const words = thread ? newThread.excerpt : newJob ? jobText(newJob) : ''
  const latest = thread ?? job
  const one = count === 1 ? latest : null
  return {
    ...sharedView(row),
    reason: null,
    count,
    isAboutComment: false,
    thread,
    company,
    job,
    score: from && to ? { from, to } : null,
    href: one?.path ?? `${company.path}${TAB_OF[event as AlertEvent]}`,
    by: null,
    excerpt: policy
      ? `${policyText(policy)}.`
      : latest && !one
        ? shortened(`Latest: ${latest.title}`, EXCERPT)
        : excerptOf(words, EXCERPT),
  }
}

const TAB_OF: Record<AlertEvent, string> = {
  thread: '',
  rating: '?tab=ratings',
  policy: '?tab=ratings',
  job: '?tab=jobs',
}

function postView(row: Row & { threadId: string }): Notification {
  const { company } = row
  // The title may be why a thread was removed.
  const isTitleWithheld = row.isThreadHidden && !row.isThreadMine
  const thread = {
    id: row.threadId,
    title: isTitleWithheld ? UNSHOWN_TITLE : row.title,
    path: threadPath({ id: row.threadId, title: isTitleWithheld ? '' : row.title }),
    isMuted: row.isMuted,
  }
  return {
    ...sharedView(row),
    // Set for a company's reply: the reply we announced.
    reason: row.kind === 'moderation' ? row.reason : null,
    count: row.count,
    isAboutComment: row.commentId !== null,
    thread,
    company: company && {
      id: company.id,
      name: company.name,
      path: companyPath(company),
    },
    job: null,
    score: null,
    href: hrefOf(row, thread.path),
    by: row.authorName === null ? null : shownName(row.authorName, row.isVisitor === true),
    excerpt: excerptOf(row.ownWords ?? row.words ?? '', EXCERPT),
  }
}

function hrefOf({ kind, event, ...row }: Row, path: string) {
  const isElsewhere = row.isThreadHidden || row.isCommentHidden || event === 'suspended'
  if (kind === 'moderation' && isElsewhere) return OWN_MODERATED
  const commentId = kind === 'moderation' ? row.commentId : row.latestId
  return commentId === null ? path : `${path}#comment-${commentId}`
}

const shownName = (name: string, isVisitor: boolean) => (isVisitor ? `Anonymous · ${name}` : name)
