/** What a browser does to rate: it keeps a secret, gets a credential issued for it, and shows that without signing in. */
import type { PayInput } from '#app/ratings/pay/pay-input.ts'
import type { RatingInput } from '#app/ratings/rating-input.ts'
import { type Holder, holderOver, presented, presentedPay, removing } from '../support/holders.ts'
import type { Ask } from './asking.ts'
import type { Colleague } from './colleagues.ts'
import { payRow } from './keys.ts'

type Headers = Record<string, string>

export function holderBrowser(ask: Ask) {
  return {
    /**
     * Signed in, as a browser does by itself, with a backup for other devices. Requests the issuer's list without
     * credentials.
     */
    issued: (headers: Headers): Promise<Holder> =>
      holderOver((method, path, body) => ask(method, path, body, body && headers)),
    /**
     * Without credentials: nothing in it points to a person.
     * @returns the row's ID
     */
    async rate(
      holder: Holder,
      company: string,
      rating: RatingInput,
      shown?: Colleague,
    ): Promise<string> {
      const { companyId, ...body } = shown
        ? presented(shown.badge, company, rating, [], { domain: shown.place.domain })
        : presented(holder, company, rating)
      const { rating: given } = await ask(
        'PUT',
        `/api/v1/companies/${companyId}/presented-rating`,
        body,
      )
      return given.id
    },
    /** The same for pay. @returns the hash of the key that finds it */
    async givePay(holder: Holder, company: string, pay: PayInput, version: number) {
      const { companyId, ...body } = presentedPay(holder, company, pay, version)
      await ask('PUT', `/api/v1/companies/${companyId}/presented-pay`, body)
      return payRow(body.holder)
    },
    /** Removes a rating, also without credentials. */
    takeBack: (holder: Holder, company: string) =>
      ask('POST', `/api/v1/companies/${company}/rating-by-key/remove`, removing(holder, company)),
  }
}
