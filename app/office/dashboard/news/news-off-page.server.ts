/** Where the link at the end of a mail about a company leads. */
import type { FastifyInstance } from 'fastify'
import { endCompanyNews } from '#app/companies/claims/claim-commands.server.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import type { LinkPages } from '#app/platform/http/link-page.server.ts'
import {
  endingToken,
  idOfEndingToken,
  registerEndingPage,
} from '#app/platform/mail/unsubscribe.server.ts'

export const NEWS_OFF_PATH = '/claims/news-off'

const WORDS = {
  ask: {
    title: 'No more mails about your company?',
    text: 'One press, and we send you no more of them. You act for the company as before.',
  },
  done: {
    title: 'You get no more of these mails',
    text: 'If you want them back one day, you can choose them in your settings.',
  },
}

const BROKEN = {
  title: 'This link is not complete',
  text: 'A piece of it was lost on its way. Please open it from the mail again, or end the mails in your settings.',
}

export interface NewsOffPage extends LinkPages {
  context: Pick<ServerContext, 'db' | 'secrets'>
}

/** Mounts /claims/news-off. */
export const registerNewsOff = (app: FastifyInstance, { context, ...pages }: NewsOffPage) =>
  registerEndingPage(app, {
    ...pages,
    path: NEWS_OFF_PATH,
    tag: 'claims',
    broken: BROKEN,
    endingOf(token) {
      const id = claimOfToken(context.secrets, token)
      return id ? { ...WORDS, end: () => endCompanyNews(context, id) } : undefined
    },
  })

/** The right to end the mails of one seat, as a link carries it. */
const PURPOSE = 'company news off'

export const newsOffToken = (secrets: Secrets, claimId: string) =>
  endingToken(secrets, PURPOSE, claimId)

/** The claim that `token` was made for; undefined for anything that is no such token. */
export const claimOfToken = (secrets: Secrets, token: string) =>
  idOfEndingToken(secrets, PURPOSE, token)
