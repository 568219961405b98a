/** News of what a company replied, for the author of the thread. Raters are unknown: nobody is told. */
import sql from 'sql-template-tag'
import { type DataContext, transaction } from '../../server/context.server.ts'
import { minuteOf } from '../reports/report.ts'

/**
 * The job after a company replied to a thread; it may run twice. `reason` keeps which reply was told
 * of: another one, after the first was removed, is news again in the same row. Changing one is not.
 */
export const notifyOfCompanyReply = (
  base: DataContext,
  { threadId, replyId }: { threadId: string; replyId: string },
) =>
  transaction(base, async ({ db, now }) => {
    // The thread first, as every writer of news does.
    await db.query(sql`select from threads where id = ${threadId} for no key update`)
    await db.query(sql`
      insert into notifications as known
        (author_key, kind, thread_id, company_id, reason, minute)
      select thread.author_key, 'company-reply', thread.id, reply.company_id, reply.id::text,
             ${minuteOf(now())}
        from threads thread join company_replies reply
          on reply.thread_id = thread.id and reply.company_id = thread.company_id
       where thread.id = ${threadId} and reply.id = ${replyId} and reply.hidden is null
         and not exists (select from muted_threads muted
                          where muted.author_key = thread.author_key
                            and muted.thread_id = thread.id)
      on conflict (author_key, kind, thread_id, comment_id) where kind <> 'alert' do update
         set company_id = excluded.company_id, reason = excluded.reason, minute = excluded.minute,
             is_mailed = known.is_mailed and not known.is_read, is_read = false
       where known.reason <> excluded.reason`)
  })
