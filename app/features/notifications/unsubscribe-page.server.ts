/**
 * Where the link at the end of a mail about news leads. The link is the right: nobody has to sign
 * in. Mail scanners open links, so a GET ends nothing; the page's button does, and so does the button
 * of a mail program (RFC 8058).
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ServerContext } from '../../server/context.server.ts'
import {
  ignoreBodies,
  type LinkPages,
  linkForm,
  sendLinkPage,
  tokenIn,
} from '../../server/link-page.server.ts'
import { endDigest } from './digest-commands.server.ts'
import { accountOfToken } from './unsubscribe-token.server.ts'

const WORDS = {
  ask: {
    title: 'No more mails about news?',
    text: 'One press, and we send you no more of them. Your news stays on the site.',
  },
  done: {
    title: 'You get no more of these mails',
    text: 'Your news stays on the site. If you want the mails back one day, you can choose them there.',
  },
  broken: {
    title: 'This link is not complete',
    text: 'A piece of it was lost on its way. Please open it from the mail again, or sign in and choose there to get no more mails.',
  },
} as const

export interface UnsubscribePage extends LinkPages {
  context: Pick<ServerContext, 'db' | 'secrets'>
}

/** Mounts /unsubscribe. */
export function registerUnsubscribe(app: FastifyInstance, settings: UnsubscribePage) {
  const { context } = settings

  const answer = (reply: FastifyReply, words: keyof typeof WORDS, form?: string) =>
    sendLinkPage(settings, reply, {
      ...WORDS[words],
      status: words === 'broken' ? 400 : 200,
      form,
    })

  app.register(async (page) => {
    ignoreBodies(page)
    const described = (summary: string) => ({ schema: { summary, tags: ['notifications'] } })

    page.get(
      '/unsubscribe',
      described('The page behind the last link of a mail about news'),
      async (request, reply) => {
        const token = tokenIn(request)
        if (!accountOfToken(context.secrets, token)) return answer(reply, 'broken')
        return answer(
          reply,
          'ask',
          linkForm(`/unsubscribe?token=${encodeURIComponent(token)}`, 'No more mails'),
        )
      },
    )

    page.post('/unsubscribe', described('Get no more mails about news'), async (request, reply) => {
      const accountId = accountOfToken(context.secrets, tokenIn(request))
      if (!accountId) return answer(reply, 'broken')
      await endDigest(context, accountId)
      return answer(reply, 'done')
    })
  })
}
