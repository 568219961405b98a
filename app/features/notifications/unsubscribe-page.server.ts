/**
 * Where the link at the end of a mail that comes by itself leads. The link is the right: nobody has to sign
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
import { setWaitingMail } from '../accounts/administrators/waiting-mail-choice.server.ts'
import { endDigest } from './digest-commands.server.ts'
import { type EndableMails, mailedAccount } from './unsubscribe-token.server.ts'

interface Words {
  title: string
  text: string
}

const WORDS: Record<EndableMails, { ask: Words; done: Words }> = {
  news: {
    ask: {
      title: 'No more mails about news?',
      text: 'One press, and we send you no more of them. Your news stays on the site.',
    },
    done: {
      title: 'You get no more of these mails',
      text: 'Your news stays on the site. If you want the mails back one day, you can choose them there.',
    },
  },
  waiting: {
    ask: {
      title: 'No more mails about what waits?',
      text: 'One press, and we send you no more of them. What waits stays on the site.',
    },
    done: {
      title: 'You get no more of these mails',
      text: 'What waits stays on the site. If you want the mails back one day, you can choose them in your settings.',
    },
  },
}

const BROKEN: Words = {
  title: 'This link is not complete',
  text: 'A piece of it was lost on its way. Please open it from the mail again, or sign in and choose there to get no more mails.',
}

export interface UnsubscribePage extends LinkPages {
  context: Pick<ServerContext, 'db' | 'secrets'>
}

/** Mounts /unsubscribe. */
export function registerUnsubscribe(app: FastifyInstance, settings: UnsubscribePage) {
  const { context } = settings

  const answer = (reply: FastifyReply, words: Words, form?: string) =>
    sendLinkPage(settings, reply, { ...words, status: words === BROKEN ? 400 : 200, form })

  app.register(async (page) => {
    ignoreBodies(page)
    const described = (summary: string) => ({ schema: { summary, tags: ['notifications'] } })

    page.get(
      '/unsubscribe',
      described('The page behind the last link of a mail that comes by itself'),
      async (request, reply) => {
        const token = tokenIn(request)
        const mailed = mailedAccount(context.secrets, token)
        if (!mailed) return answer(reply, BROKEN)
        return answer(
          reply,
          WORDS[mailed.mails].ask,
          linkForm(`/unsubscribe?token=${encodeURIComponent(token)}`, 'No more mails'),
        )
      },
    )

    page.post('/unsubscribe', described('Get no more of these mails'), async (request, reply) => {
      const mailed = mailedAccount(context.secrets, tokenIn(request))
      if (!mailed) return answer(reply, BROKEN)
      if (mailed.mails === 'waiting') await setWaitingMail(context, mailed.id, false)
      else await endDigest(context, mailed.id)
      return answer(reply, WORDS[mailed.mails].done)
    })
  })
}
