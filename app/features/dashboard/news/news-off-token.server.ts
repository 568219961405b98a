/** The right to end the mails of one seat, as a link carries it. */
import type { Secrets } from '../../../server/secrets.server.ts'

/** Nothing else that the site seals opens as one of these, nor one of these as anything else. */
const PURPOSE = 'company news off '
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const newsOffToken = (secrets: Secrets, claimId: string) => secrets.seal(PURPOSE + claimId)

/** The claim that `token` was made for; undefined for anything that is no such token. */
export function claimOfToken(secrets: Secrets, token: string): string | undefined {
  try {
    const text = secrets.open(token)
    const claimId = text.slice(PURPOSE.length)
    return text.startsWith(PURPOSE) && UUID.test(claimId) ? claimId : undefined
  } catch {
    // Cut off by a mail program, changed, or made up.
    return undefined
  }
}
