/** Where the link at the end of a mail that comes by itself leads. */
import type { FastifyInstance } from 'fastify'
import { setWaitingMail } from '#app/identity/accounts/administrators/waiting-mail-choice.server.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import type { LinkPages } from '#app/platform/http/link-page.server.ts'
import {
  type EndingText,
  endingToken,
  idOfEndingToken,
  registerEndingPage,
} from '#app/platform/mail/unsubscribe.server.ts'
import { endDigest } from './digest-commands.server.ts'

const WORDS: Record<EndableMails, { ask: EndingText; done: EndingText }> = {
  news: {
    ask: {
      title: 'No more mails about news?',
      text: 'One press, and we send you no more of them. Your news stays on the site.',
    },
    done: {
      title: 'You’re unsubscribed',
      text: 'Your news stays on the site. If you want the mails back one day, you can choose them there.',
    },
  },
  waiting: {
    ask: {
      title: 'No more mails about open tasks?',
      text: 'One press, and we send you no more of them. What waits stays on the site.',
    },
    done: {
      title: 'You’re unsubscribed',
      text: 'What waits stays on the site. If you want the mails back one day, you can choose them in your settings.',
    },
  },
}

const BROKEN = {
  title: 'This link is incomplete',
  text: 'A piece of it was lost on its way. Please open it from the mail again, or sign in and choose there to get no more mails.',
}

export interface UnsubscribePage extends LinkPages {
  context: Pick<ServerContext, 'db' | 'secrets'>
}

/** Mounts /unsubscribe. */
export const registerUnsubscribe = (app: FastifyInstance, { context, ...pages }: UnsubscribePage) =>
  registerEndingPage(app, {
    ...pages,
    path: '/unsubscribe',
    tag: 'notifications',
    broken: BROKEN,
    endingOf(token) {
      const mailed = mailedAccount(context.secrets, token)
      if (!mailed) return undefined
      const { id, mails } = mailed
      const end = () =>
        mails === 'waiting' ? setWaitingMail(context, id, false) : endDigest(context, id)
      return { ...WORDS[mails], end }
    },
  })

/** The right to end one account's mails of a kind, as a link carries it. */
const PURPOSES = { news: 'unsubscribe', waiting: 'unsubscribe-waiting' }
/** Mails about news, and mails about open tasks to administrators and moderators. */
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
