/** What a new site's owner still has to do, as far as we can tell, and what they say they've done. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { requireAccount } from '#app/api/auth/require.server.ts'
import type { LaunchCheck, LaunchStep, SetUpChecks } from '#app/api/feature.server.ts'
import { factorsOf } from '#app/identity/accounts/second-factors/factor-rows.server.ts'
import type { Finding } from '#app/platform/operations/doctor.server.ts'
import {
  confirmedSteps,
  confirmSteps,
  lastBackupFindings,
} from '#app/platform/operations/owner-steps.server.ts'
import type { SetUp } from './administration.contract.ts'
import { type ConfirmableStep, SET_UP_STEPS, type SetUpStep } from './administration.ts'

interface Found {
  isDone: boolean
  /** What's missing, in a sentence. */
  said: string | null
}

export async function setUp(ctx: Ctx, checks: SetUpChecks): Promise<SetUp> {
  const steps = await confirmedSteps(ctx.db)
  const factors = await factorsOf(ctx, requireAccount(ctx).id)
  const launch = await checks.launch(ctx.db)
  const launched = (step: LaunchStep) =>
    launch[step].isOwn || steps.includes(step)
      ? foundOf(launch[step].findings)
      : missing(launch[step])
  const found: Record<SetUpStep, Found> = {
    address: foundOf(checks.address()),
    mail: foundOf(await checks.mail()),
    backup: steps.includes('backup-otherwise') ? DONE : await backupStep(ctx),
    factor: factors.some(({ isVerified }) => isVerified) ? DONE : MISSING,
    companies: await companiesStep(ctx),
    mailboxes: launched('mailboxes'),
    terms: launched('terms'),
    rules: launched('rules'),
  }
  return {
    steps: SET_UP_STEPS.map((step) => ({ step, ...found[step] })),
    isPutAway: steps.includes('put-away'),
  }
}

export async function confirmStep(ctx: Ctx, step: ConfirmableStep | 'put-away', isDone: boolean) {
  await confirmSteps(ctx.db, step === 'backup' ? 'backup-otherwise' : step, isDone)
  return { isDone }
}

const DONE: Found = { isDone: true, said: null }
const MISSING: Found = { isDone: false, said: null }
const missing = ({ findings }: LaunchCheck): Found => ({
  isDone: false,
  said: findings[0]?.sentence ?? null,
})

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
