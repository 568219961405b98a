/** News of what a company replied, for the author of the thread. Raters are unknown: nobody is told. */
import sql from 'sql-template-tag'
import { openAuthor } from '#app/community/discussions/posts/own-posts.server.ts'
import { mutedBy, mutersOf } from '#app/community/discussions/threads/kept-threads.server.ts'
import { minuteOf } from '#app/community/reports/report.ts'
import { transaction } from '#app/platform/database/context.server.ts'
import type { NewsContext } from './news-keys.server.ts'
import { inNewsTurn, writeNews } from './news-keys.server.ts'

/**
 * The job after a company replied to a thread; it may run twice. `reason` keeps which reply was told
 * of: another one, after the first was removed, is news again in the same row. Changing one is not.
 */
export const notifyOfCompanyReply = (
  base: NewsContext,
  { threadId, replyId }: { threadId: string; replyId: string },
) => inNewsTurn(() => tell(base, threadId, replyId))

const tell = (base: NewsContext, threadId: string, replyId: string) =>
  transaction(base, async ({ db, now, secrets }) => {
    // The thread first, as every writer of news does.
    const [thread] = await db.query<{ owner: Uint8Array | null }>(
      sql`select owner from threads where id = ${threadId} for no key update`,
    )
    const author = openAuthor(secrets, threadId, thread?.owner ?? null)
    if (!author) return
    const muters = await mutersOf({ db, secrets }, [threadId])
    if (muters.has(mutedBy(threadId, author.root))) return
    const subject = { kind: 'company-reply', threadId, commentId: null } as const
    await writeNews(
      { db, now },
      [{ root: author.root, subject }],
      ([its]) => sql`
      insert into notifications as known
        (key, mine, kind, thread_id, company_id, reason, minute)
      select ${its?.key}::bytea, ${its?.mine}::bytea, 'company-reply', thread.id, reply.company_id, reply.id::text,
             ${minuteOf(now())}
        from threads thread join company_replies reply
          on reply.thread_id = thread.id and reply.company_id = thread.company_id
       where thread.id = ${threadId} and reply.id = ${replyId} and reply.hidden is null
      on conflict (key) do update
         set company_id = excluded.company_id, reason = excluded.reason, minute = excluded.minute,
             is_mailed = known.is_mailed and not known.is_read, is_read = false,
             mine = excluded.mine
       where known.reason <> excluded.reason`,
    )
  })
