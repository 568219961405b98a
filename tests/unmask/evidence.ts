/**
 * Turns stolen rows into what can be compared: which rows share a key that no one else has (so they're one person's), every
 * clock that each row carries, and which companies they're about.
 */

import type { Sightings } from './bytes.ts'
import { isToken, type Loot, type Paper, type Row, tokensIn, wordsIn } from './loot.ts'
import { companyOf, type Truth } from './truth.ts'

/**
 * Where a clock was read. order: transactions of live rows. place: rows in their file. columns: times and numbers in a
 * table. dead: transactions of deleted rows. log: the write-ahead log. counters: a company's counter rows, written when one
 * of its ratings was. papers: emails and logs.
 */
export type Family = 'order' | 'place' | 'columns' | 'dead' | 'log' | 'counters' | 'papers'

export interface Clock {
  family: Family
  source: string
  /** Only clocks of the same kind can be compared. */
  kind: string
  /** Sorted. */
  moments: number[]
}

export interface Trace {
  /** The same number for all rows that share keys. */
  owner: number
  clocks: Clock[]
  /** The companies that the owner's rows are about, by table. */
  mentions: Map<string, Set<string>>
  /** The thing's own rows, and its owner's rows by table. */
  rows: { own: Row[]; byTable: Map<string, Row[]> }
}

export interface Evidence {
  traceOf(id: string): Trace
  tables: string[]
}

/** What anyone may know about a world: its posts and companies, but not the people behind them. */
const CONTENT = [
  ...['threads', 'comments', 'ratings', 'pay_entries', 'job_postings', 'company_replies'],
  'room_posts',
]
/** IDs that occur in many people's rows. */
const OF_MANY = [...CONTENT, 'moderation_cases']
const MINUTE_MS = 60_000
/** A key in a larger share of the rows than this is the site's, not a person's. */
const ROWS_OF_ONE = 0.5

export function readEvidence(loot: Loot, truth: Truth): Evidence {
  const { rows } = loot
  const open = new Set([...truth.companies, ...truth.posts.keys(), ...truth.ratings.keys()])
  for (const { table, values } of rows)
    if (OF_MANY.includes(table) && isToken(values.id)) open.add(values.id)
  const owners = joined(rows, open, loot.papers)
  const ofOwner = new Map<number, Row[]>()
  const byId = new Map<string, Row[]>()
  rows.forEach((row, n) => {
    const owner = owners[n] as number
    ofOwner.set(owner, [...(ofOwner.get(owner) ?? []), row])
    for (const id of idsOf(row)) byId.set(id, [...(byId.get(id) ?? []), row])
  })
  const ownerOf = new Map(rows.map((row, n) => [row, owners[n] as number]))
  const companies = new Set(truth.companies)
  const ranks = ranksOf(rows)
  const minuteAt = minutesOfTransactions(byId, truth)
  const counters = countersOf(rows, open)
  const papers = papersByName(loot.papers, truth)
  const traces = new Map<string, Trace>()
  const seenOfOwner = new Map<number, Sightings[]>()

  return {
    tables: [...new Set(rows.map(({ table }) => table))],
    traceOf(id) {
      const known = traces.get(id)
      if (known) return known
      const trace = traceOf(id)
      traces.set(id, trace)
      return trace
    },
  }

  function traceOf(id: string): Trace {
    const own = byId.get(id) ?? []
    const owner = own[0] ? (ownerOf.get(own[0]) as number) : -1
    const all = own.length > 0 ? (ofOwner.get(owner) as Row[]) : []
    const byTable = grouped(all)
    return {
      owner,
      clocks: clocksOf(id, own, all, byTable),
      mentions: new Map([...byTable].map(([table, rows]) => [table, mentionsOf(rows)])),
      rows: { own, byTable },
    }
  }

  /** Wherever one of their keys occurs: the same for everything an owner has. */
  function sightingsOfOwner(own: Row[], all: Row[]) {
    const owner = ownerOf.get(own[0] as Row) as number
    const known = seenOfOwner.get(owner)
    if (known) return known
    const tokens = new Set(all.flatMap(({ values }) => tokensIn(values)))
    const seen = [...tokens].flatMap((token) =>
      open.has(token) ? [] : (loot.sightings.get(token) ?? []),
    )
    seenOfOwner.set(owner, seen)
    return seen
  }

  function mentionsOf(rows: Row[]) {
    const ids = rows.flatMap(({ values }) => tokensIn(values))
    return new Set(
      ids.flatMap((id) =>
        open.has(id) ? ((companies.has(id) ? id : companyOf(truth, id)) ?? []) : [],
      ),
    )
  }

  function clocksOf(id: string, own: Row[], all: Row[], byTable: Map<string, Row[]>): Clock[] {
    const clocks: Clock[] = []
    const add = (family: Family, source: string, kind: string, moments: number[]) => {
      if (moments.length > 0)
        clocks.push({ family, source, kind, moments: moments.toSorted((a, b) => a - b) })
    }
    const xids = (rows: Row[]) => rows.map(({ xid }) => xid)
    const ranked = (rows: Row[]) => rows.map((row) => ranks.get(row) as number)
    const person = truth.accounts.get(id)
    const isAccount = person !== undefined
    if (isAccount)
      for (const [table, rows] of byTable) {
        add('order', table, 'transaction', xids(rows))
        add('place', table, 'rank', ranked(rows))
      }
    else {
      for (const [table, rows] of grouped(own)) {
        const source = CONTENT.includes(table) ? 'own' : table
        add('order', source, 'transaction', xids(rows))
        add('place', source, 'rank', ranked(rows))
      }
      if (all.length > own.length) {
        add('order', 'all', 'transaction', xids(all))
        add('order', 'first', 'transaction', [Math.min(...xids(all))])
      }
    }
    for (const [table, rows] of isAccount ? byTable : grouped(own))
      for (const [column, moments, kind] of columnsOf(table, rows))
        add('columns', `${table}.${column}`, kind, moments)
    const post = truth.posts.get(id)
    const written = post
      ? [post.minute]
      : own.flatMap(({ xid }) => (isAccount ? [] : (minuteAt(xid) ?? [])))
    for (const family of ['order', 'columns', 'papers'] as const)
      add(family, 'written', 'minute', written)
    if (person !== undefined)
      for (const [source, moments] of papers(person)) add('papers', source, 'minute', moments)
    const seen = [...new Set([id, ...own.flatMap(({ values }) => tokensIn(values))])]
      .filter((token) => !open.has(token) || token === id)
      .flatMap((token) => loot.sightings.get(token) ?? [])
    add(
      'log',
      'own',
      'log',
      seen.flatMap(({ log }) => log),
    )
    const living = new Set(xids(own))
    add(
      'dead',
      'own',
      'transaction',
      seen.flatMap(({ rows }) => rows.filter((xid) => !living.has(xid))),
    )
    if (all.length > own.length) {
      const others = sightingsOfOwner(own, all)
      add(
        'log',
        'all',
        'log',
        others.flatMap(({ log }) => log),
      )
      add(
        'dead',
        'all',
        'transaction',
        others.flatMap(({ rows }) => rows),
      )
    }
    const given = truth.ratings.get(id) ?? truth.pays.get(id)
    if (given)
      for (const [table, rows] of counters.get(given.company) ?? [])
        add('counters', table, 'transaction', xids(rows))
    else add('counters', 'own', 'transaction', xids(isAccount ? all : own))
    return clocks
  }
}

/** The values that identify a row. */
const idsOf = ({ table, values }: Row) =>
  [
    values.id,
    ...(table === 'badge_holders' ? [values.address_hash] : []),
    ...(table === 'pay_entries' ? [values.holder_key_hash] : []),
  ].filter(isToken)

function grouped(rows: Row[]) {
  const by = new Map<string, Row[]>()
  for (const row of rows) by.set(row.table, [...(by.get(row.table) ?? []), row])
  return by
}

/**
 * Numbers the rows so that those that share a key, directly or through others, get the same number. An email or a log line
 * links everything that it names.
 */
function joined(rows: Row[], open: Set<string>, papers: Paper[]): number[] {
  const parent = rows.map((_, n) => n)
  const rootOf = (n: number): number => {
    let root = n
    while (parent[root] !== root) root = parent[root] as number
    parent[n] = root
    return root
  }
  const holders = new Map<string, number[]>()
  rows.forEach(({ values, opened = [] }, n) => {
    // Anything with the same ID is the same thing, even if everyone knows it.
    for (const token of new Set([...tokensIn(values), ...opened]))
      if (!open.has(token) || token === values.id)
        holders.set(token, [...(holders.get(token) ?? []), n])
  })
  const tie = (held: number[]) => {
    for (const n of held) parent[rootOf(n)] = rootOf(held[0] as number)
  }
  const heldBy = (token: string) => {
    const held = holders.get(token) ?? []
    return held.length < rows.length * ROWS_OF_ONE ? held : []
  }
  for (const token of holders.keys()) tie(heldBy(token))
  for (const { text } of papers) tie(wordsIn(text).flatMap(heldBy))
  return rows.map((_, n) => rootOf(n))
}

/** Each row's rank in its table, from 0 to 1. */
function ranksOf(rows: Row[]) {
  const ranks = new Map<Row, number>()
  for (const ofTable of grouped(rows).values())
    ofTable
      .toSorted((one, other) => one.place - other.place)
      .forEach((row, n, { length }) => {
        ranks.set(row, n / length)
      })
  return ranks
}

function* columnsOf(table: string, rows: Row[]): Iterable<[string, number[], string]> {
  for (const column of Object.keys(rows[0]?.values ?? {})) {
    const values = rows.map(({ values }) => values[column])
    const times = values.flatMap((value) =>
      typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)
        ? Date.parse(value) / MINUTE_MS
        : [],
    )
    const numbers = values.filter((value) => typeof value === 'number')
    if (times.length > 0) yield [column, times, 'minute']
    if (numbers.length > 0) yield [column, numbers, `${table}.${column}`]
  }
}

/** The minute of a transaction, from the posts in it: theirs is public. */
function minutesOfTransactions(byId: Map<string, Row[]>, truth: Truth) {
  const known = [...truth.posts]
    .flatMap(([id, { minute }]) => (byId.get(id) ?? []).map(({ xid }) => ({ xid, minute })))
    .sort((one, other) => one.xid - other.xid)
  let latest = 0
  const steps = known.map(({ xid, minute }) => {
    latest = Math.max(latest, minute)
    return { xid, minute: latest }
  })
  return (xid: number): number | undefined => {
    let low = 0
    let high = steps.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((steps[middle]?.xid as number) <= xid) low = middle + 1
      else high = middle
    }
    return (steps[low - 1] ?? steps[low])?.minute
  }
}

/** Rows that name a company and contain no one's key, by company and table. */
function countersOf(rows: Row[], open: Set<string>) {
  const counters = new Map<string, Map<string, Row[]>>()
  for (const row of rows) {
    const { table, values } = row
    if (CONTENT.includes(table) || tokensIn(values).some((token) => !open.has(token))) continue
    const company = values.company_id
    if (!isToken(company)) continue
    const tables = counters.get(company) ?? new Map<string, Row[]>()
    tables.set(table, [...(tables.get(table) ?? []), row])
    counters.set(company, tables)
  }
  return counters
}

/**
 * Times of emails and lines that contain someone's address. The thief needn't know whose account that is: the name is the
 * person.
 */
function papersByName(papers: Paper[], truth: Truth) {
  const byName = new Map<string, Paper[]>()
  for (const paper of papers)
    for (const name of new Set(paper.text.match(/[\w.]+@[\w.-]+|\b10(?:\.\d+){3}\b/g)))
      byName.set(name, [...(byName.get(name) ?? []), paper])
  return (person: number) => {
    const { email, network } = truth.people[person] as Truth['people'][number]
    const found = [...(byName.get(email) ?? []), ...(byName.get(network) ?? [])]
    const bySource = new Map<string, number[]>()
    for (const { source, text } of found) {
      const moment = momentIn(text)
      if (moment) bySource.set(source, [...(bySource.get(source) ?? []), moment])
    }
    return bySource
  }
}

function momentIn(text: string): number | undefined {
  const [, day, hour, minute] = /(\d{4}-\d\d-\d\d)T(\d\d)[-:](\d\d)/.exec(text) ?? []
  if (day) return Date.parse(`${day}T${hour}:${minute}Z`) / MINUTE_MS
  const [, epoch] = /"time":(\d{13})/.exec(text) ?? []
  return epoch ? Number(epoch) / MINUTE_MS : undefined
}
