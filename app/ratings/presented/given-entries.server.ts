/**
 * Writes what people give once per company and year, such as pay. Each kind has a table of its own. What everyone reads
 * changes with the next publication, not here.
 */
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import { firstDayOf, quartersAround } from '#app/api/credential/quarter.ts'
import {
  companyIds,
  noCompany,
  withCurrentCompany,
} from '#app/companies/merging/merged-companies.server.ts'
import { type Database, PREPARED } from '#app/platform/database/database.server.ts'
import { transaction } from '#app/platform/database/server-context.server.ts'
import { notFound } from '#app/platform/http/refusal.ts'
import { thisMonth } from '../rating-commands.server.ts'
import { keyHashesOf } from '../rating-tag.server.ts'
import type { GivenEntry, RemovingEntry } from './presented.contract.ts'
import { presentedTag, requireNotMerged } from './presented-tag.server.ts'

export interface EntryKind {
  /** Also names the key of its tags. */
  name: string
  table: Sql
  /** What's given. The first is null once it's removed, and the others have their defaults. */
  columns: [string, ...string[]]
  contextOf: (companyId: string, year: number) => Uint8Array
  refusals: { notFound: string; invalidProof: string; merged: string }
}

interface Presented extends GivenEntry {
  companyId: string
  /** Then the proof uses the badge. */
  badge?: { domain: string } | undefined
}

interface Entry {
  year: number
  message: Uint8Array
  /** Of the kind's columns. */
  values: Sql[]
}

export interface EntryReceipt {
  id: string
  version: number
  isOther?: true
}

/**
 * Each tag has one entry, and a person has one tag per company and year. A change needs a higher number than the last
 * one. Otherwise it's late, sent again or recorded by someone, and changes nothing.
 * @throws Refusal bad-request without a proof, conflict for another company’s badge, gone for a merged company, not-found
 * @throws Unavailable when too many wait to be verified
 */
export async function giveEntry(
  ctx: Ctx,
  issuer: Issuer,
  kind: EntryKind,
  presented: Presented,
  entry: Entry,
): Promise<EntryReceipt> {
  const { companyId, version } = presented
  const { name, contextOf, refusals } = kind
  const tag = await presentedTag(ctx, issuer, presented, {
    name: `presented ${name}`,
    context: contextOf(companyId, entry.year),
    message: entry.message,
    refusals,
  })
  return withCurrentCompany(ctx.db, companyId, (current) => {
    requireNotMerged(current, companyId, refusals)
    return transaction(ctx, async (ctx) => {
      const id = await storeEntry(ctx, kind, presented, { ...entry, tag })
      if (!id) return lateReceipt(ctx.db, kind, { ...entry, tag })
      await emptyEntries(
        ctx,
        kind,
        sql`
        holder_key_hash = any (${keyHashesOf(presented.mergedKeys)}::bytea[]) and company_id = ${companyId}
        and merged_from is not null and tag <> ${tag}`,
      )
      return { id, version }
    })
  })
}

const listed = ({ columns }: EntryKind, as = (column: string) => column) =>
  raw(columns.map(as).join(', '))
/** A condition: not removed. */
const isGiven = ({ columns: [first] }: EntryKind) => sql`${raw(first)} is not null`

/** One statement decides, so of two devices the higher number wins. @returns nothing if it's late, or there's no company */
async function storeEntry(
  ctx: Ctx,
  kind: EntryKind,
  { companyId, holder, removal, version }: Presented,
  { year, tag, values }: Entry & { tag: string },
) {
  const [stored] = await ctx.db.query<{ id: string }>(
    sql`
    insert into ${kind.table} as entry
           (company_id, year, tag, holder_key_hash, removal_key_hash, version, month, ${listed(kind)})
    select id, ${year}::smallint, ${tag}, ${Buffer.from(holder, 'base64url')}::bytea,
           ${Buffer.from(removal, 'base64url')}::bytea, ${version}::integer, ${thisMonth(ctx)}::date,
           ${join(values)}
      from companies where id = ${companyId} for key share
    on conflict (tag) do update
      set holder_key_hash = excluded.holder_key_hash,
          removal_key_hash = excluded.removal_key_hash, version = excluded.version,
          month = excluded.month, ${listed(kind, (column) => `${column} = excluded.${column}`)}
     where entry.version < excluded.version
    returning id`,
    PREPARED,
  )
  return stored?.id
}

/** @throws Refusal not-found without the company */
async function lateReceipt(
  db: Database,
  kind: EntryKind,
  { tag, values }: Entry & { tag: string },
): Promise<EntryReceipt> {
  const [stored] = await db.query<EntryReceipt & { isSame: boolean }>(sql`
    select id, version, (${listed(kind)}) is not distinct from (${join(values)}) as "isSame"
      from ${kind.table} where tag = ${tag}`)
  if (!stored) throw noCompany()
  const { isSame, ...receipt } = stored
  return { ...receipt, ...(!isSame && { isOther: true }) }
}

const emptyEntries = (ctx: Ctx, kind: EntryKind, which: Sql) =>
  ctx.db.query<EntryReceipt>(
    sql`
    update ${kind.table}
       set month = ${thisMonth(ctx)}::date, ${listed(kind, (column) => `${column} = default`)}
     where ${isGiven(kind)} and ${which} returning id, version`,
    PREPARED,
  )

/**
 * Empties an entry immediately. What everyone reads follows with the next publication. If it changed after the removal was
 * made, it stays, so a recorded removal changes nothing. @throws Refusal not-found
 */
export async function removeEntry(
  ctx: Ctx,
  kind: EntryKind,
  companyId: string,
  { keys, removalKey }: RemovingEntry,
): Promise<EntryReceipt> {
  const { id } = await companyIds(ctx.db, companyId)
  const own = sql`holder_key_hash = any (${keyHashesOf(keys)}::bytea[]) and company_id = ${id}`
  // No one can give anything to a merged company again, so a recorded removal can't do harm there.
  const [removed] = await emptyEntries(
    ctx,
    kind,
    sql`
    ${own} and (removal_key_hash = any (${keyHashesOf([removalKey])}::bytea[]) or merged_from is not null)`,
  )
  if (removed) return removed
  const [other] = await ctx.db.query<EntryReceipt>(sql`
    select id, version from ${kind.table} where ${own} and ${isGiven(kind)}`)
  if (!other) throw notFound(kind.refusals.notFound)
  return { ...other, isOther: true }
}

/** Deletes removed entries once no earlier request is valid, which is when that quarter's credentials have expired. */
export const sweepRemovedEntries = (db: Database, kind: EntryKind, today: string) =>
  db.query(sql`
    delete from ${kind.table}
     where not ${isGiven(kind)} and month < ${firstDayOf(quartersAround(today)[0])}::date`)
