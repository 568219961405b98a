/**
 * The link in the mail to a work address shows, once and within a day, that someone reads its mail. Only its hash is
 * stored; its end is part of the link, so that no timestamp is.
 */
import { createHash, randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import type { DataContext } from '#app/platform/database/context.server.ts'
import { CLAIM_LINK_HOURS } from './claim.ts'

const MINUTE_MS = 60_000
const TOKEN_BYTES = 32

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')

/** Mails may arrive late or out of order, so the links before the last one work too. */
const FORMER_LINKS = 2

/** Undefined unless the claim is pending and unverified. Of its last three links, using one ends all. */
export async function makeClaimLink({ db, now }: DataContext, claimId: string) {
  const end = Math.ceil(now().getTime() / MINUTE_MS) + CLAIM_LINK_HOURS * 60
  const token = `${randomBytes(TOKEN_BYTES).toString('base64url')}.${end}`
  const [kept] = await db.query(sql`
    update employer_claims
       set link_hash = ${hashOf(token)},
           former_link_hashes =
             (array_remove(array[link_hash], null) || former_link_hashes)[1:${FORMER_LINKS}::integer]
     where id = ${claimId} and status = 'pending' and method = 'mail' and not is_verified
    returning id`)
  return kept ? token : undefined
}

/** Only the format and the end; the hash says whose it is. */
function isInTime({ now }: Pick<DataContext, 'now'>, token: string) {
  const [, end] = /^[\w-]{43}\.(\d{1,12})$/.exec(token) ?? []
  const left = Number(end) * MINUTE_MS - now().getTime()
  // One with a later end was made while the clock was wrong.
  return left > 0 && left <= (CLAIM_LINK_HOURS * 60 + 1) * MINUTE_MS
}

const isOpen = (token: string) => sql`
  ${hashOf(token)} in (link_hash, former_link_hashes[1], former_link_hashes[2])
  and status = 'pending' and not is_verified`

/** The company of a working link. Changes nothing, as mail scanners open it too. */
export async function companyOfLink(ctx: DataContext, token: string): Promise<string | undefined> {
  if (!isInTime(ctx, token)) return undefined
  const [claim] = await ctx.db.query<{ company: string }>(sql`
    select c.name as company from employer_claims claim
      join companies c on c.id = claim.company_id where ${isOpen(token)}`)
  return claim?.company
}

/** Uses the link up. @returns whether it worked */
export async function spendClaimLink(ctx: DataContext, token: string): Promise<boolean> {
  if (!isInTime(ctx, token)) return false
  const shown = await ctx.db.query(sql`
    update employer_claims set is_verified = true, link_hash = null, former_link_hashes = '{}'
     where ${isOpen(token)} returning id`)
  return shown.length > 0
}
