/** What administrators set in the panel, on a real database. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { adminLog, logEntries } from '#app/office/administration/admin-log-queries.server.ts'
import { createChosenSettings } from '#app/platform/operations/chosen-settings.server.ts'
import { featureConfig, readConfig } from '#app/platform/operations/config.server.ts'
import { withDatabase } from '#tests/support/database.ts'
import { accentSentence, LIVE_NAMES, type SettingName } from './site-setting.ts'
import { chooseSetting, siteSetting, siteSettings, withSettings } from './site-settings.server.ts'

const { as, outside } = withDatabase()

const configOf = (environment: Record<string, string> = {}) =>
  featureConfig(readConfig({ CONTACT_DOMAIN: 'kettle.example', ...environment }))

const panel = (ctx: Ctx, environmentConfig = configOf()) => {
  const settings = createChosenSettings()
  return {
    choose: (name: SettingName, text: string | null) =>
      chooseSetting(
        ctx,
        { environmentConfig, config: environmentConfig, settings },
        { name, text },
      ),
    of: (name: SettingName) => siteSetting(ctx, environmentConfig, name),
  }
}

const logOf = async (ctx: Ctx) =>
  (await adminLog(ctx, { action: 'change-setting' })).entries.map(
    ({ admin, subject, before, after }) => [admin, subject, before, after],
  )

test('ada renames the site and takes it back, and the log has both', () =>
  as('ada', async (ctx) => {
    const { choose, of } = panel(ctx)
    expect(await of('siteName')).toMatchObject({ text: 'Kettle', usual: 'Kettle', changedOn: null })
    expect(await choose('siteName', '  Samovar\n')).toEqual(await of('siteName'))
    expect(await of('siteName')).toMatchObject({ text: 'Samovar', changedOn: '2026-03-14' })
    await choose('siteName', 'Samovar')
    await choose('siteName', null)
    expect(await of('siteName')).toMatchObject({ text: 'Kettle', changedOn: null })
    expect(await logOf(ctx)).toEqual([
      ['Ada', 'Site name', 'Samovar', 'Kettle'],
      ['Ada', 'Site name', 'Kettle', 'Samovar'],
    ])
  }))

test('the usual text counts as unchanged', () =>
  as('ada', async (ctx) => {
    const { choose, of } = panel(ctx)
    await choose('pressEmail', 'press@samovar.example')
    await choose('pressEmail', 'press@kettle.example')
    expect(await of('pressEmail')).toMatchObject({ changedOn: null })
    expect(await ctx.db.query(sql`select * from site_settings`)).toEqual([])
  }))

test('a setting from the environment shows as fixed, and no one can change it', () =>
  as('ada', async (ctx) => {
    const environmentConfig = configOf({ SITE_NAME: 'Teapot' })
    const { choose, of } = panel(ctx, environmentConfig)
    await ctx.db.query(sql`insert into site_settings values ('siteName', 'Samovar', '2026-03-01')`)
    expect(await of('siteName')).toMatchObject({ text: 'Teapot', fixedBy: 'SITE_NAME' })
    await expect(choose('siteName', 'Kettle')).rejects.toMatchObject({
      status: 409,
      message: 'SITE_NAME sets this on the server, so it can’t be changed here.',
    })
    const settings = { get: () => ({ value: 'Samovar', day: '2026-03-01' }) }
    expect(withSettings(environmentConfig, settings).siteName).toBe('Teapot')
  }))

describe('what can’t be set', () => {
  test.each<[SettingName, string, string]>([
    ['siteName', ' ', 'The site needs a name'],
    ['siteName', 'x'.repeat(41), 'at most 40 characters'],
    ['accent', '', 'A color looks like #9a4d0c'],
    ['accent', 'teal', 'A color looks like #9a4d0c'],
    ['accent', '#fff', 'A color looks like #9a4d0c'],
    ['logo', '0123456789abcdef-64x64', 'Send the picture as a file'],
    ['heroSentence', '', 'The home page needs a sentence'],
    ['legalEmail', 'legal', 'An address looks like'],
    ['legalEmail', 'a@b.example](javascript:x)', 'An address looks like'],
    ['footerLinks', 'https://kettle.example', 'A line looks like'],
    ['footerLinks', 'Imprint javascript:alert(1)', 'A line looks like'],
    ['footerLinks', 'Imprint //elsewhere.example', 'A line looks like'],
    ['footerLinks', 'Imprint /x\n'.repeat(11), 'At most 10 links'],
    ['badgeHoldersMin', '9', 'A whole number from 10 to 9999'],
    ['roomHoldersMin', '29', 'A whole number from 30 to 9999'],
    ['ratingBatch', '4', 'A whole number from 5 to 9999'],
    ['ratingBatch', '1e3', 'A whole number from 5 to 9999'],
    ['signUpMode', 'friends', 'Choose one of these'],
    ['signUpDomains', 'acme', 'A domain looks like acme.example'],
  ])('%s: %j', (name, text, sentence) =>
    as('ada', async (ctx) => {
      await expect(panel(ctx).choose(name, text)).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining(sentence),
      })
      expect(await logOf(ctx)).toEqual([])
    }),
  )
})

describe('pages', () => {
  const RULES =
    '---\ndescription: Our rules.\n---\n\nBe kind at {siteName}.\n\n## Rules {#rules}\n\nBe *kind*.'

  test('ada rewrites the rules, starting from ours, and the file of the log has both versions', () =>
    as('ada', async (ctx) => {
      const { choose, of } = panel(ctx)
      const ours = await of('page-community-rules')
      expect(ours).toMatchObject({ text: ours.usual, changedOn: null })
      expect(ours.text).toContain('Leave people out of it')
      expect(await choose('page-community-rules', `${RULES}\n`)).toMatchObject({
        text: RULES,
        changedOn: '2026-03-14',
      })
      const listed = await siteSettings(ctx, configOf())
      expect(listed.map(({ name }) => name)).toEqual(LIVE_NAMES)
      const [entry] = (await logOf(ctx))[0]?.slice(2) ?? []
      expect(entry?.length).toBeLessThanOrEqual(300)
      const [full] = await logEntries(ctx, { action: 'change-setting' }, { limit: 1 })
      expect(full).toMatchObject({ subject: 'Community rules', before: ours.text, after: RULES })
      await choose('page-community-rules', null)
      expect(await of('page-community-rules')).toEqual(ours)
    }))

  test.each([
    [
      'page-terms',
      RULES.replace('Be *kind*', '{company}'),
      'The page can’t be shown: {company} is unknown.',
    ],
    ['page-privacy', RULES, 'It has to contain {cookiePreferences} once.'],
    ['page-terms', '', 'It needs a line "description: …"'],
  ] as const)('%s that can’t be shown is refused with the reason', (name, text, sentence) =>
    as('ada', async (ctx) => {
      await expect(panel(ctx).choose(name, text)).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining(sentence),
      })
    }),
  )

  test('a page that’s the operator’s own file stays so', () =>
    as('ada', async (ctx) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'kettle-pages-'))
      mkdirSync(join(dataDir, 'pages'))
      writeFileSync(join(dataDir, 'pages/terms.md'), RULES)
      const { choose, of } = panel(ctx, configOf({ DATA_DIR: dataDir }))
      expect(await of('page-terms')).toMatchObject({ fixedBy: 'pages/terms.md' })
      await expect(choose('page-terms', RULES)).rejects.toMatchObject({ status: 409 })
      rmSync(dataDir, { recursive: true })
    }))
})

test('every setting has a text that can be saved, and a value that reads like the usual one', () => {
  const environmentConfig = configOf()
  const usual = withSettings(environmentConfig, { get: () => undefined })
  for (const name of LIVE_NAMES) expect(usual[name]).toEqual(environmentConfig[name])
  const values: [(typeof LIVE_NAMES)[number], string, unknown][] = [
    ['accent', '#1D4ED8', '#1d4ed8'],
    ['accent', '#9A4D0C', undefined],
    [
      'logo',
      '0123456789abcdef-64x32-dark',
      {
        path: '/brand/logo-0123456789abcdef.png',
        width: 64,
        height: 32,
        hasName: false,
        tone: 'dark',
      },
    ],
    ['sharePicture', '0123456789abcdef-1200x630', '/brand/share-0123456789abcdef.jpeg'],
    ['operator', 'Tea Ltd\n1 Pot Lane', 'Tea Ltd, 1 Pot Lane'],
    ['signUpDomains', 'Acme.example\nbolt.example', ['acme.example', 'bolt.example']],
    ['greeting', '', ''],
    ['legalEmail', '', null],
    [
      'footerLinks',
      'The imprint  https://kettle.example/imprint\n\nAbout /about',
      [
        { name: 'The imprint', href: 'https://kettle.example/imprint' },
        { name: 'About', href: '/about' },
      ],
    ],
  ]
  const raised = withSettings(environmentConfig, { get: () => ({ value: '12', day: '' }) })
  expect([raised.badgeHoldersMin, raised.ratingBatch]).toEqual([12, 12])
  const env = configOf({ RATING_BATCH: '1' })
  expect(withSettings(env, { get: () => ({ value: '12', day: '' }) }).ratingBatch).toBe(1)
  for (const [name, value, read] of values)
    expect(withSettings(environmentConfig, { get: () => ({ value, day: '' }) })[name]).toEqual(read)
})

test('a picked accent color says what each theme makes of it', () => {
  expect(accentSentence('#1d4ed8', 'light')).toBe(
    'In the light theme, it’s #1d4ed8, with a contrast of 5.7:1.',
  )
  expect(accentSentence('#FFDD00', 'light')).toBe(
    'In the light theme, it’s #796807, with a contrast of 4.7:1. #ffdd00 would have 1.1:1, and text needs 4.5:1.',
  )
})

test('every process hears of a change, and drops its cached pages', async () => {
  const db = outside()
  const [here, there] = [createChosenSettings(), createChosenSettings()]
  for (const settings of [here, there]) await settings.follow(db, () => {})
  let dropped = 0
  there.whenRead(() => dropped++)
  const ctx = await as('ada', async (ctx) => ({ ...ctx, db }))
  try {
    await chooseSetting(
      ctx,
      { environmentConfig: configOf(), config: configOf(), settings: here },
      { name: 'siteName', text: 'Samovar' },
    )
    for (const settings of [here, there])
      await expect.poll(() => withSettings(configOf(), settings).siteName).toBe('Samovar')
    expect(dropped).toBeGreaterThan(0)
  } finally {
    await db.query(sql`delete from site_settings`)
    await db.query(sql`delete from admin_log where action = 'change-setting'`)
  }
})
