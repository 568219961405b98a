/** Second factors over HTTP: /auth/v1/factors as in auth-js, plus recovery codes. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Person } from '#app/api/auth/actor.server.ts'
import { uuidOf } from '#app/api/schemas.ts'
import type { SharedCounts } from '#app/platform/http/shared-counts.server.ts'
import { accountById } from '../account-queries.server.ts'
import { Bodies, parsed } from '../auth-server/auth-bodies.server.ts'
import {
  type AuthCtx,
  requireFirstStep,
  requirePerson,
  requireReauthentication,
} from '../auth-server/auth-context.server.ts'
import type { AuthLimits } from '../auth-server/auth-limits.server.ts'
import { AuthRefusal } from '../auth-server/auth-refusal.server.ts'
import { factorView } from '../auth-server/auth-user.server.ts'
import {
  challengeFactor,
  enrollFactor,
  type FactorAnswer,
  removeFactor,
  verifyFactor,
} from './factor-commands.server.ts'
import { factorsOf, recoveryCodesLeft } from './factor-rows.server.ts'
import { relyingPartyOf } from './passkeys.server.ts'
import { recoverByCode, replaceRecoveryCodes } from './recovery-codes.server.ts'

interface FactorsApi {
  contextOf: () => AuthCtx
  limits: AuthLimits
  markFirst: SharedCounts['markFirst']
}

export function mountFactorRoutes(
  auth: FastifyInstance,
  { contextOf, limits, markFirst }: FactorsApi,
) {
  const described = (summary: string) => ({ schema: { summary, tags: ['auth'] } })
  const counted = async ({ ip }: FastifyRequest) => {
    await limits.perNetwork('factors', ip)
    return contextOf()
  }
  const triesOf = ({ account }: Person, { ip }: FastifyRequest) => ({
    account: account.id,
    address: ip,
  })

  auth.get('/factors', described('List your second factors'), async (request) => {
    const ctx = contextOf()
    const { account } = await requireFirstStep(ctx, request)
    const row = await accountById(ctx, account.id)
    if (!row) throw new AuthRefusal('user_not_found')
    const factors = await factorsOf(ctx, row.id)
    return {
      factors: factors.map((factor) => factorView(row, factor)),
      recovery_codes_left: await recoveryCodesLeft(ctx, row.id),
    }
  })

  auth.post('/factors', described('Start setting up a second factor'), async (request) => {
    const ctx = await counted(request)
    const person = await requirePerson(ctx, request)
    requireReauthentication(ctx, person.account)
    const body = parsed(Bodies.enroll, request.body)
    return enrollFactor(ctx, person, {
      kind: body.factor_type,
      name: body.friendly_name ?? '',
      issuer: body.issuer ?? undefined,
    })
  })

  auth.post(
    '/factors/:id/challenge',
    described('Get a challenge for a factor'),
    async (request) => {
      const ctx = await counted(request)
      const person = await requireFirstStep(ctx, request)
      const { webauthn } = parsed(Bodies.challenge, request.body)
      return challengeFactor(ctx, person, idOf(request), () =>
        relyingPartyOf(ctx.auth.siteUrl(), request.headers.host, webauthn ?? {}),
      )
    },
  )

  auth.post('/factors/:id/verify', described('Complete the second step'), async (request) => {
    const ctx = { ...(await counted(request)), markFirst }
    const person = await requireFirstStep(ctx, request)
    const { challenge_id: challengeId, ...sent } = parsed(Bodies.verifyFactor, request.body)
    const answer = answerIn(ctx, request, sent)
    const verify = () => verifyFactor(ctx, person, idOf(request), { challengeId, answer })
    // A passkey can't be guessed.
    return 'code' in answer ? limits.tryingCode('totp', triesOf(person, request), verify) : verify()
  })

  auth.delete('/factors/:id', described('Remove a second factor'), async (request) => {
    const ctx = await counted(request)
    return removeFactor(ctx, await requirePerson(ctx, request), idOf(request))
  })

  auth.post(
    '/factors/recovery-codes',
    described('Replace the recovery codes with ten new ones'),
    async (request) => {
      const ctx = await counted(request)
      const person = await requirePerson(ctx, request)
      requireReauthentication(ctx, person.account)
      return replaceRecoveryCodes(ctx, person)
    },
  )

  auth.post(
    '/factors/recover',
    described('Complete the second step with a recovery code'),
    async (request) => {
      const ctx = await counted(request)
      const person = await requireFirstStep(ctx, request)
      const { code } = parsed(Bodies.recoverByCode, request.body)
      return limits.tryingCode('recovery', triesOf(person, request), () =>
        recoverByCode(ctx, person, code),
      )
    },
  )
}

type Sent = Pick<ReturnType<typeof Bodies.verifyFactor.parse>, 'code' | 'webauthn'>

/** @throws AuthRefusal validation_failed */
function answerIn(
  ctx: AuthCtx,
  { headers }: FastifyRequest,
  { code, webauthn }: Sent,
): FactorAnswer {
  if (webauthn) {
    const relyingParty = relyingPartyOf(ctx.auth.siteUrl(), headers.host, webauthn)
    return { type: webauthn.type, relyingParty, response: webauthn.credential_response }
  }
  if (typeof code === 'string') return { code }
  throw new AuthRefusal('validation_failed', 'A code or a passkey response is missing')
}

/** An invalid id matches no factor. */
const idOf = ({ params }: FastifyRequest) => uuidOf((params as { id: string }).id) ?? ''
