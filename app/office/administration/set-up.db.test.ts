/** The owner's list: what ticks itself, and what the owner says. */
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { addressOf } from '#app/api/auth/addresses.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { LaunchCheck } from '#app/api/feature.server.ts'
import { insertFactor } from '#app/identity/accounts/second-factors/factor-rows.server.ts'
import { type Finding, findingsAbout } from '#app/platform/operations/doctor.server.ts'
import { addressFindings } from '#app/platform/operations/doctor-settings.server.ts'
import {
  lastBackup,
  lastBackupFindings,
  markBackup,
} from '#app/platform/operations/owner-steps.server.ts'
import { withDatabase } from '#tests/support/database.ts'
import { BACKUP_MAIL_TASK, queueBackupMails, sendBackupMail } from './backup-mail.server.ts'
import { confirmStep, setUp } from './set-up.server.ts'

const { as } = withDatabase()

const NO_MAIL = findingsAbout('mail').warning('SMTP_URL isn’t set.')

const MAIL_SETTINGS = {
  adminSecondFactor: 'offered' as const,
  siteName: 'Kettle',
  siteUrl: () => 'https://kettle.example',
}

const adminsIn = async ({ db, secrets }: Ctx) => {
  const people = await db.query<{ id: string; emailSealed: string; emailHash: string }>(sql`
    select id, email_sealed as "emailSealed", email_hash as "emailHash"
      from accounts join admin_users using (id)`)
  return people.map((person) => addressOf(secrets, person)).toSorted()
}

const NO_OPERATOR = findingsAbout('pages').warning('No page says who runs this site.')
const ours = (...findings: Finding[]): LaunchCheck => ({ findings, isOwn: false })
const UNCHANGED = { mailboxes: ours(), terms: ours(NO_OPERATOR), rules: ours() }

interface Around {
  launch?: typeof UNCHANGED
  siteUrl?: string
  mail?: Finding[]
}

/** What is said of each step: true where it is done. */
async function list(ctx: Ctx, { siteUrl, mail = [NO_MAIL], launch = UNCHANGED }: Around = {}) {
  const checks = {
    address: () => addressFindings({ siteUrl }),
    mail: async () => mail,
    launch: async () => launch,
  }
  const { steps, isPutAway } = await setUp(ctx, checks)
  const told = Object.fromEntries(steps.map(({ step, isDone, said }) => [step, isDone || said]))
  return { ...told, isPutAway }
}

test('a new site says what each step still needs', () =>
  as('olga', async (ctx) => {
    expect(await list(ctx)).toEqual({
      address: expect.stringMatching(/^SITE_URL isn’t set/),
      mail: 'SMTP_URL isn’t set.',
      backup: null,
      factor: null,
      companies: null,
      mailboxes: null,
      terms: NO_OPERATOR.sentence,
      rules: null,
      isPutAway: false,
    })
    expect(await list(ctx, { siteUrl: 'http://tea.example' })).toMatchObject({
      address: expect.stringMatching(/https/),
    })
  }))

test('each step ticks itself once it’s done', () =>
  as('olga', async (ctx) => {
    const well = {
      siteUrl: 'https://tea.example',
      mail: [findingsAbout('mail').ok('It takes them.')],
    }
    expect(await list(ctx, well)).toMatchObject({ address: true, mail: true })

    await insertFactor(ctx, ctx.actor.account?.id as string, 'totp', {
      name: 'Phone',
      secret: 'A'.repeat(32),
    })
    expect(await list(ctx, well)).toMatchObject({ factor: null })
    await ctx.db.query(sql`update second_factors set is_verified = true`)
    expect(await list(ctx, well)).toMatchObject({ factor: true })

    await ctx.db.query(sql`
      insert into companies (name, name_key, slug, demo)
      values ('Acme', 'acme', 'acme', false), ('Tea', 'tea', 'tea', true)`)
    expect(await list(ctx, well)).toMatchObject({
      companies: '1 made-up company is still here. Delete them on their pages.',
    })
    await ctx.db.query(sql`delete from companies where demo`)
    expect(await list(ctx, well)).toMatchObject({ companies: true })
  }))

test('a backup by command ticks its step for a day, and the doctor agrees', () =>
  as('olga', async (ctx) => {
    expect(await lastBackupFindings(ctx)).toEqual([])
    await markBackup(ctx, 1_234_567_890)
    expect(await lastBackupFindings(ctx)).toMatchObject([
      { level: 'ok', sentence: expect.stringMatching(/2026-03-14 09:26 UTC \(1\.2 GB\)/) },
    ])
    expect(await list(ctx)).toMatchObject({ backup: true })
    const later = { ...ctx, now: () => new Date('2026-03-15T11:28:00Z') }
    expect(await lastBackupFindings(later)).toMatchObject([{ level: 'warning' }])
    expect(await list(later)).toMatchObject({
      backup: expect.stringMatching(/more than a day old \(2026-03-14 09:26 UTC\)/),
    })
    await markBackup(later, 9)
    expect(await list(later)).toMatchObject({ backup: true })
  }))

test('olga ticks and unticks what the site can’t know, and puts the list away', () =>
  as('olga', async (ctx) => {
    for (const step of ['rules', 'backup', 'rules'] as const) await confirmStep(ctx, step, true)
    expect(await list(ctx)).toMatchObject({ rules: true, backup: true, isPutAway: false })
    await confirmStep(ctx, 'rules', false)
    await confirmStep(ctx, 'put-away', true)
    expect(await list(ctx)).toMatchObject({ rules: null, backup: true, isPutAway: true })
  }))

test('administrators get one mail about an old backup, and another after the next one', async () => {
  const sent: string[] = []
  const mailer = {
    send: async ({ to, text }: { to: string; text: string }) => void sent.push(`${to}: ${text}`),
  }
  await as('olga', async (ctx) => {
    const { db, secrets } = ctx
    const at = (iso: string) => ({ ...ctx, now: () => new Date(iso) })
    const mails = async (now: string) => {
      await queueBackupMails(at(now), MAIL_SETTINGS)
      const tasks = await db.query<{ payload: { sealedEmail: string } }>(
        sql`delete from job_queue where kind = ${BACKUP_MAIL_TASK} returning payload`,
      )
      return tasks.map(({ payload }) => payload)
    }
    // We don't nag a site that's only being tried.
    expect(await mails('2026-03-20T09:00:00Z')).toEqual([])
    await markBackup(ctx, 9)
    expect(await mails('2026-03-15T11:25:00Z')).toEqual([])
    const first = await mails('2026-03-15T11:27:00Z')
    expect(first.map(({ sealedEmail }) => secrets.open(sealedEmail)).toSorted()).toEqual(
      await adminsIn(ctx),
    )
    expect(await mails('2026-03-18T09:00:00Z')).toEqual([])
    const [payload] = first as [(typeof first)[0]]
    await sendBackupMail(at('2026-03-15T11:27:00Z'), mailer as never, MAIL_SETTINGS, payload)
    expect(sent).toEqual([expect.stringMatching(/more than a day old[\s\S]*2026-03-14, 09:26 UTC/)])
    await markBackup(at('2026-03-18T09:00:00Z'), 9)
    await sendBackupMail(at('2026-03-18T10:00:00Z'), mailer as never, MAIL_SETTINGS, payload)
    expect(sent).toHaveLength(1)
    await confirmStep(ctx, 'backup', true)
    expect(await mails('2026-03-20T09:00:00Z')).toEqual([])
    expect((await lastBackup(at('2026-03-20T09:00:00Z')))?.isOld).toBe(false)
    await confirmStep(ctx, 'backup', false)
    expect(await mails('2026-03-20T09:00:00Z')).toHaveLength(first.length)
  })
})

test('addresses, legal pages and rules are done once olga says so or they’re her own, and nothing is wrong', () =>
  as('olga', async (ctx) => {
    for (const step of ['mailboxes', 'terms'] as const) await confirmStep(ctx, step, true)
    expect(await list(ctx)).toMatchObject({ mailboxes: true, terms: NO_OPERATOR.sentence })
    const launch = { ...UNCHANGED, terms: ours(), rules: { findings: [], isOwn: true } }
    expect(await list(ctx, { launch })).toMatchObject({ mailboxes: true, terms: true, rules: true })
  }))
