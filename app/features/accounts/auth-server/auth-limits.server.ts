/** How often one may try: the field's usual limits. */
import { createRateLimit, networkOf } from '../../../server/rate-limits.server.ts'
import { AuthRefusal } from './auth-refusal.server.ts'

const FIVE_MINUTES_S = 300
const PER_NETWORK = {
  token: 150,
  signup: 30,
  recover: 30,
  resend: 30,
  verify: 30,
  user: 30,
} as const
/** Of one account from one network: nobody closes it to anybody elsewhere. */
const FAILED_SIGN_INS = 20
/** Of one account from everywhere; beyond that each try solves a spam check first. */
const FAILED_UNCHECKED = 10
const HOUR_S = 3_600
/** Between two mails to one address. */
const MAIL_PAUSE_S = 60

interface SigningIn {
  account: string
  address: string
  checkSpam: () => Promise<void>
}

export function createAuthLimits(isOn: boolean) {
  const limit = (name: string, uses: number, seconds: number) =>
    createRateLimit({ name: `auth-${name}`, uses, seconds, isOn })
  const perNetwork = Object.fromEntries(
    Object.entries(PER_NETWORK).map(([name, uses]) => [name, limit(name, uses, FIVE_MINUTES_S)]),
  )
  const mails = limit('mails', 1, MAIL_PAUSE_S)
  const failures = limit('failed-sign-ins', FAILED_SIGN_INS, FIVE_MINUTES_S)
  const failuresEverywhere = limit('failed-everywhere', FAILED_UNCHECKED, HOUR_S)
  const refuse = (retryAfter: number | undefined) => {
    if (retryAfter) throw new AuthRefusal('over_request_rate_limit', undefined, { retryAfter })
  }
  return {
    /** @throws AuthRefusal over_request_rate_limit */
    async perNetwork(what: keyof typeof PER_NETWORK, address: string) {
      refuse(await perNetwork[what]?.use(networkOf(address)))
    },
    /** The seconds to wait before the next mail to this address; counts one when there are none. */
    mailTo: (address: string) => mails.use(address),
    /**
     * Each try counts as failed until it is known that it was not: of many at the same moment no more
     * get through than of many in a row.
     * @param checkSpam asked where the account had many failures lately, wherever they came from
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
  }
}
