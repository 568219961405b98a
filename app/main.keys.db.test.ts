/** D40: in a copy of the database, two rows of one person have nothing in common. */

import sql, { raw } from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { rootOf } from '#app/api/auth/roots.server.ts'
import { muteThread, saveThread } from '#app/community/discussions/threads/saved-threads.server.ts'
import { editCompany } from '#app/companies/edits/edit-commands.server.ts'
import { follow } from '#app/companies/following/follow-commands.server.ts'
import { createAlert } from '#app/jobs/alerts/job-alert-commands.server.ts'
import { saveJob } from '#app/jobs/saved/saved-jobs.server.ts'
import { reportPost } from '#app/moderation/report-commands.server.ts'
import { voteHelpful } from '#app/ratings/rating-commands.server.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { withDatabase } from '#tests/support/database.ts'
import {
  addComment,
  startThread,
  voteComment,
  votePoll,
  voteThread,
} from '#tests/support/unlimited.ts'

const { as } = withDatabase()

/** All 16-byte values of a person's rows, by the row that holds them. */
async function keysKept({ db }: Ctx) {
  const columns = await db.query<{ table: string; column: string }>(sql`
    select table_name as table, column_name as column from information_schema.columns
     where table_schema = 'public' and data_type = 'bytea' and column_name in ('key', 'own_row_key', 'person_sealed')
     order by 1, 2`)
  const kept: { table: string; context: string; key: string }[] = []
  for (const { table, column } of columns) {
    const rows = await db.query<{ row: Record<string, string>; value: string }>(
      raw(`
      select to_json(t) as row, encode(${column}, 'hex') as value from ${table} t
       where ${column} is not null`),
    )
    for (const { row, value } of rows)
      for (let at = 0; at < value.length; at += 32)
        kept.push({
          table,
          context: `${table} ${column} ${row.subject_id ?? row.rating_id ?? row.key}`,
          key: value.slice(at, at + 32),
        })
  }
  return kept
}

/** Everything a person can do, in each of two contexts. */
async function doEverything(ctx: Ctx, author: Ctx) {
  const { db } = ctx
  const erins = await giveErinHerCompany(db)
  const [other] = await db.query<{ id: string }>(sql`
    insert into companies (name, name_key)
    values ('Other', 'other') returning id`)
  const votes: string[] = []
  for (const [n, company] of [erins, other?.id as string].entries()) {
    const words = { body: 'It is true', name: 'pseudonym' as const }
    const { id } = await startThread(author, {
      ...words,
      title: 'Is it true about them?',
      topics: [],
      poll: { options: ['Yes', 'No'], days: 3 },
      idempotencyKey: crypto.randomUUID(),
    })
    const comment = await addComment(author, id, { ...words, idempotencyKey: crypto.randomUUID() })
    await saveThread(ctx, id, true)
    await muteThread(ctx, id, true)
    await voteThread(ctx, id, 1)
    await voteComment(ctx, comment.id, 1)
    votes.push(id, comment.id)
    await votePoll(ctx, id, 0)
    await reportPost(ctx, { kind: 'thread', id }, { reason: 'spam', note: '' })
    await follow(ctx, company)
    await createAlert(ctx, { search: 'tea', company })
    if (ctx.actor.account)
      await editCompany(ctx, company, {
        changes: { description: { from: null, to: 'They brew tea.' } },
        reason: '',
      })
    const [job] = await db.query<{ id: string }>(sql`
      insert into job_postings
        (company_id, company_name, title, description, html, excerpt, remote_policy,
         employment_type, salary_minimum, salary_maximum, salary_currency, salary_period, apply_link,
         status, posted_date, valid_through, idempotency_key)
      values (${company}, '', 'Brewer', '', '', '', 'remote', 'full-time', 1, 1, 'EUR', 'year',
              'https://tea.example', 'open', '2026-03-01', '2026-05-01', ${`job ${n}`}) returning id`)
    await saveJob(ctx, job?.id as string)
    const [rating] = await db.query<{ id: string }>(sql`
      insert into public_ratings (id, company_id, month, rto, note)
      values (gen_random_uuid(), ${company}, '2026-03-01', 5, 'A note') returning id`)
    await voteHelpful(ctx, rating?.id as string, true, { ratingBatch: 5 })
  }
  return votes
}

test.each(['dana', 'vera'] as const)(
  'nothing %s does has the same key in two contexts',
  async (name) => {
    const author = await as(name === 'dana' ? 'vera' : 'dana', async ({ actor }) => actor)
    await as(name, async (ctx) => {
      await doEverything(ctx, { ...ctx, actor: author })
      const kept = await keysKept(ctx)
      // Every table that holds such keys holds some of this person's.
      expect([...new Set(kept.map(({ table }) => table))]).toEqual(
        [
          ...(ctx.actor.account ? ['company_edits'] : []),
          'follows',
          'job_alerts',
          'muted_threads',
          'poll_votes',
          'rating_votes',
          'reports',
          'saved_jobs',
          'saved_threads',
          'votes',
          // Of the other one, who wrote what is voted on.
          'comments',
          'thread_names',
          'threads',
        ].sort(),
      )
      // Of two votes, or of two posts, in one thread it is the context that is one.
      const again = kept.filter(({ key }) => kept.filter((one) => one.key === key).length > 1)
      const inThreads = ['comments', 'thread_names', 'threads', 'votes']
      expect([...new Set(again.map(({ table }) => table))].sort()).toEqual(inThreads)
      expect(new Set(again.map(({ key }) => key)).size).toBe(4)
      expect(kept.map(({ key }) => key)).not.toContain(rootOf(ctx)?.toString('hex'))
    })
  },
)
