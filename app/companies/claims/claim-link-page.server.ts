/**
 * Where the link of a mail to a work address leads. The link is the right: nobody has to sign in at
 * the desk where that mail is read. Mail scanners open links, so a GET uses nothing up; the page's
 * button does.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import {
  ignoreBodies,
  type LinkPages,
  linkForm,
  NOT_YOURS,
  sendLinkPage,
  tokenIn,
} from '#app/platform/http/link-page.server.ts'
import {
  createNetworkLimit,
  networkOf,
  requireRoom,
} from '#app/platform/http/rate-limits.server.ts'
import { CLAIM_LINK_PATH } from './claim.ts'
import { companyOfLink, spendClaimLink } from './claim-link.server.ts'

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

export interface ClaimLinks extends LinkPages {
  context: Pick<ServerContext, 'db' | 'now'>
  hasRateLimits: boolean
}

/** Mounts /claims/confirm. */
export function registerClaimLinks(app: FastifyInstance, settings: ClaimLinks) {
  const { context, hasRateLimits } = settings
  const limit = createNetworkLimit({ name: 'claim-links', ...LIMIT, isOn: hasRateLimits })

  const answer = (
    reply: FastifyReply,
    words: { title: string; text: string },
    more: { status?: number; form?: string } = {},
  ) => sendLinkPage(settings, reply, { ...words, ...more, note: NOT_YOURS })

  app.register(async (page) => {
    ignoreBodies(page)
    const described = (summary: string) => ({ schema: { summary, tags: ['claims'] } })

    page.get(
      CLAIM_LINK_PATH,
      described('The page behind the link in a mail to a work address'),
      async (request, reply) => {
        await requireRoom(limit, networkOf(request.ip))
        const token = tokenIn(request)
        const company = await companyOfLink(context, token)
        if (company === undefined) return answer(reply, WORDS.broken(), { status: 410 })
        return answer(reply, WORDS.ask(company), {
          form: linkForm(
            `${CLAIM_LINK_PATH}?token=${encodeURIComponent(token)}`,
            'Confirm my work email',
          ),
        })
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
