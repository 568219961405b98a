/** Recovery codes on paper. Each replaces the second factor once. */

import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Person } from '#app/api/auth/actor.server.ts'
import { addressOf } from '#app/api/auth/addresses.server.ts'
import { slowHash } from '#app/api/auth/passwords.server.ts'
import { transaction } from '#app/platform/database/server-context.server.ts'
import { lockAccount } from '../auth-server/account-admin-commands.server.ts'
import { enqueueMail } from '../auth-server/account-mail.server.ts'
import type { AuthCtx } from '../auth-server/auth-context.server.ts'
import { AuthRefusal, SET_UP_STEP } from '../auth-server/auth-refusal.server.ts'
import { renewSession } from '../auth-server/session-commands.server.ts'
import { factorsOf } from './factor-rows.server.ts'

const CODES = 10
/** Five bits each, without lookalikes. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'
const CODE_LENGTH = 10
const SALT_BYTES = 16
/** What people type for the letters they read. */
const LOOKS_LIKE: Record<string, string> = { o: '0', i: '1', l: '1' }

function newCode() {
  const letters = [...randomBytes(CODE_LENGTH)].map((byte) => LETTERS[byte % LETTERS.length])
  return letters.join('').replace(/^.{5}/, '$&-')
}

/** One form for all ways to type a code. Undefined if it isn't one. */
function plainCode(typed: string) {
  const letters = [...typed.toLowerCase()].filter((it) => !/[\s-]/.test(it))
  const plain = letters.map((it) => LOOKS_LIKE[it] ?? it).join('')
  const isOne = plain.length === CODE_LENGTH && [...plain].every((it) => LETTERS.includes(it))
  return isOne ? plain : undefined
}

/** Slow, so the database and its key alone don't reveal codes. Deterministic, so we can find the row. */
async function hashOf({ secrets }: Pick<AuthCtx, 'secrets'>, accountId: string, code: string) {
  const salt = Buffer.from(secrets.hash('salt of recovery codes', accountId), 'base64url')
  const slow = await slowHash(code, salt.subarray(0, SALT_BYTES))
  return secrets.hash('recovery code', accountId, slow.toString('base64url'))
}

/**
 * Replaces all codes with ten new ones.
 * @throws AuthRefusal insufficient_aal without a factor
 */
export async function replaceRecoveryCodes(ctx: AuthCtx, { account }: Person) {
  await requireVerified(ctx, account.id)
  const codes = Array.from({ length: CODES }, newCode)
  const hashes = await Promise.all(
    codes.map((code) => hashOf(ctx, account.id, plainCode(code) as string)),
  )
  await transaction(ctx, async (ctx) => {
    await lockAccount(ctx, account.id)
    // The last factor may be gone by now.
    await requireVerified(ctx, account.id)
    const former = await ctx.db.query(
      sql`delete from recovery_codes where account_id = ${account.id} returning account_id`,
    )
    await ctx.db.query(sql`
      insert into recovery_codes (account_id, code_hash)
      select ${account.id}::uuid, unnest(${hashes}::text[])`)
    if (former.length > 0) {
      const email = addressOf(ctx.secrets, account)
      await enqueueMail(ctx, { purpose: 'recovery_codes_replaced', email })
    }
  })
  return { codes }
}

async function requireVerified(ctx: AuthCtx, accountId: string) {
  const factors = await factorsOf(ctx, accountId)
  if (!factors.some(({ isVerified }) => isVerified))
    throw new AuthRefusal('insufficient_aal', SET_UP_STEP)
}

/**
 * Takes the second step with a code, which is then gone.
 * @throws AuthRefusal mfa_verification_failed
 */
export async function recoverByCode(ctx: AuthCtx, person: Person, typed: string) {
  const code = plainCode(typed)
  if (!code) throw wrongCode()
  const { id } = person.account
  const hash = await hashOf(ctx, id, code)
  return transaction(ctx, async (ctx) => {
    // If two requests come at once, one finds the code gone. If the session has ended, the code
    // stays.
    const used = await ctx.db.query(sql`
      delete from recovery_codes where account_id = ${id} and code_hash = ${hash} returning account_id`)
    if (used.length === 0) throw wrongCode()
    await enqueueMail(ctx, {
      purpose: 'recovery_code_used',
      email: addressOf(ctx.secrets, person.account),
    })
    return renewSession(ctx, person, 'mfa/recovery_code')
  })
}

const wrongCode = () =>
  new AuthRefusal(
    'mfa_verification_failed',
    'That’s not one of your recovery codes, or you’ve already used it',
  )
