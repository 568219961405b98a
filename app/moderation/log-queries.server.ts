/** The log of decisions, for moderators. */
import sql, { empty } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { may } from '#app/api/auth/permissions.ts'
import { badRequest } from '#app/platform/http/refusal.ts'
import type { LogEntry } from './moderation.contract.ts'
import { type EntryIds, entryIds, isContradicted, postOf } from './moderation-log.server.ts'
import { postViewsOf } from './moderation-queries.server.ts'

/** Entries of a page. */
const PAGE = 30
const ENTRY = /^\d{1,15}$/

interface RawEntry extends Omit<LogEntry, 'kind' | 'thread' | 'href'>, EntryIds {}

/**
 * A page of the log, newest first.
 * @param after the number of the last entry of the page before. @throws Refusal bad-request
 */
export async function moderationLog(ctx: Ctx, after?: string) {
  if (after !== undefined && !ENTRY.test(after))
    throw badRequest('This page marker does not belong to this list')
  const rows = await ctx.db.query<RawEntry>(sql`
    select id as entry, done_on as day, moderator_name as moderator, action, reason, note,
           before ->> 'detail' as detail, undone_by is not null as "isUndone",
           ${entryIds},
           action not in ('undo', 'count-votes', 'drop-votes') and undone_by is null and not ${isContradicted} as "mayUndo"
      from moderation_log done ${after === undefined ? empty : sql`where id < ${after}::bigint`}
     order by id desc limit ${PAGE + 1}`)
  const shown = rows.slice(0, PAGE)
  const last = shown.at(-1)
  // A comment may be gone, and its thread still there to lead to.
  const threads = shown.flatMap(({ threadId: id }) =>
    id === null ? [] : [{ kind: 'thread' as const, id }],
  )
  const views = await postViewsOf(ctx, [...shown.map(postOf), ...threads])
  return {
    entries: shown.map(
      ({ threadId, commentId, noteId, jobId, replyId, roomPostId, ...entry }): LogEntry => {
        const { kind, id } = postOf({ threadId, commentId, noteId, jobId, replyId, roomPostId })
        const view = views.get(id)
        return {
          ...entry,
          kind,
          thread: views.get(threadId ?? id)?.thread ?? null,
          href: view?.href ?? null,
          mayUndo:
            entry.mayUndo &&
            (entry.action === 'suspend' ? may.suspendAuthors(ctx.actor) : view !== undefined),
        }
      },
    ),
    next: rows.length > PAGE && last ? String(last.entry) : null,
  }
}
