/** Who may act for which company. Only an approved claim counts, not what an account says about itself (S10). */

import sql, { type Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { UNNAMED } from '#app/identity/accounts/account.ts'
import { PREPARED } from '#app/platform/database/database.server.ts'
import { mapRows } from '#app/platform/database/rows.server.ts'
import { notFound } from '#app/platform/http/refusal.ts'
import { companyPath } from '../company.ts'
import type { MyClaim, ReviewedClaim } from './claim.contract.ts'
import {
  CLAIM_REFUSALS,
  type ClaimList,
  type ClaimMethod,
  type ClaimStatus,
  dnsRecord,
  maskedAddress,
} from './claim.ts'
import { workEmailContext } from './claim-mail.server.ts'
import { recordToken } from './dns-record.server.ts'

export async function actsFor({ db, actor }: Ctx, companyId: string): Promise<boolean> {
  if (!actor.account) return false
  const [claim] = await db.query(
    sql`
    select from employer_claims
     where account_id = ${actor.account.id} and company_id = ${companyId}
       and status = 'approved'`,
    PREPARED,
  )
  return claim !== undefined
}

/** Companies the caller acts for, by name. */
export async function ownCompanyIds({ db, actor }: Ctx): Promise<string[]> {
  if (!actor.account) return []
  const rows = await db.query<{ id: string }>(sql`
    select c.id from employer_claims claim join companies c on c.id = claim.company_id
     where claim.account_id = ${actor.account.id} and claim.status = 'approved'
     order by c.name_key, c.id`)
  return rows.map(({ id }) => id)
}

interface Row {
  id: string
  number: number
  company: { id: string; name: string; slug: string | null; logoUrl: string | null }
  status: ClaimStatus
  method: ClaimMethod | null
  isVerified: boolean
  isOwner: boolean
  isOffered: boolean
  wantsNews: boolean
  claimedOn: string | null
  domain: string | null
  workEmailSealed: string | null
  answer: string
}

const columns = sql`
  claim.id, claim.number, claim.status, claim.method, claim.is_verified as "isVerified",
  claim.is_owner as "isOwner", claim.is_offered as "isOffered",
  claim.wants_news as "wantsNews",
  to_char(claim.claimed_on, 'YYYY-MM-DD') as "claimedOn", claim.domain,
  claim.work_email_sealed as "workEmailSealed", claim.answer,
  json_build_object('id', c.id, 'name', c.name, 'slug', c.slug, 'logoUrl', c.logo_url) as company`

/** What both the claimant and administrators see. */
const viewOf = ({ secrets }: Ctx, row: Row) => ({
  id: row.id,
  company: {
    id: row.company.id,
    name: row.company.name,
    path: companyPath(row.company),
    logoUrl: row.company.logoUrl,
  },
  status: row.status,
  method: row.method,
  isVerified: row.isVerified,
  isOwner: row.isOwner,
  claimedOn: row.claimedOn,
  workEmail:
    row.workEmailSealed &&
    maskedAddress(secrets.open(row.workEmailSealed, workEmailContext(row.id))),
  answer: row.answer,
})

function myView(ctx: Ctx, row: Row): MyClaim {
  const { id, status, method, isVerified, domain } = row
  const isLookedFor = status === 'pending' && method === 'dns' && !isVerified
  return {
    ...viewOf(ctx, row),
    isOffered: row.isOffered,
    wantsNews: row.wantsNews,
    record:
      isLookedFor && domain !== null
        ? { name: domain, value: dnsRecord(recordToken(ctx, id)) }
        : null,
  }
}

const ownClaims = (ctx: Ctx, condition: Sql) =>
  ctx.db.query<Row>(sql`
    select ${columns} from employer_claims claim join companies c on c.id = claim.company_id
     where claim.account_id = ${ctx.actor.account?.id ?? null} and ${condition}
     order by claim.status = 'approved' desc, claim.number desc`)

/** Approved claims first. */
export async function myClaims(ctx: Ctx): Promise<MyClaim[]> {
  const rows = await ownClaims(ctx, sql`claim.status <> 'withdrawn'`)
  return mapRows('claims of a person', rows, (row) => myView(ctx, row))
}

/** @throws Refusal not-found */
export async function myClaim(ctx: Ctx, id: string): Promise<MyClaim> {
  const [row] = await ownClaims(ctx, sql`claim.id = ${id}`)
  if (!row) throw notFound(CLAIM_REFUSALS.gone)
  return myView(ctx, row)
}

const PAGE = 30

const LISTED: Record<ClaimList, Sql> = {
  waiting: sql`claim.status = 'pending' and claim.is_verified`,
  unverified: sql`claim.status = 'pending' and not claim.is_verified`,
  approved: sql`claim.status = 'approved'`,
  closed: sql`claim.status in ('declined', 'withdrawn', 'revoked')`,
}

interface ReviewedRow extends Row {
  username: string | null
  accountId: string
  website: string | null
  note: string
  others: number
}

/** Claims that administrators see, newest first. */
export async function claimsToReview(
  ctx: Ctx,
  { status: list, before = null }: { status: ClaimList; before?: number | null },
) {
  const rows = await ctx.db.query<ReviewedRow>(sql`
    select ${columns}, profile.username, claim.account_id as "accountId", c.website, claim.note,
           (select count(*) from employer_claims other
             where other.company_id = claim.company_id and other.status = 'approved'
               and other.account_id <> claim.account_id)::integer as others
      from employer_claims claim
      join companies c on c.id = claim.company_id
      left join profiles profile on profile.account_id = claim.account_id
     where ${LISTED[list]} and (${before}::bigint is null or claim.number < ${before}::bigint)
     order by claim.number desc limit ${PAGE + 1}`)
  const page = rows.slice(0, PAGE)
  return {
    claims: mapRows('claims', page, (row): ReviewedClaim => {
      const { username, accountId, website, domain, note, others } = row
      return {
        ...viewOf(ctx, row),
        username: username ?? UNNAMED,
        isMine: accountId === ctx.actor.account?.id,
        website,
        domain,
        note,
        others,
      }
    }),
    next: rows.length > PAGE ? (page.at(-1)?.number ?? null) : null,
  }
}

/** The account's claims, as its data export shows them. */
export async function claimsExport({ db, actor, secrets }: Ctx) {
  const rows = await db.query<{
    company: string
    id: string
    status: ClaimStatus
    method: ClaimMethod | null
    claimedOn: string | null
    isVerified: boolean
    isOwner: boolean
    note: string
    answer: string
    workEmailSealed: string | null
  }>(sql`
    select claim.id, c.name as company, claim.status, claim.method,
           claim.is_verified as "isVerified", claim.is_owner as "isOwner",
           to_char(claim.claimed_on, 'YYYY-MM-DD') as "claimedOn", claim.note, claim.answer,
           claim.work_email_sealed as "workEmailSealed"
      from employer_claims claim join companies c on c.id = claim.company_id
     where claim.account_id = ${actor.account?.id ?? null} order by claim.number`)
  return {
    companyClaims: mapRows('exported claims', rows, ({ id, workEmailSealed, ...claim }) => ({
      ...claim,
      workEmail: workEmailSealed && secrets.open(workEmailSealed, workEmailContext(id)),
    })),
  }
}
