/** How often people may try. These are the usual limits. */
import {
  createNetworkLimit,
  createRateLimit,
  networkOf,
} from '#app/platform/http/rate-limits.server.ts'
import { AuthRefusal } from './auth-refusal.server.ts'

const FIVE_MINUTES_S = 300
const PER_NETWORK = {
  token: 150,
  // Limited, because each sign-out leaves a row for months.
  logout: 150,
  signup: 30,
  recover: 30,
  resend: 30,
  verify: 30,
  user: 30,
  factors: 60,
} as const
/** Per account and network, so no one can lock an account for people elsewhere. */
const FAILED_SIGN_INS = 20
/** Per account, from anywhere. Beyond that, each try must solve a spam check first. */
const FAILED_UNCHECKED = 10
const HOUR_S = 3_600
const MAIL_PAUSE_S = 60

/**
 * Wrong codes for one account, at its second step (where the person already knows the password) or at its
 * sign-up.
 */
const WRONG_CODE = new Set(['mfa_verification_failed', 'otp_expired'])
const WRONG_CODES = { fromNetwork: 5, fromEverywhere: 20 }

export type AuthLimits = ReturnType<typeof createAuthLimits>

interface SigningIn {
  account: string
  address: string
  checkSpam: () => Promise<void>
}

export function createAuthLimits(isOn: boolean) {
  const limit = (name: string, uses: number, seconds: number, create = createRateLimit) =>
    create({ name: `auth-${name}`, uses, seconds, isOn })
  const perNetwork = Object.fromEntries(
    Object.entries(PER_NETWORK).map(([name, uses]) => [
      name,
      limit(name, uses, FIVE_MINUTES_S, createNetworkLimit),
    ]),
  )
  const mails = limit('mails', 1, MAIL_PAUSE_S)
  const failures = limit('failed-sign-ins', FAILED_SIGN_INS, FIVE_MINUTES_S)
  const failuresEverywhere = limit('failed-everywhere', FAILED_UNCHECKED, HOUR_S)
  // Counted separately, so guessing app codes doesn't block recovery codes.
  const wrongCodes = {
    totp: {
      here: limit('wrong-codes', WRONG_CODES.fromNetwork, FIVE_MINUTES_S),
      everywhere: limit('wrong-codes-everywhere', WRONG_CODES.fromEverywhere, HOUR_S),
    },
    signup: {
      here: limit('wrong-sign-up-codes', WRONG_CODES.fromNetwork, FIVE_MINUTES_S),
      everywhere: limit('wrong-sign-up-everywhere', WRONG_CODES.fromEverywhere, HOUR_S),
    },
    recovery: {
      here: limit('wrong-recovery-codes', WRONG_CODES.fromNetwork, FIVE_MINUTES_S),
      everywhere: limit('wrong-recovery-everywhere', WRONG_CODES.fromEverywhere, HOUR_S),
    },
  }
  const refuse = (retryAfter: number | undefined) => {
    if (retryAfter) throw new AuthRefusal('over_request_rate_limit', undefined, { retryAfter })
  }
  return {
    /** @throws AuthRefusal over_request_rate_limit */
    async perNetwork(what: keyof typeof PER_NETWORK, address: string) {
      refuse(await perNetwork[what]?.use(networkOf(address)))
    },
    /** Seconds until the next mail to this address. Counts one when there's no wait. */
    mailTo: (address: string) => mails.use(address),
    /**
     * Counts each try as failed until it succeeds, so trying in parallel gains nothing. @param checkSpam runs if the
     * account had many recent failures, from anywhere
     * @throws AuthRefusal over_request_rate_limit after too many failures from this network
     */
    async signingIn<Result>(
      { account, address, checkSpam }: SigningIn,
      signIn: () => Promise<Result>,
    ): Promise<Result> {
      const here = `${account} ${networkOf(address)}`
      refuse(await failures.use(here))
      const hadMany = (await failuresEverywhere.use(account)) !== undefined
      let isWrong = false
      try {
        if (hadMany) await checkSpam()
        return await signIn()
      } catch (error) {
        isWrong = (error as AuthRefusal).code === 'invalid_credentials'
        throw error
      } finally {
        if (!isWrong)
          await Promise.all([failures.giveBack(here), failuresEverywhere.giveBack(account)])
      }
    },
    /**
     * Counts before the attempt, as `signingIn` does.
     * @throws AuthRefusal over_request_rate_limit after too many wrong codes
     */
    async tryingCode<Result>(
      kind: keyof typeof wrongCodes,
      { account, address }: { account: string; address: string },
      attempt: () => Promise<Result>,
    ): Promise<Result> {
      const { here, everywhere } = wrongCodes[kind]
      const network = `${account} ${networkOf(address)}`
      refuse(await here.use(network))
      const wait = await everywhere.use(account)
      if (wait) {
        await here.giveBack(network)
        refuse(wait)
      }
      let isWrong = false
      try {
        return await attempt()
      } catch (error) {
        isWrong = WRONG_CODE.has((error as AuthRefusal).code)
        throw error
      } finally {
        if (!isWrong) await Promise.all([here.giveBack(network), everywhere.giveBack(account)])
      }
    },
  }
}
