/**
 * How mails that come by themselves end. The link at the end of each is the right: nobody has to sign in.
 * Mail scanners open links, so a GET ends nothing; the page's button does, and so does the button of a mail
 * program (RFC 8058).
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Secrets } from '../database/secrets.server.ts'
import {
  ignoreBodies,
  type LinkPages,
  linkForm,
  sendLinkPage,
  tokenIn,
} from '../http/link-page.server.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * The right to end mails, as a link carries it: it reveals nothing of whose they are, and holds for as long as
 * the site keeps its key.
 * @param purpose nothing else that the site seals opens as one of these, nor one of these as anything else
 */
export const endingToken = (secrets: Secrets, purpose: string, id: string) =>
  secrets.seal(`${purpose} ${id}`)

/** What `token` was made for; undefined for anything that is no such token. */
export function idOfEndingToken(
  secrets: Secrets,
  purpose: string,
  token: string,
): string | undefined {
  try {
    const text = secrets.open(token)
    const id = text.slice(purpose.length + 1)
    return text.startsWith(`${purpose} `) && UUID.test(id) ? id : undefined
  } catch {
    // Cut off by a mail program, changed, or made up.
    return undefined
  }
}

/** RFC 8058: the mail program's own button ends these mails with one press. */
export const unsubscribeHeaders = (link: string) => ({
  'List-Unsubscribe': `<${link}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

export interface EndingWords {
  title: string
  text: string
}

/** What one token is for. */
export interface Ending {
  ask: EndingWords
  done: EndingWords
  /** Done twice it is the same. */
  end: () => Promise<unknown>
}

export interface EndingPage extends LinkPages {
  path: string
  /** The API's documentation lists it there. */
  tag: string
  endingOf: (token: string) => Ending | undefined
  broken: EndingWords
}

/** Mounts the page at `path`. */
export function registerEndingPage(app: FastifyInstance, settings: EndingPage) {
  const { path, tag, endingOf, broken } = settings
  const answer = (reply: FastifyReply, words: EndingWords, form?: string) =>
    sendLinkPage(settings, reply, { ...words, status: words === broken ? 400 : 200, form })

  app.register(async (page) => {
    ignoreBodies(page)
    const described = (summary: string) => ({ schema: { summary, tags: [tag] } })

    page.get(
      path,
      described('The page behind the last link of a mail that comes by itself'),
      async (request, reply) => {
        const token = tokenIn(request)
        const ending = endingOf(token)
        if (!ending) return answer(reply, broken)
        const form = linkForm(`${path}?token=${encodeURIComponent(token)}`, 'No more mails')
        return answer(reply, ending.ask, form)
      },
    )

    page.post(path, described('Get no more of these mails'), async (request, reply) => {
      const ending = endingOf(tokenIn(request))
      if (!ending) return answer(reply, broken)
      await ending.end()
      return answer(reply, ending.done)
    })
  })
}
