import { chmod, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startMailServer } from '#tests/support/mail-server.ts'
import { openPostgres } from '../database/postgres.server.ts'
import { type Finding, findingLines } from './doctor.server.ts'
import { whyUnreachable } from './doctor-database.server.ts'
import {
  backupFindings,
  buildFindings,
  diskFindings,
  keyFileFindings,
} from './doctor-disk.server.ts'
import { mailFindings, unknownSettings, usableSettings } from './doctor-settings.server.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kettle-doctor-'))
})
afterEach(() => rm(folder, { recursive: true }))

const PUBLIC = {
  SITE_URL: 'https://tea.example',
  TRUST_PROXY: '1',
  OWNER_EMAIL: 'olga@tea.example',
  STARTER: 'companies',
}
const settingsOf = (environment: Record<string, string>) => usableSettings(environment).findings
const levels = (found: Finding[]) => found.map(({ level }) => level)
const told = (found: Finding[]) => findingLines(found).join('\n')

describe('settings', () => {
  test('that go together are one line', () => {
    expect(told(settingsOf(PUBLIC))).toBe('ok       settings  All settings are valid.')
  })

  test.each<[string, Record<string, string>, Finding['level'], RegExp]>([
    [
      'http on a public site',
      { SITE_URL: 'http://tea.example', ADMIN_SECOND_FACTOR: 'required' },
      'problem',
      /https/,
    ],
    ['demo passwords for the world', { NODE_ENV: 'development' }, 'problem', /NODE_ENV/],
    ['everybody’s word about the network', { TRUST_PROXY: 'true' }, 'problem', /TRUST_PROXY/],
    ['nobody’s word about it', { TRUST_PROXY: '' }, 'warning', /TRUST_PROXY/],
    ['a link that nobody gets', { AUTH_AUTOCONFIRM: 'false' }, 'problem', /SMTP_URL/],
    ['no owner', { OWNER_EMAIL: '' }, 'warning', /OWNER_EMAIL/],
    ['no limits', { RATE_LIMITS: 'off' }, 'warning', /RATE_LIMITS/],
    ['a password alone', { ADMIN_SECOND_FACTOR: 'offered' }, 'warning', /ADMIN_SECOND_FACTOR/],
    ['no proof of work', { PROOF_OF_WORK: '0' }, 'warning', /PROOF_OF_WORK/],
    ['made-up people', { STARTER: 'demo' }, 'warning', /STARTER/],
    ['no address', { SITE_URL: '' }, 'warning', /SITE_URL/],
    [
      'mails from nobody',
      { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'no-reply@kettle.example' },
      'problem',
      /MAIL_FROM/,
    ],
  ])('the doctor reports settings with %s', (_what, change, level, sentence) => {
    const [found, ...others] = settingsOf({ ...PUBLIC, ...change })
    expect(found).toMatchObject({ level, sentence: expect.stringMatching(sentence) })
    expect(others).toEqual([])
  })

  test('an invalid value is named without the value', () => {
    const found = settingsOf({ SMTP_URL: 'http://user:geheim"@mail.example' })
    expect(told(found)).toMatch(/^problem {2}settings {2}The setting SMTP_URL is invalid: must/)
    expect(told(found)).not.toMatch(/geheim|mail\.example/)
    const { findings, config } = usableSettings({ MAIL_FROM: 'geheim' })
    expect(told(findings)).toMatch(/MAIL_FROM is invalid/)
    expect(told(findings)).not.toContain('geheim')
    expect(config).toBeUndefined()
  })

  test('several invalid values are all named', () => {
    const found = settingsOf({ PORT: '70000', RATING_BATCH: '2.5' })
    expect(told(found)).toBe(
      'problem  settings  The setting PORT is invalid: must be a port number from 0 to 65535.\n' +
        'problem  settings  The setting RATING_BATCH is invalid: must be a number from 1 to 1000.',
    )
  })

  test('a misspelled setting is a warning, without its value', () => {
    expect(unknownSettings(['SITE_URL', 'SMTP_URI'])).toEqual([
      {
        level: 'warning',
        about: 'settings',
        sentence: 'SMTP_URI in .env isn’t a Kettle setting. Check the spelling.',
      },
    ])
  })
})

describe('keys', () => {
  const keys = (isUsed: boolean | undefined, secretKey?: string) =>
    keyFileFindings({ dataDir: folder, secretKey, signingKeys: undefined }, isUsed)

  test('the first start makes the keys, and they’re missing if there’s already a database', async () => {
    expect(levels(await keys(false))).toEqual(['ok', 'ok'])
    const found = await keys(true)
    expect(levels(found)).toEqual(['problem', 'warning'])
    expect(told(found)).toContain('Put its secret.key back')
    // If the database doesn't open, we can't know whether it's new.
    expect(levels(await keys(undefined))).toEqual(['skipped', 'skipped'])
  })

  test('the keys are for this user only, and not empty', async () => {
    const file = join(folder, 'secret.key')
    await writeFile(file, 'geheim', { mode: 0o600 })
    expect((await keys(true))[0]?.level).toBe('ok')
    await chmod(file, 0o644)
    const found = await keys(true)
    expect(found[0]).toMatchObject({
      level: 'problem',
      sentence: expect.stringContaining(`chmod 600 ${file}`),
    })
    expect(told(found)).not.toContain('geheim')
    await writeFile(file, '')
    expect((await keys(true))[0]?.sentence).toMatch(/is empty/)
    expect((await keys(true, 'x'.repeat(32)))[0]?.sentence).toMatch(/isn’t used/)
  })
})

test('the doctor checks the data folder, or the one it will be in', async () => {
  expect(levels(await diskFindings({ dataDir: folder }))).toContain('ok')
  const later = join(folder, 'later', 'data')
  expect(levels(await diskFindings({ dataDir: later }))).not.toContain('problem')
  await chmod(folder, 0o755)
  expect(told(await diskFindings({ dataDir: folder }))).toContain(`chmod 700 ${folder}`)
})

test('a folder without a build needs one', async () => {
  expect(told(await buildFindings(folder))).toContain('npm run build')
  for (const part of ['server', 'client'])
    await mkdir(join(folder, 'dist', part), { recursive: true })
  await writeFile(join(folder, 'dist/server/server.js'), '')
  await writeFile(join(folder, 'dist/client/build-info.json'), '{}')
  expect(levels(await buildFindings(folder))).toEqual(['ok'])
})

test('the doctor checks the newest backup’s age, readers and completeness', async () => {
  const now = new Date('2026-03-14T09:00:00Z')
  expect(told(await backupFindings(undefined, now))).toMatch(
    /^skipped {2}backup {4}Not checked, because no file or folder was given/,
  )
  expect(told(await backupFindings(folder, now))).toContain('There’s no backup')
  const path = join(folder, 'old.backup')
  await writeFile(path, 'cut', { mode: 0o644 })
  await utimes(path, now, new Date('2026-03-10T09:00:00Z'))
  const found = await backupFindings(folder, now)
  expect(levels(found)).toEqual(['problem', 'warning', 'problem'])
  expect(told(found)).toMatch(/chmod 600.*more than a day old.*isn’t a Kettle backup/s)
})

describe('mail', () => {
  const mailFrom = (smtpUrl?: string) => mailFindings({ mail: { smtpUrl } })

  test('a site without a mail server reaches no one', async () => {
    expect(levels(await mailFrom())).toEqual(['warning'])
  })

  test('a mail server that lets us in gets no mail for it', async () => {
    const server = await startMailServer()
    try {
      expect(levels(await mailFrom(server.url))).toEqual(['ok'])
      expect(server.mails).toEqual([])
    } finally {
      await server.stop()
    }
  })

  test('a mail server that’s away is reported without its address and password', async () => {
    const found = told(await mailFrom('smtp://user:geheim@127.0.0.1:1'))
    expect(found).toMatch(/^problem {2}mail {6}The mail server doesn’t work: nothing is responding/)
    expect(found).not.toMatch(/geheim|127\.0\.0\.1/)
  })
})

test('a database that’s away is reported without its address', async () => {
  const toldOf = (url: string) =>
    openPostgres({ url, connections: 1 }).then(
      () => 'opened',
      (error) => [whyUnreachable(error).sentence, error.message],
    )
  const both = (cause: string) =>
    Array(2).fill(`Can’t reach the database in DATABASE_URL: ${cause}. Check DATABASE_URL.`)
  expect(await toldOf('postgres://kettle:hush@127.0.0.1:1/tea')).toEqual(
    both('nothing is listening there. Start PostgreSQL or fix the port'),
  )
  for (const file of ['sslrootcert=/private/of/olga.pem', 'sslkey=/', 'sslcert=/dev/null/x'])
    expect(await toldOf(`postgres://kettle@127.0.0.1:1/tea?${file}`)).toEqual(
      both('a certificate or key that it names can’t be read'),
    )
  expect(whyUnreachable(new Error('hush')).sentence).toBe(
    'Can’t reach the database in DATABASE_URL. Check DATABASE_URL.',
  )
})
