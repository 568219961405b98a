import sql, { raw } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { may } from '#app/api/auth/permissions.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { givenUp } from '#app/platform/mail/mail-tasks.server.ts'
import { lastBackup } from '#app/platform/operations/owner-steps.server.ts'
import { MAIL_NAMES } from './administration.ts'

/** Beyond this many rows, we estimate. */
const COUNTED = 50_000
const ESTIMATE_DIGITS = 3

/**
 * Spec §7.2: counts of users (with or without a profile), companies, threads and the pending requests you may open.
 * Companies are the sum of the categories, which is always exact. The others are exact up to
 * 50,000. Beyond that, we use the planner's estimate, because counting a million rows takes longer
 * than reading the page. Undelivered emails are grouped by kind and reason, never by address.
 */
export async function adminStats(ctx: Ctx) {
  const { db, actor } = ctx
  const [categories] = await db.query<{ count: number }>(
    sql`select coalesce(sum(companies), 0) as count from categories`,
  )
  return {
    users: await countOf(db, 'accounts'),
    companies: { count: categories?.count ?? 0, isExact: true },
    discussions: await countOf(db, 'threads'),
    pendingRequests: may.manageCompanyRequests(actor)
      ? await countUpTo(db, "company_requests where status = 'pending'")
      : { count: 0, isExact: true },
    undelivered: (await givenUp(db)).filter(({ kind }) => kind in MAIL_NAMES),
    backup: (await lastBackup(ctx)) ?? null,
  }
}

async function countOf(db: Database, table: 'accounts' | 'threads') {
  const estimate = await plannedRows(db, table)
  if (estimate > COUNTED) return { count: rounded(estimate), isExact: false }
  return countUpTo(db, table)
}

async function countUpTo(db: Database, rows: string) {
  const [counted] = await db.query<{ count: number }>(sql`
    select count(*) as count from (select from ${raw(rows)} limit ${COUNTED + 1}) counted`)
  const count = counted?.count ?? 0
  return { count: Math.min(count, COUNTED), isExact: count <= COUNTED }
}

/** The planner's estimate, from its statistics and the table's current size. */
async function plannedRows(db: Database, table: string) {
  type Plan = { 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }
  const [plan] = await db.query<Plan>(sql`explain (format json) select from ${raw(table)}`)
  return plan?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0
}

const rounded = (estimate: number) => Number(estimate.toPrecision(ESTIMATE_DIGITS))
