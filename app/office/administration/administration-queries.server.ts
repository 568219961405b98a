import sql, { raw } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { requireAccount } from '#app/api/auth/require.server.ts'
import type { SetUpChecks } from '#app/api/feature.server.ts'
import { factorsOf } from '#app/identity/accounts/second-factors/factor-rows.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { givenUp } from '#app/platform/mail/mail-tasks.server.ts'
import type { Finding } from '#app/platform/operations/doctor.server.ts'
import {
  lastBackupFindings,
  saidSteps,
  saySteps,
} from '#app/platform/operations/owner-steps.server.ts'
import type { SetUp } from './administration.contract.ts'
import { MAIL_NAMES, type SayableStep, SET_UP_STEPS, type SetUpStep } from './administration.ts'

/** Rows beyond this are estimated. */
const COUNTED = 50_000
const ESTIMATE_DIGITS = 3

/**
 * Spec §7.2: counts of users (with or without a profile), companies, threads and pending requests.
 * Companies are summed from the categories, always exact. The others are exact up to 50,000. Beyond
 * that it's the planner's estimate, as counting a million rows takes longer than reading the page.
 * Undelivered mails come by kind and reason, never by address.
 */
export async function adminStats(ctx: Ctx) {
  const { db } = ctx
  const [categories] = await db.query<{ count: number }>(
    sql`select coalesce(sum(companies), 0) as count from categories`,
  )
  return {
    users: await countOf(db, 'accounts'),
    companies: { count: categories?.count ?? 0, isExact: true },
    discussions: await countOf(db, 'threads'),
    pendingRequests: await countUpTo(db, "company_requests where status = 'pending'"),
    undelivered: (await givenUp(db)).filter(({ kind }) => kind in MAIL_NAMES),
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

interface Found {
  isDone: boolean
  /** What's missing, in a sentence. */
  said: string | null
}

export async function setUp(ctx: Ctx, checks: SetUpChecks): Promise<SetUp> {
  const steps = await saidSteps(ctx.db)
  const factors = await factorsOf(ctx, requireAccount(ctx).id)
  const found: Record<SetUpStep, Found> = {
    address: foundOf(checks.address()),
    mail: foundOf(await checks.mail()),
    backup: steps.includes('backup-otherwise') ? DONE : await backupStep(ctx),
    factor: factors.some(({ isVerified }) => isVerified) ? DONE : MISSING,
    companies: await companiesStep(ctx),
    rules: steps.includes('rules') ? DONE : MISSING,
  }
  return {
    steps: SET_UP_STEPS.map((step) => ({ step, ...found[step] })),
    isPutAway: steps.includes('put-away'),
  }
}

export async function sayStep(ctx: Ctx, step: SayableStep | 'put-away', isDone: boolean) {
  await saySteps(ctx.db, step === 'backup' ? 'backup-otherwise' : step, isDone)
  return { isDone }
}

const DONE: Found = { isDone: true, said: null }
const MISSING: Found = { isDone: false, said: null }

const foundOf = (findings: Finding[]): Found => {
  const wrong = findings.find(({ level }) => level !== 'ok')
  return wrong ? { isDone: false, said: wrong.sentence } : DONE
}

async function backupStep(ctx: Ctx): Promise<Found> {
  const findings = await lastBackupFindings(ctx)
  return findings.length === 0 ? MISSING : foundOf(findings)
}

async function companiesStep({ db }: Ctx): Promise<Found> {
  const [count] = await db.query<{ real: boolean; demo: number }>(sql`
    select exists (select from companies where not demo) as real,
           (select count(*)::integer from companies where demo) as demo`)
  if (count && count.demo > 0)
    return {
      isDone: false,
      said: `${count.demo} made-up ${count.demo === 1 ? 'company is' : 'companies are'} still here. Delete them on their pages.`,
    }
  return count?.real ? DONE : MISSING
}
