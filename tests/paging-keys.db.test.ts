/**
 * A page starts after its key, and nothing comes after null. So a list ordered by a column that may be null skips rows.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sql from 'sql-template-tag'

import { expect, test } from 'vitest'
import { listCompanies } from '#app/companies/company-queries.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { withDatabase } from './support/database.ts'

const { as } = withDatabase()

/** Each list's file, and the columns that order its pages. Your own posts' numbers are computed. */
const KEYS: Record<string, string[]> = {
  'app/community/discussions/posts/own-posts.server.ts': [],
  'app/community/discussions/search/thread-search.server.ts': [
    'threads.hot',
    'threads.score',
    'threads.posted_minute',
  ],
  'app/community/discussions/threads/thread-queries.server.ts': [
    'threads.hot',
    'threads.score',
    'threads.posted_minute',
  ],
  'app/companies/company-queries.server.ts': [
    'companies.created_at',
    'companies.name_key',
    'company_stats.score',
    'company_stats.threads',
    'company_stats.views',
    'company_stats.recent_comments',
    'company_stats.ratings',
  ],
  'app/jobs/search/job-search.server.ts': ['job_entries.posted_day', 'job_entries.salary_worth'],
  'app/moderation/notifications/notification-queries.server.ts': ['notifications.minute'],
  'app/moderation/queue-queries.server.ts': [
    'moderation_cases.opened_on',
    'moderation_cases.opened_number',
  ],
  'app/office/contact/contact-queries.server.ts': ['contact_messages.number'],
  'app/ratings/rating-queries.server.ts': [
    'public_ratings.month',
    'public_ratings.helpful',
    'public_interviews.month',
    'public_interviews.helpful',
  ],
}

/** @returns a line for each key that may be null */
async function emptyKeys(db: Database, keys: Record<string, string[]>) {
  const rows = await db.query<{ key: string }>(sql`
    select table_name || '.' || column_name as key from information_schema.columns
     where table_schema = 'public' and is_nullable = 'NO'`)
  const filled = new Set(rows.map(({ key }) => key))
  return Object.entries(keys).flatMap(([list, columns]) =>
    columns.filter((key) => !filled.has(key)).map((key) => `${list}: ${key} may be null`),
  )
}

test('every list with page markers says here what orders its pages', () => {
  const lists = readdirSync('app', { recursive: true })
    .map((path) => join('app', String(path)))
    .filter((path) => path.endsWith('.server.ts') && !path.endsWith('keyset.server.ts'))
    .filter((path) => /\bwriteCursor\(/.test(readFileSync(path, 'utf8')))
  expect(lists.sort()).toEqual(Object.keys(KEYS).sort())
})

test('no page starts after a key that may be null', () =>
  as('vera', async ({ db }) => {
    expect(await emptyKeys(db, KEYS)).toEqual([])
    // Without this, a check that looks at nothing would pass, too.
    await db.query(sql`alter table threads alter column hot drop not null`)
    expect(await emptyKeys(db, KEYS)).toEqual(
      ['search/thread-search', 'threads/thread-queries'].map(
        (list) => `app/community/discussions/${list}.server.ts: threads.hot may be null`,
      ),
    )
  }))

test('a company whose name is an accent alone has a next page, too', () =>
  as('vera', async (ctx) => {
    const id = '00000000-0000-4000-8000-00000000c0de'
    await ctx.db.query(
      sql`insert into companies (id, name, name_key) values (${id}, '\u0301', ''), (gen_random_uuid(), 'Acme', 'acme')`,
    )
    const page = (after?: string) => listCompanies(ctx, { sort: 'a-z', limit: 1, after })
    const { companies, next } = await page()
    expect(companies).toMatchObject([{ id }])
    expect((await page(next ?? '')).companies).not.toMatchObject([{ id }])
  }))
