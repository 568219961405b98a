/** A site that an earlier program kept, its people, and an upgrade of it that is ended again and again. */
import { copyFile, mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { type SignedIn, visitor } from '#app/api/auth/actor.ts'
import { authorKeyOfAccount, authorKeyOfVisitor } from '#app/api/auth/author-keys.server.ts'
import { type Carried, carryOver } from '#app/api/auth/carry-over.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { OpenDatabase } from '#app/platform/database/database.server.ts'
import { migrate } from '#app/platform/database/migrate.server.ts'
import { createJobs } from '#app/platform/jobs/jobs.server.ts'
import { projectFolder } from '#app/platform/project-folder.server.ts'
import { NOW, openTestDatabase, testSecrets } from './database.ts'

/** The last migration of the program under whose keys of authors everything lay. */
export const LAST_WITH_AUTHOR_KEYS = '0027'
export const DANA = '00000000-0000-4000-8000-00000000da4a'
export const danasKey = authorKeyOfAccount(testSecrets, DANA)
export const verasKey = authorKeyOfVisitor(testSecrets, `anon-${'7e4a'.repeat(8)}`) as string

/** An empty database with the schema after this migration, by its number, and a folder of those up to it. */
export async function openFormer(last: string) {
  const folder = await mkdtemp(join(tmpdir(), 'kettle-former-'))
  const all = join(projectFolder, 'db/migrations')
  for (const name of await readdir(all))
    if (name.slice(0, 4) <= last) await copyFile(join(all, name), join(folder, name))
  const db = await openTestDatabase({ isEmpty: true })
  await migrate(db, { folder, say: () => {} })
  return { db, folder }
}

const contextOn = (db: OpenDatabase) => ({
  db,
  now: () => NOW,
  secrets: testSecrets,
  network: '',
  jobs: createJobs(db),
})

export const veraOn = (db: OpenDatabase): Ctx => ({
  ...contextOn(db),
  actor: { ...visitor, authorKey: verasKey },
})

export async function danaOn(db: OpenDatabase): Promise<Ctx> {
  const [row] = await db.query<{ root: string }>(sql`
    select root_sealed as root from accounts where id = ${DANA}`)
  const account = { id: DANA, isEmailConfirmed: true, rootSealed: row?.root } as SignedIn
  return {
    ...contextOn(db),
    actor: { role: 'member', userType: null, account, authorKey: danasKey },
  }
}

/** Carries everything over although the process ends after every other portion; answers how often it did. */
export async function carryOverThoughEnded(db: OpenDatabase, carried: Carried[], portion: number) {
  const END = 'The process was ended'
  let portions = 0
  const afterPortion = () => {
    if (portions++ % 2 === 1) throw new Error(END)
  }
  for (let ended = 0; ; ended++)
    try {
      await carryOver(db, testSecrets, carried, { say: () => {}, portion, afterPortion })
      return ended
    } catch (error) {
      if ((error as Error).message !== END) throw error
    }
}
