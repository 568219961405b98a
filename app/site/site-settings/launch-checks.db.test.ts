/** What the doctor and the checklist say of addresses, legal pages and rules. */
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { featureConfig, readConfig } from '#app/platform/operations/config.server.ts'
import { confirmSteps } from '#app/platform/operations/owner-steps.server.ts'
import { withDatabase } from '#tests/support/database.ts'
import { launchChecks, launchFindings } from './launch-checks.server.ts'

const { as } = withDatabase()

const configOf = (CONTACT_DOMAIN: string) => featureConfig(readConfig({ CONTACT_DOMAIN }))
const environmentConfig = configOf('tea.example')
const told = async ({ db }: Ctx, config = environmentConfig) =>
  (await launchFindings(db, config)).map(({ level, sentence }) => `${level}: ${sentence}`)
const set = ({ db }: Ctx, name: string, value: string) =>
  db.query(sql`insert into site_settings values (${name}, ${value}, '2026-03-14')`)

test('a new site’s doctor asks who runs it, and wants a person to confirm all three', () =>
  as('olga', async (ctx) => {
    expect(await told(ctx)).toEqual([
      expect.stringMatching(/^warning: No one has confirmed that someone reads/),
      'warning: No page says who runs this site. Set it on /admin/settings.',
      expect.stringMatching(/^warning: No one has confirmed that the legal pages/),
      expect.stringMatching(/^warning: No one has confirmed the community rules/),
    ])
    await set(ctx, 'operator', 'Tea Ltd')
    for (const step of ['mailboxes', 'terms', 'rules'] as const)
      await confirmSteps(ctx.db, step, true)
    expect(await told(ctx)).toEqual(['ok: Addresses, legal pages and rules are the site’s own.'])
  }))

test('addresses of another’s domain and a page that can’t be shown are named', () =>
  as('olga', async (ctx) => {
    await set(ctx, 'legalEmail', 'legal@tea.example')
    await set(ctx, 'pressEmail', '')
    await set(ctx, 'page-terms', 'no head')
    const { mailboxes, terms } = await launchChecks(ctx.db, configOf('kettle.example'))
    expect(mailboxes.findings[0]?.sentence).toBe(
      'privacy@kettle.example, contact@kettle.example: kettle.example isn’t yours. Set yours on /admin/settings.',
    )
    expect(terms.findings[0]).toMatchObject({
      level: 'problem',
      sentence: expect.stringMatching(/^What administrators wrote for \/terms can’t be shown/),
    })
  }))
