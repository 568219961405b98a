// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is planted are pieces of code
import type { Fault } from './fault.ts'

const FOLDER = 'app/identity/accounts/second-factors'
const FACTORS = `${FOLDER}/second-factors.db.test.ts`
const RECOVERY = `${FOLDER}/recovery-codes.db.test.ts`
const PASSKEYS = `${FOLDER}/passkeys.db.test.ts`
const ADMINISTRATORS = `${FOLDER}/administrators.db.test.ts`

/** What would open an account without its second factor. */
export const secondFactors: Fault[] = [
  [
    'a password alone is enough',
    'app/api/auth/actor.server.ts',
    'if (row.hasSecondFactor && !authentication.second)',
    'if (false)',
    FACTORS,
  ],
  [
    'all of /auth/v1 is open before the second step',
    'app/identity/accounts/auth-server/auth-context.server.ts',
    "if (person.actor.secondFactor === 'awaited')",
    'if (false)',
    FACTORS,
  ],
  [
    'all sessions can be ended before the second step',
    'app/identity/accounts/auth-server/auth-api.server.ts',
    "if (scope !== 'local' && actor.secondFactor === 'awaited')",
    'if (false)',
    FACTORS,
  ],
  [
    'someone with only the password adds their own factor',
    `${FOLDER}/factor-commands.server.ts`,
    "if (!factor.isVerified && actor.secondFactor === 'awaited')",
    'if (false)',
    FACTORS,
  ],
  [
    'an app’s code works more than once',
    `${FOLDER}/factor-commands.server.ts`,
    'step !== undefined && (await ctx.markFirst(`code ${factor.id} ${step}`, STEP_MS))',
    'step !== undefined',
    FACTORS,
  ],
  [
    'a challenge works in every session',
    `${FOLDER}/factor-commands.server.ts`,
    'challenge.sessionId === sessionId &&',
    '',
    FACTORS,
  ],
  [
    'a challenge never ends',
    `${FOLDER}/factor-commands.server.ts`,
    'challenge.endsAt > now().getTime()',
    'true',
    FACTORS,
  ],
  [
    'a new factor leaves other sessions as they are',
    `${FOLDER}/factor-commands.server.ts`,
    "    await endOthers(ctx, person)\n    await enqueueMail(ctx, {\n      purpose: 'factor_added'",
    "    await enqueueMail(ctx, {\n      purpose: 'factor_added'",
    FACTORS,
  ],
  [
    'entering the password again loses the second level',
    'app/identity/accounts/auth-server/session-commands.server.ts',
    '{ ...authentication, authenticatedAt: at }',
    '{ ...authentication, second: null, authenticatedAt: at }',
    FACTORS,
  ],
  [
    'more than ten factors can be added at once',
    `${FOLDER}/factor-rows.server.ts`,
    'delete from second_factors where account_id = ${accountId} and not is_verified`',
    'delete from second_factors where account_id = ${accountId} and false`',
    FACTORS,
  ],
  [
    'a recovery code is usable twice',
    `${FOLDER}/recovery-codes.server.ts`,
    'delete from recovery_codes where account_id = ${id} and code_hash = ${hash} returning account_id',
    'select account_id from recovery_codes where account_id = ${id} and code_hash = ${hash}',
    RECOVERY,
  ],
  [
    'everybody’s recovery codes open every account',
    `${FOLDER}/recovery-codes.server.ts`,
    'delete from recovery_codes where account_id = ${id} and code_hash',
    "delete from recovery_codes where account_id <> ${id} and code_hash <> ''  or code_hash",
    RECOVERY,
  ],
  [
    'wrong codes are not counted',
    'app/identity/accounts/auth-server/auth-limits.server.ts',
    'isWrong = WRONG_CODE.has((error as AuthRefusal).code)',
    'isWrong = false',
    RECOVERY,
  ],
  [
    'any passkey is accepted',
    `${FOLDER}/passkeys.server.ts`,
    'return verified === true',
    'return verified !== false',
    PASSKEYS,
  ],
  [
    'a device maker’s attestation is accepted',
    `${FOLDER}/passkeys.server.ts`,
    "if (registrationInfo?.fmt !== 'none') return undefined",
    'if (!registrationInfo) return undefined',
    PASSKEYS,
  ],
  [
    'the request decides which site a passkey is for',
    `${FOLDER}/passkeys.server.ts`,
    'if (!isHere)',
    'if (false)',
    PASSKEYS,
  ],
  [
    'administrators need no second factor where it’s required',
    'app/api/auth/actor.server.ts',
    "hasDuty && adminSecondFactor === 'required' && !row.hasSecondFactor",
    'false',
    ADMINISTRATORS,
  ],
  [
    'an administrator’s session doesn’t end',
    'app/api/auth/actor.server.ts',
    'const isTooOld = hasDuty && isTooOldForAdmins(authentication, now())',
    'const isTooOld = false',
    ADMINISTRATORS,
  ],
  [
    'an administrator’s session starts over with each refresh',
    'app/identity/accounts/auth-server/session-commands.server.ts',
    'session_began: begunAt',
    'session_began: Math.floor(ctx.now().getTime() / 1000)',
    ADMINISTRATORS,
  ],
  [
    'a factor stays after its account changes hands',
    'app/identity/accounts/auth-server/link-commands.server.ts',
    '  await forgetFactors(ctx, accountId)\n',
    '',
    ADMINISTRATORS,
  ],
]
