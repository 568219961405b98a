/**
 * The link in the mail to a work address: it shows, once and for a day, that somebody reads what
 * comes there. Only its hash is kept. When it ends stands in the link, under the hash: no clock.
 */
import { createHash, randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import type { DataContext } from '#app/platform/database/context.server.ts'
import { CLAIM_LINK_HOURS } from './claim.ts'

const MINUTE_MS = 60_000
const TOKEN_BYTES = 32

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')

/** Mails come late, or twice: so many of the links before the last one work as well. */
const FORMER_LINKS = 2

/** A fresh token for a claim that waits to be shown. The last three work until one of them is used. */
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

/** Whether a token of ours has not ended: whose it is, its hash says. */
function isInTime({ now }: Pick<DataContext, 'now'>, token: string) {
  const [, end] = /^[\w-]{43}\.(\d{1,12})$/.exec(token) ?? []
  const left = Number(end) * MINUTE_MS - now().getTime()
  // One that ends later than any can was made by a clock that was ahead.
  return left > 0 && left <= (CLAIM_LINK_HOURS * 60 + 1) * MINUTE_MS
}

const isOpen = (token: string) => sql`
  ${hashOf(token)} in (link_hash, former_link_hashes[1], former_link_hashes[2])
  and status = 'pending' and not is_verified`

/** The company that a link is about, while it works. Changes nothing: mail scanners look too. */
export async function companyOfLink(ctx: DataContext, token: string): Promise<string | undefined> {
  if (!isInTime(ctx, token)) return undefined
  const [claim] = await ctx.db.query<{ company: string }>(sql`
    select c.name as company from employer_claims claim
      join companies c on c.id = claim.company_id where ${isOpen(token)}`)
  return claim?.company
}

/** Uses the link up. Answers whether it worked. */
export async function spendClaimLink(ctx: DataContext, token: string): Promise<boolean> {
  if (!isInTime(ctx, token)) return false
  const shown = await ctx.db.query(sql`
    update employer_claims set is_verified = true, link_hash = null, former_link_hashes = '{}'
     where ${isOpen(token)} returning id`)
  return shown.length > 0
}
