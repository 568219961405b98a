/**
 * Where the link of a mail to a work address leads. The link is the right: nobody has to sign in at
 * the desk where that mail is read. Mail scanners open links, so a GET uses nothing up; the page's
 * button does.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ServerContext } from '../../server/context.server.ts'
import { escaped } from '../../server/html-text.server.ts'
import { createRateLimit, networkOf, requireRoom } from '../../server/rate-limits.server.ts'
import { CLAIM_LINK_PATH } from './claim.ts'
import { companyOfLink, spendClaimLink } from './claim-link.server.ts'

const BODY_LIMIT_BYTES = 4_096
/** Per network. */
const LIMIT = { uses: 60, seconds: 300 }

const WORDS = {
  ask: (company: string) => ({
    title: 'Is this your claim?',
    text: `Somebody says that they may act for ${company}, and gave this address to show it. Confirm only if that is you.`,
  }),
  done: () => ({
    title: 'Your work email is confirmed',
    text: 'An administrator looks at your claim now. We write to the email of your account.',
  }),
  broken: () => ({
    title: 'This link does not work any more',
    text: 'It was used, is older than a day, or newer ones were sent. In your settings you can have it sent again.',
  }),
}

export interface ClaimLinks {
  context: Pick<ServerContext, 'db' | 'now'>
  siteName: string
  hasRateLimits: boolean
  /** Puts a page of this room into the site's frame. */
  htmlPage: (title: string, body: string) => string
}

/** Mounts /claims/confirm. */
export function answerClaimLinks(app: FastifyInstance, settings: ClaimLinks) {
  const { context, siteName, hasRateLimits, htmlPage } = settings
  const limit = createRateLimit({ name: 'claim-links', ...LIMIT, isOn: hasRateLimits })

  const answer = (
    reply: FastifyReply,
    { title, text }: { title: string; text: string },
    { status = 200, form = '' } = {},
  ) =>
    reply
      .code(status)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(htmlPage(`${title} – ${siteName}`, pageBody({ title, text, form, siteName })))

  app.register(async (page) => {
    // The address says it all: the form comes empty.
    page.removeAllContentTypeParsers()
    page.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: BODY_LIMIT_BYTES },
      (_request, _body, done) => done(null),
    )
    const described = (summary: string) => ({ schema: { summary, tags: ['claims'] } })

    page.get(
      CLAIM_LINK_PATH,
      described('The page behind the link in a mail to a work address'),
      async (request, reply) => {
        await requireRoom(limit, networkOf(request.ip))
        const token = tokenIn(request)
        const company = await companyOfLink(context, token)
        if (company === undefined) return answer(reply, WORDS.broken(), { status: 410 })
        return answer(reply, WORDS.ask(company), { form: formWith(token) })
      },
    )

    page.post(
      CLAIM_LINK_PATH,
      described('Confirm the work address of a claim'),
      async (request, reply) => {
        await requireRoom(limit, networkOf(request.ip))
        const isShown = await spendClaimLink(context, tokenIn(request))
        return isShown
          ? answer(reply, WORDS.done())
          : answer(reply, WORDS.broken(), { status: 410 })
      },
    )
  })
}

function tokenIn({ query }: FastifyRequest): string {
  const { token } = query as { token?: unknown }
  return typeof token === 'string' ? token : ''
}

const formWith = (token: string) => `
  <form method="post" action="${CLAIM_LINK_PATH}?token=${encodeURIComponent(token)}" class="mt-9">
    <button class="inline-flex h-12 items-center justify-center rounded-md bg-tea px-6 text-base font-medium text-on-tea transition-colors hover:bg-tea-strong">Confirm my work email</button>
  </form>`

const pageBody = (words: { title: string; text: string; form: string; siteName: string }) => `
<main class="m-auto w-full max-w-md px-6 py-16 text-center">
  <img src="/favicon.svg" alt="" class="mx-auto size-12">
  <h1 class="mt-6 font-serif text-4xl font-medium tracking-tight text-balance text-ink">${escaped(words.title)}</h1>
  <p class="mt-5 leading-relaxed text-pretty text-ink-soft">${escaped(words.text)}</p>${words.form}
  <p class="mt-9 text-sm text-ink-faint">You did not ask for this? Close the page, and nothing happens. <a class="text-tea underline underline-offset-4" href="/">Go to ${escaped(words.siteName)}</a></p>
</main>`
