/** What somebody's browser does to rate: it keeps a secret, has a credential issued over it, and shows that apart. */
import { serializeScalar } from '#app/api/credential/group.ts'
import { sealVault } from '#app/identity/credentials/vault.ts'
import type { RatingInput } from '#app/ratings/rating-input.ts'
import { type Holder, holderOver, presented, removing } from '../support/holders.ts'
import type { Ask } from './asking.ts'
import type { Colleague } from './colleagues.ts'

type Headers = Record<string, string>

export function holderBrowser(ask: Ask) {
  return {
    /** Over the bearer, as a browser does by itself; the issuer's list it asks for apart. */
    issued: (headers: Headers): Promise<Holder> =>
      holderOver((method, path, body) => ask(method, path, body, body && headers)),
    /** For other devices, under words that the person writes down. */
    async keepVault({ m1, kept }: Holder, headers: Headers) {
      const bits = crypto.getRandomValues(new Uint8Array(16))
      const [secret, r] = [m1, kept.r].map((scalar) => Uint8Array.from(serializeScalar(scalar)))
      if (!secret || !r) throw new Error('A holder has a secret')
      const vault = await sealVault({ m1: secret, r }, [{ kind: 'words', bits }])
      const sealed = Buffer.from(vault).toString('base64url')
      await ask('PUT', '/api/v1/my/credential/vault', { sealed }, headers)
    },
    /** Apart: nothing of a person comes along. @returns the id of the row */
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
    /** Apart, too. */
    takeBack: (holder: Holder, company: string) =>
      ask('POST', `/api/v1/companies/${company}/held-rating/remove`, removing(holder, company)),
  }
}
