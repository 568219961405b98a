/**
 * Unsubscribes people from automatic emails. The link is enough, without logging in. Mail scanners open
 * links, so a GET changes nothing. Only the page's button or a mail program's button (RFC 8058) does.
 */

import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Secrets } from '../database/secrets.server.ts'
import {
  ignoreBodies,
  type LinkPages,
  linkForm,
  sendLinkPage,
  tokenIn,
} from '../http/html.server.ts'
import { isUuid } from '../uuid.ts'

/**
 * The link's token. It doesn't reveal whose emails it turns off, and is valid as long as the site keeps its key.
 * @param purpose a label, so no other sealed text passes for such a token, and vice versa
 */
export const endingToken = (secrets: Secrets, purpose: string, id: string) =>
  secrets.seal(`${purpose} ${id}`)

/** The id in `token`. Undefined if it isn't a valid token. */
export function idOfEndingToken(
  secrets: Secrets,
  purpose: string,
  token: string,
): string | undefined {
  try {
    const text = secrets.open(token)
    const id = text.slice(purpose.length + 1)
    return text.startsWith(`${purpose} `) && isUuid(id) ? id : undefined
  } catch {
    // The token was truncated by a mail program, changed, or made up.
    return undefined
  }
}

/** RFC 8058: mail programs show their own unsubscribe button. */
export const unsubscribeHeaders = (link: string) => ({
  'List-Unsubscribe': `<${link}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

export interface EndingText {
  title: string
  text: string
}

interface Ending {
  ask: EndingText
  done: EndingText
  end: () => Promise<unknown>
}

interface EndingPage extends LinkPages {
  path: string
  tag: string
  endingOf: (token: string) => Ending | undefined
  broken: EndingText
}

export function registerEndingPage(app: FastifyInstance, settings: EndingPage) {
  const { path, tag, endingOf, broken } = settings
  const answer = (reply: FastifyReply, texts: EndingText, form?: string) =>
    sendLinkPage(settings, reply, { ...texts, status: texts === broken ? 400 : 200, form })

  app.register(async (page) => {
    ignoreBodies(page)
    const described = (summary: string) => ({
      schema: { summary, tags: [tag] },
      config: { isOpen: true },
    })

    page.get(
      path,
      described('The unsubscribe page for an automatic email'),
      async (request, reply) => {
        const token = tokenIn(request)
        const ending = endingOf(token)
        if (!ending) return answer(reply, broken)
        const form = linkForm(`${path}?token=${encodeURIComponent(token)}`, 'Unsubscribe')
        return answer(reply, ending.ask, form)
      },
    )

    page.post(path, described('Unsubscribe from these emails'), async (request, reply) => {
      const ending = endingOf(tokenIn(request))
      if (!ending) return answer(reply, broken)
      await ending.end()
      return answer(reply, ending.done)
    })
  })
}
