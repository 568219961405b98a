/** The right to end one account's mails of a kind, as a link carries it. */
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import { endingToken, idOfEndingToken } from '#app/platform/mail/unsubscribe.server.ts'

const PURPOSES = { news: 'unsubscribe', waiting: 'unsubscribe-waiting' }
/** Mails about news, and those to whoever helps to run the site about what waits. */
export type EndableMails = keyof typeof PURPOSES
const KINDS = Object.keys(PURPOSES) as EndableMails[]

export const unsubscribeToken = (
  secrets: Secrets,
  accountId: string,
  mails: EndableMails = 'news',
) => endingToken(secrets, PURPOSES[mails], accountId)

/** The account whose mails of this kind `token` ends; undefined for anything that is no such token. */
export const accountOfToken = (secrets: Secrets, token: string, mails: EndableMails = 'news') =>
  idOfEndingToken(secrets, PURPOSES[mails], token)

/** The same of a token that ends mails of any kind, and which they are. */
export function mailedAccount(
  secrets: Secrets,
  token: string,
): { id: string; mails: EndableMails } | undefined {
  for (const mails of KINDS) {
    const id = accountOfToken(secrets, token, mails)
    if (id) return { id, mails }
  }
  return undefined
}
