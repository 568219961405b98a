/**
 * Where the link at the end of a mail about a company leads. The link is the right: nobody has to sign in.
 * Mail scanners open links, so a GET ends nothing; the page's button does, and so does the button of a mail
 * program (RFC 8058).
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ServerContext } from '../../../server/context.server.ts'
import {
  ignoreBodies,
  type LinkPages,
  linkForm,
  sendLinkPage,
  tokenIn,
} from '../../../server/link-page.server.ts'
import { endCompanyNews } from '../../claims/claim-commands.server.ts'
import { claimOfToken } from './news-off-token.server.ts'

const PATH = '/claims/news-off'

const WORDS = {
  ask: {
    title: 'No more mails about your company?',
    text: 'One press, and we send you no more of them. You act for the company as before.',
  },
  done: {
    title: 'You get no more of these mails',
    text: 'If you want them back one day, you can choose them in your settings.',
  },
  broken: {
    title: 'This link is not complete',
    text: 'A piece of it was lost on its way. Please open it from the mail again, or end the mails in your settings.',
  },
} as const

export interface NewsOffPage extends LinkPages {
  context: Pick<ServerContext, 'db' | 'secrets'>
}

/** Mounts /claims/news-off. */
export function registerNewsOff(app: FastifyInstance, settings: NewsOffPage) {
  const { context } = settings
  const answer = (reply: FastifyReply, words: keyof typeof WORDS, form?: string) =>
    sendLinkPage(settings, reply, {
      ...WORDS[words],
      status: words === 'broken' ? 400 : 200,
      form,
    })

  app.register(async (page) => {
    ignoreBodies(page)
    const described = (summary: string) => ({ schema: { summary, tags: ['claims'] } })

    page.get(
      PATH,
      described('The page behind the last link of a mail about a company'),
      async (request, reply) => {
        const token = tokenIn(request)
        if (!claimOfToken(context.secrets, token)) return answer(reply, 'broken')
        return answer(
          reply,
          'ask',
          linkForm(`${PATH}?token=${encodeURIComponent(token)}`, 'No more mails'),
        )
      },
    )

    page.post(PATH, described('Get no more mails about a company'), async (request, reply) => {
      const claimId = claimOfToken(context.secrets, tokenIn(request))
      if (!claimId) return answer(reply, 'broken')
      await endCompanyNews(context, claimId)
      return answer(reply, 'done')
    })
  })
}
