import sql, { raw } from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { rootOf } from '#app/api/auth/roots.server.ts'
import type { TaskParts } from '#app/api/feature.server.ts'
import { muteThread } from '#app/community/discussions/threads/saved-threads.server.ts'
import { follow } from '#app/companies/following/follow-commands.server.ts'
import {
  ACCOUNT_DELETED_TASK,
  type AccountDeleted,
  deleteAccount,
} from '#app/identity/accounts/account-commands.server.ts'
import { createAlert } from '#app/jobs/alerts/job-alert-commands.server.ts'
import { reportPost } from '#app/moderation/report-commands.server.ts'
import { readConfig } from '#app/platform/operations/config.server.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { madeUpKey, notificationRow } from '#tests/support/authors.ts'
import { withDatabase } from '#tests/support/database.ts'
import { addComment, startThread, voteThread } from '#tests/support/unlimited.ts'
import { handleTasks } from './main.features.server.ts'

const { as } = withDatabase()

/** What dana alone keeps here, under keys that have nothing in common. */
const KEPT = ['follows', 'job_alerts', 'muted_threads', 'notifications']

/** The tables in which something is kept under this key, or of hers. */
async function tablesWith({ db }: Ctx, authorKey: string) {
  const tables = await db.query<{ name: string }>(sql`
    select format('%I', table_name) as name from information_schema.columns
     where table_schema = 'public' and column_name = 'author_key' order by 1`)
  const found: string[] = []
  for (const name of KEPT)
    if ((await db.query(sql`select from ${raw(name)} limit 1`)).length > 0) found.push(name)
  for (const { name } of tables) {
    const rows = await db.query(sql`
      select from ${raw(name)} where author_key = ${authorKey} limit 1`)
    if (rows.length > 0) found.push(name)
  }
  return found
}

test('deleting an account deletes what every feature stored under its key', () =>
  as('dana', async (dana) => {
    const { actor, db } = dana
    const authorKey = actor.authorKey as string
    const vera = { ...dana, actor: { ...actor, account: null, authorKey: madeUpKey('vera') } }
    const company = await giveErinHerCompany(db)
    const words = { body: 'It is true', name: 'pseudonym' as const }
    const start = (ctx: Ctx) =>
      startThread(ctx, {
        ...words,
        title: 'About us',
        topics: [],
        idempotencyKey: crypto.randomUUID(),
      })
    const [hers, veras] = [await start(dana), await start(vera)]
    await addComment(dana, veras.id, { ...words, idempotencyKey: crypto.randomUUID() })
    await voteThread(dana, veras.id, 1)
    await muteThread(dana, veras.id, true)
    await follow(dana, company)
    await createAlert(dana, { remote: 'remote' })
    await reportPost(dana, { kind: 'thread', id: veras.id }, { reason: 'spam', note: '' })
    const news = notificationRow(rootOf(dana) as Buffer, {
      kind: 'reply',
      threadId: hers.id,
      commentId: null,
    })
    await db.query(sql`
      insert into notifications (key, own_row_key, kind, thread_id, minute)
      values (${news.key}, ${news.ownRowKey}, 'reply', ${hers.id}, 1)`)
    const before = await tablesWith(dana, authorKey)
    for (const table of ['follows', 'job_alerts', 'muted_threads', 'notifications'])
      expect(before).toContain(table)

    await deleteAccount(dana, { id: actor.account?.id as string, authorKey, posts: 'keep' })
    const [job] = await db.query<{ payload: AccountDeleted }>(
      sql`select payload from job_queue where kind = ${ACCOUNT_DELETED_TASK}`,
    )
    expect(JSON.stringify(job)).not.toContain(rootOf(dana)?.toString('base64url'))
    let forgetAccount: ((payload: object) => Promise<void>) | undefined
    handleTasks({
      base: dana,
      queue: {
        handle: (kind: string, work: typeof forgetAccount) => {
          if (kind === ACCOUNT_DELETED_TASK) forgetAccount = work
        },
        handleBatch() {},
        every() {},
      },
      config: readConfig({ RATING_BATCH: '1' }),
    } as unknown as TaskParts)
    await forgetAccount?.(job?.payload as AccountDeleted)
    expect(await tablesWith(dana, authorKey)).toEqual([])
  }))
