/**
 * What a thief takes at one moment, without any key: every row of every table with its position and its transaction, and the
 * bytes of the files. It finds tables by itself, so it needs no change for a new one.
 */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Sightings, sightingsIn } from './bytes.ts'
import type { Ask, MovedSite } from './site.ts'

export interface Row {
  table: string
  values: Record<string, unknown>
  /** The transaction that last wrote it. */
  xid: number
  /** The row's position in the table's file. */
  place: number
  /** What opens in the row with the site's key, and what the site can compute for it, as tokens. */
  opened?: string[]
}

export interface Loot {
  rows: Row[]
  sightings: Map<string, Sightings>
  /** Emails and logs: a line, or a file's name and text. */
  papers: Paper[]
}

export interface Paper {
  /** outbox or log, with a prefix for planted ones. */
  source: string
  text: string
}

/** What may be a key, as opposed to a person's words or a number. */
const TOKEN = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\w-]{20,}|\\x[0-9a-f]{24,})$/

export const isToken = (value: unknown): value is string =>
  typeof value === 'string' && TOKEN.test(value)

/** Every token in a text. */
export const wordsIn = (text: string): string[] => (text.match(/[\w-]{20,}/g) ?? []).filter(isToken)

/** Every token in a value, at any depth. */
export function tokensIn(value: unknown): string[] {
  if (isToken(value)) return [value]
  if (Array.isArray(value)) return value.flatMap(tokensIn)
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(tokensIn)
  return []
}

/** @param withBytes false if only live rows matter */
export const steal = (site: MovedSite, withBytes = true): Promise<Loot> =>
  site.steal(async (ask, folders) => {
    const rows = await rowsOf(ask)
    const tokens = new Set(rows.flatMap(({ values }) => tokensIn(values)))
    return {
      rows,
      sightings: withBytes ? await sightingsIn(folders, tokens) : new Map(),
      papers: [...(await outboxOf(site.dataDir)), ...logOf(site.logs())],
    }
  })

/** Tables of the site itself, which no person's act changes. */
const OF_THE_HOUSE = ['companies', 'categories', 'topics', 'company_old_slugs', 'migrations']

async function rowsOf(ask: Ask): Promise<Row[]> {
  const tables = await ask<{ name: string }>(`
    select format('%I.%I', nspname, relname) as name
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     where relkind = 'r' and nspname !~ '^(pg_|information_schema|moved)' order by 1`)
  const rows: Row[] = []
  for (const { name } of tables) {
    const table = name.replace(/^public\./, '')
    if (OF_THE_HOUSE.includes(table)) continue
    const stolen = await ask<{ ctid: string; xid: string; row: string }>(
      `select ctid::text, xmin::text as xid, to_jsonb(t)::text as row from ${name} t`,
    ).catch((error: Error & { code?: string }) => {
      // The nightly run drops its temporary tables meanwhile.
      if (error.code !== '42P01') throw error
      return []
    })
    for (const { ctid, xid, row } of stolen) {
      const [block = 0, offset = 0] = ctid.slice(1, -1).split(',').map(Number)
      rows.push({ table, values: JSON.parse(row), xid: Number(xid), place: block * 512 + offset })
    }
  }
  return rows
}

async function outboxOf(dataDir: string): Promise<Paper[]> {
  const folder = join(dataDir, 'outbox')
  const names = await readdir(folder).catch(() => [])
  return Promise.all(
    names.map(async (name): Promise<Paper> => {
      const file = join(folder, name)
      const { size } = await stat(file)
      return {
        source: 'outbox' as string,
        text: `${name}\n${size > 0 ? await readFile(file, 'utf8') : ''}`,
      }
    }),
  )
}

const logOf = (text: string): Paper[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => ({ source: 'log', text: line }))
