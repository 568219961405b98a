/** A first try on your own machine: commands work while the embedded site is running, and you needn't read any emails. */
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openInside } from '../support/database.ts'
import { startS3 } from '../support/s3-server.ts'
import { type Site, startSite } from '../support/server.ts'
import { commandsBeside } from './steps/commands.ts'
import { openConfirmation, signUp, tokenOf } from './steps/newcomers.ts'

let dataDir: string
let site: Site
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'kettle-commands-'))
  site = await startSite({
    env: { DATA_DIR: dataDir, STARTER: 'companies', PROOF_OF_WORK: '0' },
  })
})
afterAll(async () => {
  await site?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const command = (name: string, ...words: string[]) => commandsBeside(dataDir)(name, ...words)

test('olga signs up, opens the link that the console shows, and is an administrator by one command', async () => {
  const olga = { email: 'olga@people.example', password: 'correct horse 9' }
  const { email } = olga
  const id = await signUp(site.url, olga)
  expect(await command('admin', 'grant', email)).toMatchObject({
    code: 1,
    said: expect.stringContaining('isn’t confirmed'),
  })

  const link = () => /Confirm your email for Kettle: (http\S+)/.exec(site.logs())?.[1]
  await expect.poll(link).toBeDefined()
  expect(site.logs()).not.toContain(email)
  await openConfirmation(link() as string, id)
  expect(await command('admin', 'grant', email)).toEqual({
    code: 0,
    said: `${email} is now an administrator.`,
  })
  expect((await command('admin', 'list')).said).toContain(email)
  const token = await tokenOf(site.url, olga)
  const me = await fetch(`${site.url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } })
  expect(await me.json()).toMatchObject({ role: 'admin' })
})

test('ada imports, counts, backs up and runs the doctor, and the site answers meanwhile', async () => {
  const file = join(dataDir, 'companies.csv')
  await writeFile(
    file,
    'name,website\nHarbourlight Ropes,https://harbourlight.example\n,no address\n',
  )
  const imported = await command('import', file)
  expect(imported.said).toMatch(/1 added, 0 already there, 1 failed/)
  const page = await fetch(`${site.url}/harbourlight-ropes`)
  expect(page.status).toBe(200)

  expect(await command('counters')).toEqual({ code: 0, said: 'All counters are correct.' })

  const backup = join(dataDir, 'all.backup')
  const [backedUp, home] = await Promise.all([command('backup', 'backup', backup), fetch(site.url)])
  expect(home.status).toBe(200)
  expect(backedUp.said).toMatch(/^Done: \d+ rows/m)
  expect((await stat(backup)).size).toBeGreaterThan(10_000)

  const { said } = await command('doctor')
  expect(said).toMatch(/ok +database +All counters are correct/)
  expect(said).not.toContain('The embedded database: not checked')
})

const BACKUPS = /^kettle-2026-\d\d-\d\d-\d{6}\.backup$/
const openBackups = async () => {
  const names = await readdir(join(dataDir, 'backups'))
  return names.filter((name) => BACKUPS.test(name))
}

test('each backup gets its own name, the oldest go, and one of two at once says so', async () => {
  const folder = join(dataDir, 'backups')
  await mkdir(folder)
  const older = ['kettle-2026-01-01-033000.backup', 'kettle-2026-01-02-033000.backup']
  for (const name of [...older, 'letter.txt']) await writeFile(join(folder, name), '')
  const { code, said } = await command('backup', 'backup', '--keep', '2')
  expect(said).toMatch(
    /^Done: .* in .*kettle-2026-\S+\.backup \(.*\), read back and compared\. Deleted 1 older backup\./m,
  )
  expect(code).toBe(0)
  const names = await openBackups()
  expect(names).toHaveLength(2)
  expect(names).toContain(older[1])
  expect(await readdir(folder)).toHaveLength(3)
  expect((await command('doctor')).said).toMatch(/ok +backup +The last npm run backup is from 20/)

  const inside = await openInside(dataDir)
  try {
    await inside.dedicated(async (db) => {
      await db.query(sql`select pg_advisory_lock(1801810037)`)
      expect(await command('backup', 'backup', '--keep', '1')).toEqual({
        code: 1,
        said: 'Another backup of this database is running. Nothing was written.',
      })
    })
  } finally {
    await inside.close()
  }
  expect(await openBackups()).toEqual(names)
  expect(await command('backup', 'backup', '--keep', '1', join(folder, 'letter.txt'))).toEqual({
    code: 1,
    said: `${folder}/letter.txt isn’t a folder that this user can write to. chown it, or choose another one.`,
  })
  for (const words of [['--keep', '0'], ['--keep', 'x'], ['--drill'], ['a', 'b']])
    expect((await command('backup', 'backup', ...words)).code).toBe(2)
})

test('a drill restores the newest backup, from a folder or a bucket, and leaves nothing behind', async () => {
  const before = await readdir(dataDir)
  const drilled =
    /^ +\d+ {2}companies$[\s\S]*ok +keys +The secret key matches[\s\S]*All counters are correct[\s\S]*^Done: \d+ rows from \d+ tables/m
  const { code, said } = await command('backup', 'restore', '--drill')
  expect(said).toMatch(drilled)
  expect(code).toBe(0)
  expect(await readdir(dataDir)).toEqual(before)

  const s3 = await startS3()
  try {
    const there = commandsBeside(dataDir, { ...s3.env, BACKUP_TO: 's3://backups/kettle' })
    const made = await there('backup', 'backup', '--keep', '1')
    expect(made.said).toMatch(/^Done: .* in s3:\/\/backups\/kettle\/kettle-2/m)
    expect([...s3.objects.keys()]).toEqual([expect.stringMatching(/^backups\/kettle\/kettle-2/)])
    expect((await there('backup', 'restore', '--drill')).said).toMatch(drilled)
    const wrong = commandsBeside(dataDir, { ...s3.env, S3_SECRET_KEY: 'hush' })
    const refused = await wrong('backup', 'backup', 's3://backups/other.backup')
    expect(refused).toMatchObject({
      code: 1,
      said: expect.stringContaining('SignatureDoesNotMatch'),
    })
    expect(refused.said).not.toMatch(/hush|AKIA/)
  } finally {
    await s3.stop()
  }
  expect((await fetch(`${site.url}/harbourlight-ropes`)).status).toBe(200)
})

test('a command refuses in words, and says so if it needs an empty database', async () => {
  expect(await command('import', join(dataDir, 'none.csv'))).toMatchObject({
    code: 1,
    said: expect.stringContaining('File not found'),
  })
  expect(await command('backup', 'restore', join(dataDir, 'all.backup'))).toMatchObject({
    code: 1,
    said: expect.stringContaining('isn’t empty'),
  })
})

const COMMANDS = ['admin', 'backup backup', 'backup restore', 'counters', 'doctor', 'import']

test.for(COMMANDS)('%s explains itself, with an example', async (line) => {
  const [name = '', ...words] = line.split(' ')
  expect(await command(name, ...words, '--help')).toMatchObject({
    code: 0,
    said: expect.stringMatching(/^npm run [\s\S]*\nFor example: npm run /),
  })
  expect(await command(name, ...words, '--no-such-option')).toMatchObject({
    code: 2,
    said: expect.stringContaining('We don’t understand “--no-such-option”.'),
  })
})

test('a site that can’t start says why in a sentence, without values', async () => {
  const there = join(dataDir, 'a-file')
  await writeFile(there, '')
  const { port } = new URL(site.url)
  const start = (env: Record<string, string>) =>
    commandsBeside(join(dataDir, 'elsewhere'), { STARTER: 'none', PORT: '0', ...env })('start')
  const cases: [Record<string, string>, RegExp][] = [
    [{ PORT: port }, /^Something else already uses PORT, /],
    [{ HOST: 'no-host.invalid' }, /^HOST isn’t one of this machine’s addresses\. /],
    [{ HOST: '192.0.2.1' }, /^HOST isn’t one of this machine’s addresses\. /],
    [{ DATA_DIR: there }, /^DATA_DIR isn’t a folder that this user can write to\. /],
    [{ PORT: 'hush' }, /^The setting PORT is invalid: /],
  ]
  for (const [env, sentence] of cases) {
    const { code, said } = await start(env)
    expect(code).toBe(1)
    expect(said).toMatch(sentence)
    expect(said).not.toMatch(/\n|hush|192\.0\.2/)
  }
})

test('only the site’s own user can use the commands’ socket, which goes with the site', async () => {
  const socket = join(dataDir, 'run', '.s.PGSQL.5432')
  expect((await stat(socket)).mode & 0o777).toBe(0o700)
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
  await site.stop()
  await expect(stat(socket)).rejects.toMatchObject({ code: 'ENOENT' })
  expect((await command('admin', 'list')).said).toContain('olga@people.example')
})
