/**
 * Lets somebody write into the embedded database, cuts the power at moments of chance, opens what the disk
 * may hold then, and looks for what was acknowledged.
 */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { amcheck } from '@electric-sql/pglite/contrib/amcheck'
import { openFiles } from '../../app/server/pglite-files.server.ts'
import { chanceOf } from '../chaos/chance.ts'
import { type Recording, recordFiles } from './forgetful-files.ts'

export interface CutsOutcome {
  /** A sentence for each thing that is lost or broken. */
  losses: string[]
  /** How many writes were acknowledged in all. */
  acknowledged: number
}

/** The version of a note that was deleted, or is not there yet. */
const GONE = -1

const ENGINE = { extensions: { amcheck }, postgresqlconf: ['shared_buffers = 4MB'] }

/**
 * @param times cuts while people write
 * @param firstStarts cuts while the database is made
 */
export async function powerCuts(settings: {
  times: number
  firstStarts: number
  writes: number
  seed: number
  tell?: (text: string) => void
}): Promise<CutsOutcome> {
  const { times, firstStarts, writes, seed, tell = () => {} } = settings
  const { next: random } = chanceOf(seed)
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'kettle-power-cut-')))
  const losses: string[] = []
  try {
    const from = await emptyDatabase(folder)
    const root = join(folder, 'data')
    await mkdir(root)
    const recording = recordFiles(root)
    let made = 0
    try {
      const db = await open(root, from)
      made = recording.length
      await writeMuch(db, recording, { writes, random })
    } finally {
      recording.end()
    }
    const moments = [
      ...Array.from({ length: firstStarts }, () => random() * made),
      ...Array.from({ length: times }, () => made + random() * (recording.length - made)),
    ].map(Math.floor)
    for (const [index, moment] of moments.entries()) {
      const target = join(folder, `cut-${index}`)
      const survival = recording.cutAt(moment, target, random)
      const marks = recording.marksBefore(moment)
      const found = await lossesAfter(target, from, marks)
      const where = `Cut ${index + 1} (step ${moment} of ${recording.length}, ${survival} of what was not synced)`
      tell(`${where}: ${marks.length} acknowledged, ${found.length} losses`)
      losses.push(...found.map((loss) => `${where}: ${loss}`))
      await rm(target, { recursive: true })
    }
    const all = recording.marksBefore(recording.length)
    const acknowledged = all.filter((mark) => !mark.startsWith('begun')).length
    return { losses, acknowledged }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const open = (root: string, from: string) =>
  openFiles(join(root, 'pg'), ENGINE, {
    from,
    // The engine would go round in circles.
    onPanic(why) {
      console.error(`The database gave up: ${why}`)
      process.exit(1)
    },
  })

/** Making one anew takes seconds each time. */
async function emptyDatabase(folder: string) {
  const path = join(folder, 'empty.tar')
  const db = await PGlite.create({ dataDir: 'memory://', ...ENGINE })
  await writeFile(path, (await db.dumpDataDir('none')).stream())
  await db.close()
  return path
}

/** Marks what is begun and what is answered: of which note, and how often it was changed (GONE: deleted). */
async function writeMuch(
  db: PGlite,
  recording: Recording,
  { writes, random }: { writes: number; random: () => number },
) {
  await db.exec(`
    create table notes (id integer primary key, version integer not null, body text not null);
    create index notes_body on notes (left(body, 20))`)
  recording.mark('table notes')
  const versions: number[] = []
  const body = () => String(random()).repeat(1 + 400 * random() ** 4)
  const write = async (ids: number[], version: number, work: () => Promise<unknown>) => {
    for (const id of ids) recording.mark(`begun ${id} ${version}`)
    await work()
    for (const id of ids) {
      recording.mark(`done ${id} ${version}`)
      versions[id] = version
    }
  }
  const insert = (id: number, on: Pick<PGlite, 'query'> = db) =>
    on.query('insert into notes values ($1, 0, $2)', [id, body()])
  const acts = {
    insert: () => write([versions.length], 0, () => insert(versions.length)),
    update() {
      const id = Math.floor(random() * versions.length)
      const version = (versions[id] ?? GONE) + 1
      if (version === GONE + 1) return acts.insert()
      const change = 'update notes set version = $2, body = $3 where id = $1'
      return write([id], version, () => db.query(change, [id, version, body()]))
    },
    remove() {
      const id = Math.floor(random() * versions.length)
      return write([id], GONE, () => db.query('delete from notes where id = $1', [id]))
    },
    many() {
      const ids = Array.from({ length: 20 }, (_, more) => versions.length + more)
      return write(ids, 0, () =>
        db.transaction(async (tx) => {
          for (const id of ids) await insert(id, tx)
        }),
      )
    },
    /** New files, as of a migration. */
    async table() {
      const name = `copy_${recording.length}`
      await db.exec(`create table ${name} as select * from notes`)
      recording.mark(`table ${name}`)
    },
    reindex: () => db.exec('reindex table notes'),
    checkpoint: () => db.exec('checkpoint'),
    vacuum: () => db.exec('vacuum (analyze)'),
  }
  const often = [acts.insert, acts.insert, acts.update, acts.update, acts.remove]
  const seldom = [
    acts.many,
    acts.table,
    acts.reindex,
    acts.checkpoint,
    acts.checkpoint,
    acts.vacuum,
  ]
  for (let count = 0; count < writes; count++) {
    const some = random() < 0.9 ? often : seldom
    await some[Math.floor(random() * some.length)]?.()
  }
}

async function lossesAfter(root: string, from: string, marks: string[]): Promise<string[]> {
  try {
    const db = await open(root, from)
    try {
      return [...(await missing(db, marks)), ...(await broken(db))]
    } finally {
      await db.close()
    }
  } catch (error) {
    return [`it does not open, or not to its end: ${(error as Error).message}`]
  }
}

async function missing(db: PGlite, marks: string[]) {
  /** What may be there of each note: what was answered last, or what was begun after it. */
  const allowed = new Map<number, number[]>()
  const tables: string[] = []
  for (const mark of marks) {
    const [what, name, version] = mark.split(' ') as [string, string, string]
    const id = Number(name)
    if (what === 'table') tables.push(name)
    else if (what === 'done') allowed.set(id, [Number(version)])
    else allowed.set(id, [...(allowed.get(id) ?? [GONE]), Number(version)])
  }
  const there = await namesOf(db, `select relname as name from pg_class where relkind = 'r'`)
  const lost = tables.filter((table) => !there.includes(table)).map((table) => `no table ${table}`)
  if (lost.length > 0 || tables.length === 0) return lost
  const { rows } = await db.query<{ id: number; version: number }>('select id, version from notes')
  const found = new Map(rows.map(({ id, version }) => [id, version]))
  for (const [id, versions] of allowed) {
    const version = found.get(id) ?? GONE
    if (!versions.includes(version))
      lost.push(`note ${id} is at ${version} and not at ${versions.join(' or ')}`)
  }
  return lost
}

/** Reads every page of every table and index, those of the system too, and compares them. */
async function broken(db: PGlite) {
  await db.exec('create extension amcheck')
  const relations = (kinds: string) => `
    select oid::regclass::text as name from pg_class
     where ${kinds} and relpersistence = 'p' order by oid`
  const faults: string[] = []
  for (const name of await namesOf(db, relations(`relkind in ('r', 't', 'm')`))) {
    const { rows } = await db.query<{ msg: string }>(
      'select msg from verify_heapam($1::regclass, check_toast => true)',
      [name],
    )
    faults.push(...rows.map(({ msg }) => `${name}: ${msg}`))
  }
  const indexes = relations(
    `relkind = 'i' and relam = (select oid from pg_am where amname = 'btree')`,
  )
  for (const name of await namesOf(db, indexes))
    await db
      .query('select bt_index_check($1::regclass, true)', [name])
      .catch((error: Error) => faults.push(`${name}: ${error.message}`))
  return faults
}

const namesOf = async (db: PGlite, query: string) =>
  (await db.query<{ name: string }>(query)).rows.map(({ name }) => name)
