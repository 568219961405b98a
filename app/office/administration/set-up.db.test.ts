/** The owner's list: what ticks itself, and what the owner says. */
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { insertFactor } from '#app/identity/accounts/second-factors/factor-rows.server.ts'
import { about, type Finding } from '#app/platform/operations/doctor.server.ts'
import { addressFindings } from '#app/platform/operations/doctor-settings.server.ts'
import { lastBackupFindings, markBackup } from '#app/platform/operations/owner-steps.server.ts'
import { withDatabase } from '#tests/support/database.ts'
import { confirmStep, setUp } from './set-up.server.ts'

const { as } = withDatabase()

const NO_MAIL = about('mail').warning('SMTP_URL isn’t set.')

interface Around {
  siteUrl?: string
  mail?: Finding[]
}

/** What is said of each step: true where it is done. */
async function list(ctx: Ctx, { siteUrl, mail = [NO_MAIL] }: Around = {}) {
  const checks = { address: () => addressFindings({ siteUrl }), mail: async () => mail }
  const { steps, isPutAway } = await setUp(ctx, checks)
  const told = Object.fromEntries(steps.map(({ step, isDone, said }) => [step, isDone || said]))
  return { ...told, isPutAway }
}

test('a site that has just begun says of each step what is missing', () =>
  as('olga', async (ctx) => {
    expect(await list(ctx)).toEqual({
      address: expect.stringMatching(/^SITE_URL isn’t set/),
      mail: 'SMTP_URL isn’t set.',
      backup: null,
      factor: null,
      companies: null,
      rules: null,
      isPutAway: false,
    })
    expect(await list(ctx, { siteUrl: 'http://tea.example' })).toMatchObject({
      address: expect.stringMatching(/https/),
    })
  }))

test('each ticks itself once it is so', () =>
  as('olga', async (ctx) => {
    const well = { siteUrl: 'https://tea.example', mail: [about('mail').ok('It takes them.')] }
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

test('a backup by command ticks for two days; the doctor says the same', () =>
  as('olga', async (ctx) => {
    expect(await lastBackupFindings(ctx)).toEqual([])
    await markBackup(ctx)
    expect(await list(ctx)).toMatchObject({ backup: true })
    const later = { ...ctx, now: () => new Date('2026-03-16T00:00:01Z') }
    expect(await lastBackupFindings(later)).toMatchObject([{ level: 'warning' }])
    expect(await list(later)).toMatchObject({ backup: expect.stringMatching(/2 days ago/) })
    await markBackup(later)
    expect(await list(later)).toMatchObject({ backup: true })
  }))

test('what the site cannot know olga says, and takes back; then she puts the list away', () =>
  as('olga', async (ctx) => {
    for (const step of ['rules', 'backup', 'rules'] as const) await confirmStep(ctx, step, true)
    expect(await list(ctx)).toMatchObject({ rules: true, backup: true, isPutAway: false })
    await confirmStep(ctx, 'rules', false)
    await confirmStep(ctx, 'put-away', true)
    expect(await list(ctx)).toMatchObject({ rules: null, backup: true, isPutAway: true })
  }))
