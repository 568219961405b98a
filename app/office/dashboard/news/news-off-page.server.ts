/** Where the unsubscribe link of a company mail leads. */
import type { FastifyInstance } from 'fastify'
import { endCompanyNews } from '#app/companies/claims/claim-commands.server.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import type { LinkPages } from '#app/platform/http/html.server.ts'
import {
  endingToken,
  idOfEndingToken,
  registerEndingPage,
} from '#app/platform/mail/unsubscribe.server.ts'

export const NEWS_OFF_PATH = '/claims/news-off'

const TEXTS = {
  ask: {
    title: 'Unsubscribe from emails about your company?',
    text: 'Unsubscribe with one click. You’ll still act for the company.',
  },
  done: {
    title: 'You’re unsubscribed',
    text: 'You can turn these emails back on in your settings.',
  },
}

const BROKEN = {
  title: 'This link is incomplete',
  text: 'Please open it from the email again, or turn the emails off in your settings.',
}

export interface NewsOffPage extends LinkPages {
  context: Pick<ServerContext, 'db' | 'secrets'>
}

export const registerNewsOff = (app: FastifyInstance, { context, ...pages }: NewsOffPage) =>
  registerEndingPage(app, {
    ...pages,
    path: NEWS_OFF_PATH,
    tag: 'claims',
    broken: BROKEN,
    endingOf(token) {
      const id = claimOfToken(context.secrets, token)
      return id ? { ...TEXTS, end: () => endCompanyNews(context, id) } : undefined
    },
  })

/** Labels the token that unsubscribes one claim. */
const PURPOSE = 'company news off'

export const newsOffToken = (secrets: Secrets, claimId: string) =>
  endingToken(secrets, PURPOSE, claimId)

/** The claim of `token`. Undefined if it isn't such a token. */
export const claimOfToken = (secrets: Secrets, token: string) =>
  idOfEndingToken(secrets, PURPOSE, token)
