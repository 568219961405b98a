/** Signing in over HTTP: /auth/v1, as the `@supabase/auth-js` client and its open-source service define it. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { claimsOf } from '#app/api/auth/actor.server.ts'
import { type SignedIn, visitor } from '#app/api/auth/actor.ts'
import { addressHash, addressOf } from '#app/api/auth/addresses.server.ts'
import type { SpamChecks } from '#app/api/auth/spam-checks.server.ts'
import { MAIL_CODE } from '#app/kit/writing/mail-code.ts'
import { isRefusal } from '#app/platform/http/refusal.ts'
import type { SharedCounts } from '#app/platform/http/shared-counts.server.ts'
import { accountById } from '../account-queries.server.ts'
import { factorsOf } from '../second-factors/factor-rows.server.ts'
import { mountFactorRoutes } from '../second-factors/factors-api.server.ts'
import { enqueueMail, type LinkKind } from './account-mail.server.ts'
import { mountAdminRoutes } from './auth-admin-api.server.ts'
import { Bodies, type ChallengeBody, parsed } from './auth-bodies.server.ts'
import {
  type AuthCtx,
  requireFirstStep,
  requirePerson,
  requireReauthentication,
} from './auth-context.server.ts'
import { createAuthLimits } from './auth-limits.server.ts'
import { AuthRefusal, authRefusalOf, isAuthRefusal, refusalBody } from './auth-refusal.server.ts'
import { userView } from './auth-user.server.ts'
import {
  codeOfLink,
  exchangeCode,
  openByCode,
  openLink,
  sessionOfLink,
} from './link-commands.server.ts'
import { linkPage, redirectTarget, siteOf, withParameters } from './link-page.server.ts'
import {
  endSessions,
  refreshSession,
  renewSession,
  type SessionResponse,
} from './session-commands.server.ts'
import {
  changeUser,
  requireGoodPassword,
  requireOwnPassword,
  signIn,
  signUp,
} from './user-commands.server.ts'

const VERSION_HEADER = 'x-supabase-api-version'
const NEW_SHAPE = '2024-01-01'
const JWKS_MAX_AGE_S = 600
/** What any change may also include. */
interface SentCredentials {
  current_password?: unknown
  nonce?: unknown
}

interface AuthApi {
  contextOf: () => AuthCtx
  hasRateLimits: boolean
  /** Spam checks, for accounts whose passwords are being guessed. */
  spamChecks: Pick<SpamChecks, 'require'>
  markFirst: SharedCounts['markFirst']
  htmlPage: (title: string, body: string) => string
}

export async function registerAuth(app: FastifyInstance, settings: AuthApi) {
  const { contextOf } = settings
  const limits = createAuthLimits(settings.hasRateLimits)

  await app.register(
    async (auth) => {
      auth.removeAllContentTypeParsers()
      auth.addContentTypeParser(
        ['application/json', 'text/plain'],
        { parseAs: 'string' },
        (_request, body, done) => {
          try {
            done(null, body === '' ? {} : JSON.parse(body as string))
          } catch {
            done(new AuthRefusal('bad_json'))
          }
        },
      )
      auth.addContentTypeParser(
        'application/x-www-form-urlencoded',
        { parseAs: 'string' },
        (_request, body, done) =>
          done(null, Object.fromEntries(new URLSearchParams(body as string))),
      )
      auth.addHook('onRequest', async (request, reply) => {
        reply.header('cache-control', 'no-store')
        if (isNewShape(request)) reply.header(VERSION_HEADER, NEW_SHAPE)
      })
      const refuse = (refusal: AuthRefusal, request: FastifyRequest, reply: FastifyReply) => {
        if (refusal.details.retryAfter) reply.header('retry-after', refusal.details.retryAfter)
        return reply.code(refusal.status).send(refusalBody(refusal, isNewShape(request)))
      }
      auth.setErrorHandler((error, request, reply) => {
        const refusal = authRefusalOf(error)
        if (!refusal) throw error
        return refuse(refusal, request, reply)
      })
      auth.setNotFoundHandler((request, reply) =>
        refuse(new AuthRefusal('not_found'), request, reply),
      )
      mountRoutes(auth)
      mountFactorRoutes(auth, { ...settings, limits })
      mountAdminRoutes(auth, contextOf)
    },
    { prefix: '/auth/v1' },
  )

  function mountRoutes(auth: FastifyInstance) {
    /** Requests that carried their account's correct password. */
    const withPassword = new WeakSet<FastifyRequest>()
    auth.addHook('preHandler', checkSentCredentials)
    const described = (summary: string) => ({ schema: { summary, tags: ['auth'] } })

    auth.get('/health', described('Health check'), async () => ({
      name: contextOf().auth.siteName,
      description: 'Signs people in, compatible with auth-js',
      version: '1',
    }))

    auth.get('/settings', described('Ways to sign in'), async () => ({
      external: { email: true, phone: false, anonymous_users: false },
      disable_signup: contextOf().auth.signUp?.mode === 'closed',
      mailer_autoconfirm: contextOf().auth.autoconfirm,
      phone_autoconfirm: false,
      sms_provider: '',
      saml_enabled: false,
    }))

    auth.get('/.well-known/jwks.json', described('Keys that verify tokens'), async (_, reply) => {
      reply.header('cache-control', `public, max-age=${JWKS_MAX_AGE_S}`)
      return contextOf().auth.tokens.jwks
    })

    auth.post('/signup', described('Sign up with email and password'), async (request) => {
      await limits.perNetwork('signup', request.ip)
      const ctx = contextOf()
      const body = parsed(Bodies.signUp, request.body)
      // Clients can send more only there. It isn't stored.
      const { invitation, ...userMetadata } = body.data ?? {}
      // Checked before the email limit, because people try again right away with another password.
      await requireGoodPassword(ctx, body.password, { email: body.email, userMetadata })
      const wait = await limits.mailTo(addressHash(ctx.secrets, body.email))
      // With autoconfirm, the answer is a session, so it succeeds even if the email can't go out.
      if (wait && !ctx.auth.autoconfirm) throw mailTooSoon(wait)
      return signUp(ctx, {
        email: body.email,
        password: body.password,
        userMetadata,
        link: linkOf(ctx, request, body),
        invitation: typeof invitation === 'string' ? invitation : undefined,
      })
    })

    auth.post('/token', described('Sign in, refresh, or exchange a code'), async (request) => {
      await limits.perNetwork('token', request.ip)
      const ctx = contextOf()
      const { grant_type } = request.query as { grant_type?: string }
      if (grant_type === 'password') return passwordGrant(ctx, request)
      if (grant_type === 'refresh_token')
        return refreshSession(ctx, parsed(Bodies.refresh, request.body).refresh_token)
      if (grant_type === 'pkce') {
        const { auth_code, code_verifier } = parsed(Bodies.pkce, request.body)
        return exchangeCode(ctx, auth_code, code_verifier)
      }
      throw new AuthRefusal('unsupported_grant_type')
    })

    async function passwordGrant(ctx: AuthCtx, { body, ip }: FastifyRequest) {
      const { email, password, gotrue_meta_security: security } = parsed(Bodies.password, body)
      const account = addressHash(ctx.secrets, email)
      const checkSpam = () => requireSpamCheck(ctx, security?.captcha_token ?? undefined)
      return limits.signingIn({ account, address: ip, checkSpam }, () =>
        signIn(ctx, email, password),
      )
    }

    /** Requires a spam check for calls before sign-in. @throws AuthRefusal captcha_failed */
    async function requireSpamCheck(ctx: AuthCtx, solution: string | undefined) {
      try {
        await settings.spamChecks.require({ ...ctx, actor: visitor, network: '' }, solution)
      } catch (error) {
        if (!isRefusal(error)) throw error
        throw new AuthRefusal('captcha_failed')
      }
    }

    auth.post('/recover', described('Request a password reset link'), async (request) => {
      await limits.perNetwork('recover', request.ip)
      const ctx = contextOf()
      const body = parsed(Bodies.recover, request.body)
      const wait = await limits.mailTo(addressHash(ctx.secrets, body.email))
      if (wait) throw mailTooSoon(wait)
      await enqueueMail(ctx, {
        purpose: 'recovery',
        email: body.email,
        ...linkOf(ctx, request, body),
      })
      return {}
    })

    auth.post('/resend', described('Request another confirmation email'), async (request) => {
      await limits.perNetwork('resend', request.ip)
      const ctx = contextOf()
      const body = parsed(Bodies.resend, request.body)
      const wait = await limits.mailTo(addressHash(ctx.secrets, body.email))
      if (wait) throw mailTooSoon(wait)
      const link = linkOf(ctx, request, body)
      if (body.type === 'signup')
        await enqueueMail(ctx, { purpose: 'signup', email: body.email, ...link })
      else {
        // We only send the email again for an account that's waiting for a new address.
        const { account } = await requirePerson(ctx, request)
        await enqueueMail(ctx, {
          purpose: 'email_change',
          email: body.email,
          accountId: account.id,
          ...link,
        })
      }
      return {}
    })

    // Mail scanners open every link, so a GET only shows a page with a button.
    auth.get(
      '/verify',
      described('The page that an emailed link opens'),
      async (request, reply) => {
        await limits.perNetwork('verify', request.ip)
        const ctx = contextOf()
        const link = parsed(Bodies.verify, request.query)
        reply.type('text/html; charset=utf-8')
        const { title, body } = linkPage(
          { ...link, redirect_to: redirectTarget(ctx.auth, link.redirect_to) },
          ctx.auth,
        )
        return settings.htmlPage(title, body)
      },
    )

    auth.post(
      '/verify',
      described('Use an emailed link, which works once'),
      async (request, reply) => {
        await limits.perNetwork('verify', request.ip)
        const ctx = contextOf()
        const link = parsed(Bodies.verify, request.body)
        const token = link.token_hash ?? link.token ?? ''
        if (!isForm(request)) {
          const used = link.email
            ? await spendCode(ctx, request, { ...link, email: link.email, token })
            : await openLink(ctx, token, link.type, link.known_ids)
          return sessionOfLink(ctx, used)
        }
        if (isFromElsewhere(request))
          throw new AuthRefusal('validation_failed', 'This form can only be sent from its own page')
        const target = redirectTarget(ctx.auth, link.redirect_to)
        return reply.redirect(await followLink(ctx, token, link, target), 303)
      },
    )

    function spendCode(
      ctx: AuthCtx,
      { ip: address }: FastifyRequest,
      { email, token, type, known_ids }: { email: string; token: string } & VerifiedLink,
    ) {
      if (type !== 'signup') throw new AuthRefusal('otp_expired')
      return limits.tryingCode(
        'signup',
        { account: addressHash(ctx.secrets, email), address },
        () => openByCode(ctx, email, MAIL_CODE.tidy(token), known_ids),
      )
    }

    auth.get('/user', described('The signed-in user'), async (request) => {
      const ctx = contextOf()
      const { account } = await requireFirstStep(ctx, request)
      const row = await accountById(ctx, account.id)
      if (!row) throw new AuthRefusal('user_not_found')
      return userView(ctx.secrets, row, await factorsOf(ctx, row.id))
    })

    auth.put('/user', described('Change email, password or user data'), async (request) => {
      await limits.perNetwork('user', request.ip)
      const ctx = contextOf()
      const { account } = await requirePerson(ctx, request)
      const body = parsed(Bodies.user, request.body)
      if (body.app_metadata !== undefined)
        throw new AuthRefusal('not_admin', 'Updating app_metadata requires admin privileges')
      const email = body.email ?? undefined
      requireRecentLoginOrPassword(ctx, request, account, body)
      if (email !== undefined) {
        const wait = await limits.mailTo(addressHash(ctx.secrets, email))
        if (wait) throw mailTooSoon(wait)
      }
      const change = {
        email,
        password: body.password ?? undefined,
        userMetadata: body.data ?? undefined,
      }
      return changeUser(ctx, account, change, linkOf(ctx, request, body))
    })

    auth.post('/reauthenticate', described('Confirm your identity again'), async (request) => {
      await limits.perNetwork('token', request.ip)
      const ctx = contextOf()
      const person = await requirePerson(ctx, request)
      const { password } = parsed(Bodies.reauthenticate, request.body)
      await requirePassword(ctx, request, person.account, password)
      return renewSession(ctx, person, 'password')
    })

    /** Changing the address or password needs a recent login, or the password along with the change. */
    function requireRecentLoginOrPassword(
      ctx: AuthCtx,
      request: FastifyRequest,
      account: SignedIn,
      change: { email?: string | null; password?: string | null },
    ) {
      const changesAddress = typeof change.email === 'string'
      if (!changesAddress && typeof change.password !== 'string') return
      // People who forgot their password proved who they are with the link. Spec §2.15.
      if (account.isRecovering && !changesAddress) return
      if (!withPassword.has(request)) requireReauthentication(ctx, account)
    }

    /**
     * Refuses a wrong password or nonce, no matter what else is requested or how fresh another proof is.
     * @throws AuthRefusal invalid_credentials, reauthentication_not_valid, over_request_rate_limit
     */
    async function checkSentCredentials(request: FastifyRequest) {
      const { current_password: password, nonce } = (request.body ?? {}) as SentCredentials
      if (password == null && !nonce) return
      const ctx = contextOf()
      const claims = claimsOf(ctx.auth.tokens, request.headers.authorization)
      // Programs and visitors don't have a password that could be wrong.
      if (!claims || claims.role === 'service_role') return
      await limits.perNetwork('token', request.ip)
      const { account } = await requirePerson(ctx, request)
      // We don't email nonces, so none can be right.
      if (nonce) throw new AuthRefusal('reauthentication_not_valid')
      const sent = parsed(Bodies.reauthenticate, { password })
      await requirePassword(ctx, request, account, sent.password)
      withPassword.add(request)
    }

    function requirePassword(
      ctx: AuthCtx,
      { ip: address }: FastifyRequest,
      signedIn: SignedIn,
      password: string,
    ) {
      const account = addressHash(ctx.secrets, addressOf(ctx.secrets, signedIn))
      // Already signed in, so failures elsewhere don't slow this down.
      return limits.signingIn({ account, address, checkSpam: async () => {} }, () =>
        requireOwnPassword(ctx, signedIn.id, password),
      )
    }

    auth.post(
      '/logout',
      described('End this session, the others, or all of them'),
      async (request, reply) => {
        await limits.perNetwork('logout', request.ip)
        const ctx = contextOf()
        const { actor, account } = await requireFirstStep(ctx, request)
        const { scope = 'global' } = request.query as { scope?: string }
        if (scope !== 'local' && scope !== 'others' && scope !== 'global')
          throw new AuthRefusal('validation_failed', 'scope must be local, others or global')
        if (scope !== 'local' && actor.secondFactor === 'awaited')
          throw new AuthRefusal('insufficient_aal')
        if (scope !== 'local') requireReauthentication(ctx, account)
        await endSessions(ctx, account, scope)
        return reply.code(204).send()
      },
    )
  }
}

const isNewShape = (request: FastifyRequest) =>
  String(request.headers[VERSION_HEADER] ?? '') >= NEW_SHAPE

const isForm = (request: FastifyRequest) =>
  request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false

/** Login CSRF: another site could submit its own link here and sign this browser in to its account. */
const isFromElsewhere = (request: FastifyRequest) =>
  !['same-origin', undefined].includes(request.headers['sec-fetch-site'] as string | undefined)

const mailTooSoon = (seconds: number) =>
  new AuthRefusal(
    'over_email_send_rate_limit',
    `For security purposes, you can only request this after ${seconds} seconds.`,
    { retryAfter: seconds },
  )

const linkOf = (ctx: AuthCtx, request: FastifyRequest, body: ChallengeBody) => {
  const wanted = (request.query as { redirect_to?: unknown }).redirect_to
  return {
    redirectTo: redirectTarget(ctx.auth, typeof wanted === 'string' ? wanted : undefined),
    ...(body.code_challenge && {
      codeChallenge: body.code_challenge,
      codeChallengeMethod: body.code_challenge_method ?? ('plain' as const),
    }),
  }
}

interface VerifiedLink {
  type: LinkKind
  known_ids?: string
}

/**
 * Uses up the link, and returns where to go: to the new password; to the target with a code for the browser
 * that asked (PKCE) or else with the session in the fragment, which no server sees; or to the target with an
 * error in both query and fragment.
 */
async function followLink(
  ctx: AuthCtx,
  token: string,
  { type, known_ids }: VerifiedLink,
  target: string,
) {
  try {
    const used = await openLink(ctx, token, type, known_ids)
    if (used.codeChallenge && !used.needsPassword)
      return withParameters(target, { query: { code: await codeOfLink(ctx, used) } })
    const session = await sessionOfLink(ctx, used)
    // Never go to the target, which may be another site.
    return used.needsPassword
      ? withParameters(`${siteOf(ctx.auth, target)}/reset-password`, {
          fragment: fragmentOf(session, 'recovery'),
        })
      : withParameters(target, { fragment: fragmentOf(session, type) })
  } catch (error) {
    if (!isAuthRefusal(error)) throw error
    const { code, message } = error
    const parameters = { error: 'access_denied', error_code: code, error_description: message }
    return withParameters(target, { query: parameters, fragment: parameters })
  }
}

const fragmentOf = (session: SessionResponse, type: string) => ({
  access_token: session.access_token,
  expires_at: String(session.expires_at),
  expires_in: String(session.expires_in),
  refresh_token: session.refresh_token,
  token_type: session.token_type,
  type,
})
