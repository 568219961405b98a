/**
 * The page that a work email link opens. The link is the permission, so it works in any browser. Mail scanners open
 * links, so only the page's button uses the link up, not the GET.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import {
  ignoreBodies,
  LINK_PAGE_NOTE,
  type LinkPages,
  linkForm,
  sendLinkPage,
  tokenIn,
} from '#app/platform/http/html.server.ts'
import {
  createNetworkLimit,
  networkOf,
  requireCapacity,
} from '#app/platform/http/rate-limits.server.ts'
import { CLAIM_LINK_PATH } from './claim.ts'
import { companyOfLink, spendClaimLink } from './claim-mail.server.ts'

/** Requests per network. */
const LIMIT = { uses: 60, seconds: 300 }

const WORDS = {
  ask: (company: string) => ({
    title: 'Is this your claim?',
    text: `Someone says they can act for ${company} and gave this address as proof. Confirm only if that’s you.`,
  }),
  done: () => ({
    title: 'Your work email is confirmed',
    text: 'An administrator will review your claim. We’ll email your account’s address.',
  }),
  broken: () => ({
    title: 'This link no longer works',
    text: 'It was already used, is more than a day old, or has been replaced by newer ones. You can get a new one in your settings.',
  }),
}

interface ClaimLinks extends LinkPages {
  context: Pick<ServerContext, 'db' | 'now'>
  hasRateLimits: boolean
}

/** Mounts /claims/confirm. */
export function registerClaimLinks(app: FastifyInstance, settings: ClaimLinks) {
  const { context, hasRateLimits } = settings
  const limit = createNetworkLimit({ name: 'claim-links', ...LIMIT, isOn: hasRateLimits })

  const answer = (
    reply: FastifyReply,
    texts: { title: string; text: string },
    more: { status?: number; form?: string } = {},
  ) => sendLinkPage(settings, reply, { ...texts, ...more, note: LINK_PAGE_NOTE })

  app.register(async (page) => {
    ignoreBodies(page)
    const described = (summary: string) => ({
      schema: { summary, tags: ['claims'] },
      config: { isOpen: true },
    })

    page.get(
      CLAIM_LINK_PATH,
      described('The page a work email link opens'),
      async (request, reply) => {
        await requireCapacity(limit, networkOf(request.ip))
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
        await requireCapacity(limit, networkOf(request.ip))
        const isShown = await spendClaimLink(context, tokenIn(request))
        return isShown
          ? answer(reply, WORDS.done())
          : answer(reply, WORDS.broken(), { status: 410 })
      },
    )
  })
}
