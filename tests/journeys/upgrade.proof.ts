/**
 * The built site during an upgrade as docs/operations.md describes it: a newer program next to the older ones, which keep
 * running until each is replaced. The newer one is this one with additional migrations.
 */
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectFolder } from '#app/platform/folders.server.ts'
import { type Site, startSite } from '../support/server.ts'
import { openWorld, type World } from '../support/site-in-browser.ts'

let world: World
let folder: string
const running = new Set<Site>()

beforeAll(async () => {
  world = await openWorld()
  folder = await mkdtemp(join(tmpdir(), 'kettle-upgrade-'))
})
afterAll(async () => {
  await Promise.all([...running].map((site) => site.stop()))
  await world?.db.close()
  await rm(folder, { recursive: true, force: true })
})

async function start(program?: string): Promise<Site> {
  const env = { ...world.env, DATA_DIR: join(folder, 'data') }
  const site = await startSite({ env, ...(program && { program }) })
  running.add(site)
  return site
}
async function stop(site: Site) {
  running.delete(site)
  expect(await site.stop(), site.logs()).toEqual([0, null])
}

/** A program with these additional migrations. Returns the script to start. */
async function programWith(name: string, migrations: Record<string, string>) {
  const at = join(folder, name)
  for (const part of ['dist', 'db', 'package.json', 'app/site/static-pages/texts'])
    await cp(join(projectFolder, part), join(at, part), { recursive: true })
  await symlink(join(projectFolder, 'node_modules'), join(at, 'node_modules'))
  for (const [file, text] of Object.entries(migrations))
    await writeFile(join(at, 'db/migrations', file), text)
  return join(at, 'dist/server/server.js')
}

const readiness = async (site: Site) => {
  const answer = await fetch(`${site.url}/readyz`)
  return { code: answer.status, ...((await answer.json()) as { migrations: string }) }
}

/** Keeps requesting its readiness and a page, until told to stop. */
function watch(site: Site) {
  const seen = new Set<number>()
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      seen.add((await readiness(site)).code)
      const page = await fetch(`${site.url}/discussions`)
      // An unread response would delay the stop.
      await page.text()
      seen.add(page.status)
      await wait(50)
    }
  })()
  watching.catch(() => {})
  return async () => {
    isOver = true
    await watching
    return [...seen]
  }
}

const COMPATIBLE = {
  '9001_more.sql': `-- compatible: older programs may go on
alter table companies add column of_tomorrow text;`,
  '9002_index.sql': `-- compatible: older programs may go on
-- outside a transaction
create index concurrently if not exists companies_of_tomorrow on companies (of_tomorrow);`,
}

test('two processes are replaced one after the other, and the site is always ready', async () => {
  const [first, second] = await Promise.all([start(), start()])
  const firstEnds = watch(first)
  const secondEnds = watch(second)
  const newer = await programWith('newer', COMPATIBLE)

  const third = await start(newer)
  expect(
    await world.db.query(
      sql`select name from migrations where is_compatible and name > '9' order by name`,
    ),
  ).toEqual(Object.keys(COMPATIBLE).map((name) => ({ name })))
  expect(await firstEnds()).toEqual([200])
  await stop(first)

  // A process that dies meanwhile comes back as the older one, too.
  const [fourth, again] = await Promise.all([start(newer), start()])
  for (const site of [third, fourth, again])
    expect(await readiness(site)).toMatchObject({ code: 200, migrations: 'ok' })
  expect(await secondEnds()).toEqual([200])
  await Promise.all([second, again, fourth].map(stop))

  // If a migration stops the older ones from continuing, they say so, and none starts again.
  const other = await programWith('other', {
    ...COMPATIBLE,
    '9003_less.sql': 'alter table companies drop column of_tomorrow;',
  })
  await stop(await start(other))
  await expect.poll(() => readiness(third)).toMatchObject({ code: 503, migrations: 'newer' })
  await expect(start(newer)).rejects.toThrow(
    'The database is newer than this version of Kettle (it has 9003_less.sql)',
  )
})
