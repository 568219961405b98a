/** Where the link at the end of a mail about a company leads. */
import type { FastifyInstance } from 'fastify'
import { endCompanyNews } from '#app/companies/claims/claim-commands.server.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import type { LinkPages } from '#app/platform/http/link-page.server.ts'
import { registerEndingPage } from '#app/platform/mail/unsubscribe.server.ts'
import { claimOfToken } from './news-off-token.server.ts'

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
