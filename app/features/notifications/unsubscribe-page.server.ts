/**
 * Where the link at the end of a mail about news leads. The link is the right: nobody has to sign
 * in. Mail scanners open links, so a GET ends nothing; the page's button does, and so does the button
 * of a mail program (RFC 8058).
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ServerContext } from '../../server/context.server.ts'
import { escaped } from '../../server/html-text.server.ts'
import { endDigest } from './digest-commands.server.ts'
import { accountOfToken } from './unsubscribe-token.server.ts'

const BODY_LIMIT_BYTES = 4_096

const WORDS = {
  ask: {
    title: 'No more mails about news?',
    text: 'One press, and we send you no more of them. Your news stay on the site.',
  },
  done: {
    title: 'You get no more of these mails',
    text: 'Your news stay on the site. If you want the mails back one day, you can choose them there.',
  },
  broken: {
    title: 'This link is not complete',
    text: 'A piece of it was lost on its way. Please open it from the mail again, or sign in and choose there to get no more mails.',
  },
} as const

export interface UnsubscribePage {
  context: Pick<ServerContext, 'db' | 'secrets'>
  siteName: string
  /** Puts a page of this room into the site's frame. */
  htmlPage: (title: string, body: string) => string
}

/** Mounts /unsubscribe. */
export function answerUnsubscribe(app: FastifyInstance, settings: UnsubscribePage) {
  const { context, siteName, htmlPage } = settings

  function answer(reply: FastifyReply, words: keyof typeof WORDS, button = '') {
    const { title, text } = WORDS[words]
    return reply
      .code(words === 'broken' ? 400 : 200)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(htmlPage(`${title} – ${siteName}`, pageBody({ title, text, button, siteName })))
  }

  app.register(async (page) => {
    // The address says it all: a form comes empty, mail programs add a word in one of two types.
    page.removeAllContentTypeParsers()
    page.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: BODY_LIMIT_BYTES },
      (_request, _body, done) => done(null),
    )
    const described = (summary: string) => ({ schema: { summary, tags: ['notifications'] } })

    page.get(
      '/unsubscribe',
      described('The page behind the last link of a mail about news'),
      async (request, reply) => {
        const token = tokenIn(request)
        if (!accountOfToken(context.secrets, token)) return answer(reply, 'broken')
        return answer(reply, 'ask', formWith(token))
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

function tokenIn({ query }: FastifyRequest): string {
  const { token } = query as { token?: unknown }
  return typeof token === 'string' ? token : ''
}

const formWith = (token: string) => `
  <form method="post" action="/unsubscribe?token=${encodeURIComponent(token)}" class="mt-9">
    <button class="inline-flex h-12 items-center justify-center rounded-md bg-tea px-6 text-base font-medium text-on-tea transition-colors hover:bg-tea-strong">No more mails</button>
  </form>`

const pageBody = (words: { title: string; text: string; button: string; siteName: string }) => `
<main class="m-auto w-full max-w-md px-6 py-16 text-center">
  <img src="/favicon.svg" alt="" class="mx-auto size-12">
  <h1 class="mt-6 font-serif text-4xl font-medium tracking-tight text-balance text-ink">${words.title}</h1>
  <p class="mt-5 leading-relaxed text-pretty text-ink-soft">${words.text}</p>${words.button}
  <p class="mt-9 text-sm text-ink-faint"><a class="text-tea underline underline-offset-4" href="/">Go to ${escaped(words.siteName)}</a></p>
</main>`
