/** The doctor as people run it: it never says ok about something that it didn't check. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectFolder } from '#app/platform/folders.server.ts'
import { slow } from '../support/amounts.ts'
import { openWorld, type World } from '../support/site-in-browser.ts'

let world: World
let dataDir: string
beforeAll(async () => {
  world = await openWorld()
  dataDir = await mkdtemp(join(tmpdir(), 'kettle-doctor-'))
})
afterAll(async () => {
  await world?.db.close()
  await rm(dataDir, { recursive: true, force: true })
})

/** Its output, and how it ends. */
async function doctor(env: Record<string, string>) {
  const child = spawn(process.execPath, [join(projectFolder, 'dist/server/doctor.js')], {
    env: { ...(process.env.PATH && { PATH: process.env.PATH }), DATA_DIR: dataDir, ...env },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      said += text
    })
  const [code] = await once(child, 'close')
  const lines = said.split('\n')
  const about = (level: string) =>
    lines
      .filter((line) => line.startsWith(`${level} `))
      .map((line) => line.slice(9).replace(/ +/, ': '))
  return { code, said, ok: about('ok').join('\n'), skipped: about('skipped').join('\n') }
}

test('the doctor says of each thing that it’s well, what’s wrong, or why it wasn’t checked', async () => {
  const nobody = 'postgres://kettle@127.0.0.1:1/kettle'
  const [well, away, unusable] = await Promise.all([
    doctor(world.env),
    doctor({ ...world.env, DATABASE_URL: nobody }),
    doctor({ ...world.env, PORT: 'none' }),
  ])
  expect(well.ok).toMatch(/database: All counters are correct/)
  expect(well.ok).toMatch(/database: Connections have the settings the site needs/)
  expect(well.ok).toMatch(/keys: The secret key matches/)
  expect(well.skipped).toMatch(/^backup: Not checked, because no file or folder was given/)
  expect(well.said).toMatch(/not checked: 1$/m)

  expect(away.code).toBe(1)
  expect(away.ok).not.toMatch(/database|jobs|counter|OWNER_EMAIL/)
  for (const what of ['jobs: Not', 'database: Counters: not', 'settings: The OWNER_EMAIL account'])
    expect(away.skipped).toContain(what)

  expect(unusable.code).toBe(1)
  expect(unusable.ok).toMatch(/^build: .*$/)
  expect(unusable.skipped).toContain(
    'Keys, database, jobs, mail, limits, disk, backup: not checked',
  )
})

slow.test('a held post is no wrong number, and a wrong one is', async () => {
  await world.db.query(sql`
    update threads set hidden = 'held' where id = (
      select id from threads where company_id is not null order by id limit 1)`)
  // The site does this when it holds a post.
  await world.db.query(sql`
    update company_stats stats
       set threads = stats.threads - 1, comments = stats.comments - thread.comments
      from threads thread where thread.company_id = stats.company_id and thread.hidden = 'held'`)
  expect((await doctor(world.env)).ok).toMatch(/All counters are correct/)
  await world.db.query(sql`update threads set comments = comments + 1`)
  expect((await doctor(world.env)).said).toMatch(
    /problem +database +\d+ counters are wrong\. Run npm run counters -- --mend/,
  )
})
