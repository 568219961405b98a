/** The right to end one account's mails of a kind, as a link carries it. */
import type { Secrets } from '../../server/secrets.server.ts'

/** Nothing else that the site seals opens as one of these, nor one of these as anything else. */
const PURPOSES = { news: 'unsubscribe ', waiting: 'unsubscribe-waiting ' }
/** Mails about news, and those to whoever helps to run the site about what waits. */
export type EndableMails = keyof typeof PURPOSES
const KINDS = Object.keys(PURPOSES) as EndableMails[]
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Reveals nothing of the account; holds for as long as the site keeps its key. */
export const unsubscribeToken = (
  secrets: Secrets,
  accountId: string,
  mails: EndableMails = 'news',
) => secrets.seal(PURPOSES[mails] + accountId)

/** The account that `token` was made for, and which mails it ends; undefined for anything that is no such token. */
export function mailedAccount(
  secrets: Secrets,
  token: unknown,
): { id: string; mails: EndableMails } | undefined {
  if (typeof token !== 'string') return undefined
  try {
    const text = secrets.open(token)
    const mails = KINDS.find((kind) => text.startsWith(PURPOSES[kind]))
    const id = mails ? text.slice(PURPOSES[mails].length) : ''
    return mails && UUID.test(id) ? { id, mails } : undefined
  } catch {
    // Cut off by a mail program, changed, or made up.
    return undefined
  }
}

/** The same of a link in a mail about news. */
export function accountOfToken(secrets: Secrets, token: unknown): string | undefined {
  const mailed = mailedAccount(secrets, token)
  return mailed?.mails === 'news' ? mailed.id : undefined
}
