/** The right to end one account's mails about news, as a link carries it. */
import type { Secrets } from '../../server/secrets.server.ts'

/** Nothing else that the site seals opens as one of these, nor one of these as anything else. */
const PURPOSE = 'unsubscribe '
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Reveals nothing of the account; holds for as long as the site keeps its key. */
export const unsubscribeToken = (secrets: Secrets, accountId: string) =>
  secrets.seal(PURPOSE + accountId)

/** The account that `token` was made for; undefined for anything that is no such token. */
export function accountOfToken(secrets: Secrets, token: unknown): string | undefined {
  if (typeof token !== 'string') return undefined
  try {
    const text = secrets.open(token)
    const accountId = text.slice(PURPOSE.length)
    return text.startsWith(PURPOSE) && UUID.test(accountId) ? accountId : undefined
  } catch {
    // Cut off by a mail program, changed, or made up.
    return undefined
  }
}
