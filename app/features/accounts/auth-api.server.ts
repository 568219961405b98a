/**
 * Signing in over HTTP: /auth/v1, as the `@supabase/auth-js` client and its open-source service
 * define it. Each route reads: limit → who → what was sent → command → answer.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { claimsOf, signedInActor } from '../../auth/actor.server.ts'
import { addressHash } from '../../auth/addresses.server.ts'
import { EMAIL_MAX } from './account.ts'
import {
  changeManagedUser,
  createUser,
  deleteUser,
  listUsers,
  type Manager,
  showUser,
} from './account-admin-commands.server.ts'
import { CHALLENGE_METHODS, enqueueMail, LINK_KINDS } from './account-mail.server.ts'
import { accountById } from './account-queries.server.ts'
import type { AuthCtx } from './auth-context.server.ts'
import { createAuthLimits } from './auth-limits.server.ts'
import { AuthRefusal, refusalBody } from './auth-refusal.server.ts'
import { userView } from './auth-user.server.ts'
import { codeOfLink, exchangeCode, openLink, sessionOfLink } from './link-commands.server.ts'
import { linkPage } from './link-page.server.ts'
import { redirectTarget, withParameters } from './redirect-target.server.ts'
import { endSessions, refreshSession, type SessionAnswer } from './session-commands.server.ts'
import { signIn, signUp } from './sign-in-commands.server.ts'
import { changeUser } from './user-commands.server.ts'

const VERSION_HEADER = 'x-supabase-api-version'
const NEW_SHAPE = '2024-01-01'
const JWKS_MAX_AGE_S = 600
const METADATA_MAX = 4_096

const Email = z
  .string('Unable to validate email address: invalid format')
  .trim()
  .max(EMAIL_MAX, 'Unable to validate email address: invalid format')
  .pipe(z.email('Unable to validate email address: invalid format'))
/** Its quality is a matter of the command; this is only about what can be a password at all. */
const Password = z.string('Password must be a text').max(1_000, 'Password is too long')
const Metadata = z
  .record(z.string(), z.unknown())
  .refine((data) => JSON.stringify(data).length <= METADATA_MAX, 'The data is too large')
  .refine((data) => !JSON.stringify(data).includes('\\u0000'), 'The data holds a NUL character')
const ChallengePart = {
  code_challenge: z
    .string()
    .regex(/^[\w.~-]{43,128}$/, 'code challenge has to be between 43 and 128 characters')
    .nullish(),
  code_challenge_method: z
    .string()
    .toLowerCase()
    .pipe(z.enum(CHALLENGE_METHODS, 'code_challenge_method must be s256 or plain'))
    .nullish(),
}

const Bodies = {
  signUp: z.object({
    email: Email,
    password: Password.min(1, 'Signup requires a valid password'),
    data: Metadata.nullish(),
    ...ChallengePart,
  }),
  password: z.object({ email: z.string().max(1_000), password: Password }),
  refresh: z.object({ refresh_token: z.string().min(1).max(1_000) }),
  pkce: z.object({
    auth_code: z.string().min(1).max(1_000),
    code_verifier: z.string().min(1).max(1_000),
  }),
  recover: z.object({ email: Email, ...ChallengePart }),
  resend: z.object({
    type: z.enum(['signup', 'email_change'], 'type must be signup or email_change'),
    email: Email,
    ...ChallengePart,
  }),
  verify: z.object({
    type: z.enum(LINK_KINDS, `type must be one of ${LINK_KINDS.join(', ')}`),
    token: z.string().max(1_000).optional(),
    token_hash: z.string().max(1_000).optional(),
    redirect_to: z.string().max(2_000).optional(),
  }),
  user: z.object({
    email: Email.nullish(),
    password: Password.nullish(),
    data: Metadata.nullish(),
    ...ChallengePart,
  }),
  managed: z.object({
    email: Email.nullish(),
    password: Password.nullish(),
    user_metadata: Metadata.nullish(),
    email_confirm: z.boolean().nullish(),
    ban_duration: z.string().max(40).nullish(),
  }),
  page: z.object({
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    per_page: z.coerce.number().int().min(1).max(100).default(50),
  }),
}

export interface AuthApi {
  /** A fresh one for each request. */
  contextOf: () => AuthCtx
  hasRateLimits: boolean
  /** Puts a page of this room into the site's frame. */
  htmlPage: (title: string, body: string) => string
}

/** Mounts /auth/v1. */
export async function answerAuth(app: FastifyInstance, settings: AuthApi) {
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
      auth.setErrorHandler((error: Error & { status?: number }, request, reply) => {
        if (error.name !== 'AuthRefusal') throw error
        const refusal = error as AuthRefusal
        if (refusal.details.retryAfter) reply.header('retry-after', refusal.details.retryAfter)
        return reply.code(refusal.status).send(refusalBody(refusal, isNewShape(request)))
      })
      mountRoutes(auth)
    },
    { prefix: '/auth/v1' },
  )

  function mountRoutes(auth: FastifyInstance) {
    const described = (summary: string) => ({ schema: { summary, tags: ['auth'] } })

    auth.get('/health', described('That this answers'), async () => ({
      name: contextOf().auth.siteName,
      description: 'Signs people in, as the auth-js client expects it',
      version: '1',
    }))

    auth.get('/settings', described('Ways to sign in'), async () => ({
      external: { email: true, phone: false, anonymous_users: false },
      disable_signup: false,
      mailer_autoconfirm: contextOf().auth.autoconfirm,
      phone_autoconfirm: false,
      sms_provider: '',
      saml_enabled: false,
    }))

    auth.get('/.well-known/jwks.json', described('Keys that verify tokens'), async (_, reply) => {
      reply.header('cache-control', `public, max-age=${JWKS_MAX_AGE_S}`)
      return contextOf().auth.tokens.jwks
    })

    auth.post('/signup', described('Sign up with e-mail and password'), async (request) => {
      await limits.perNetwork('signup', request.ip)
      const ctx = contextOf()
      const body = parsed(Bodies.signUp, request.body)
      const wait = await limits.mailTo(addressHash(ctx.secrets, body.email))
      // Where signing up answers with a session, the mail is a side matter and its limit too.
      if (wait && !ctx.auth.autoconfirm) throw mailTooSoon(wait)
      return signUp(ctx, {
        email: body.email,
        password: body.password,
        userMetadata: body.data ?? {},
        link: linkOf(ctx, request, body),
      })
    })

    auth.post('/token', described('Sign in, refresh, or exchange a code'), async (request) => {
      await limits.perNetwork('token', request.ip)
      const ctx = contextOf()
      const { grant_type } = request.query as { grant_type?: string }
      if (grant_type === 'password') return passwordGrant(ctx, request.body)
      if (grant_type === 'refresh_token')
        return refreshSession(ctx, parsed(Bodies.refresh, request.body).refresh_token)
      if (grant_type === 'pkce') {
        const { auth_code, code_verifier } = parsed(Bodies.pkce, request.body)
        return exchangeCode(ctx, auth_code, code_verifier)
      }
      throw new AuthRefusal('unsupported_grant_type')
    })

    async function passwordGrant(ctx: AuthCtx, body: unknown) {
      const { email, password } = parsed(Bodies.password, body)
      const account = addressHash(ctx.secrets, email)
      await limits.failedSignIns.demand(account)
      try {
        return await signIn(ctx, email, password)
      } catch (error) {
        if ((error as AuthRefusal).code === 'invalid_credentials')
          await limits.failedSignIns.count(account)
        throw error
      }
    }

    auth.post('/recover', described('Ask for a link to reset the password'), async (request) => {
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

    auth.post('/resend', described('Ask for a confirmation mail again'), async (request) => {
      await limits.perNetwork('resend', request.ip)
      const ctx = contextOf()
      const body = parsed(Bodies.resend, request.body)
      const wait = await limits.mailTo(addressHash(ctx.secrets, body.email))
      if (wait) throw mailTooSoon(wait)
      const link = linkOf(ctx, request, body)
      if (body.type === 'signup')
        await enqueueMail(ctx, { purpose: 'signup', email: body.email, ...link })
      else {
        // Only who waits for a new address can ask for its mail again.
        const { account } = await demandPerson(ctx, request)
        await enqueueMail(ctx, {
          purpose: 'email_change',
          email: body.email,
          accountId: account.id,
          ...link,
        })
      }
      return {}
    })

    // A mail scanner opens every link: it gets a page with a button, and nothing has happened.
    auth.get('/verify', described('The page behind a link in a mail'), async (request, reply) => {
      await limits.perNetwork('verify', request.ip)
      const ctx = contextOf()
      const link = parsed(Bodies.verify, request.query)
      reply.type('text/html; charset=utf-8')
      const { title, body } = linkPage(
        { ...link, redirect_to: redirectTarget(ctx.auth, link.redirect_to) },
        ctx.auth.siteName,
      )
      return settings.htmlPage(title, body)
    })

    auth.post('/verify', described('Open a link: once'), async (request, reply) => {
      await limits.perNetwork('verify', request.ip)
      const ctx = contextOf()
      const link = parsed(Bodies.verify, request.body)
      const token = link.token_hash ?? link.token ?? ''
      if (!isForm(request)) {
        const used = await openLink(ctx, token, link.type)
        return sessionOfLink(ctx, used)
      }
      if (isFromElsewhere(request))
        throw new AuthRefusal('validation_failed', 'This form can be sent from its own page only')
      const target = redirectTarget(ctx.auth, link.redirect_to)
      return reply.redirect(await followLink(ctx, token, link.type, target), 303)
    })

    auth.get('/user', described('The signed-in user'), async (request) => {
      const ctx = contextOf()
      const { account } = await demandPerson(ctx, request)
      const row = await accountById(ctx, account.id)
      if (!row) throw new AuthRefusal('user_not_found')
      return userView(ctx.secrets, row)
    })

    auth.put('/user', described('Change e-mail, password or own data'), async (request) => {
      await limits.perNetwork('user', request.ip)
      const ctx = contextOf()
      const { account } = await demandPerson(ctx, request)
      const body = parsed(Bodies.user, request.body)
      const email = body.email ?? undefined
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

    auth.post(
      '/logout',
      described('End this session, the others, or all'),
      async (request, reply) => {
        const ctx = contextOf()
        const { account } = await demandPerson(ctx, request)
        const { scope = 'global' } = request.query as { scope?: string }
        if (scope !== 'local' && scope !== 'others' && scope !== 'global')
          throw new AuthRefusal('validation_failed', 'scope must be local, others or global')
        await endSessions(ctx, { accountId: account.id, sessionId: account.sessionId, scope })
        return reply.code(204).send()
      },
    )

    auth.get('/admin/users', described('Accounts, a page of them'), async (request, reply) => {
      const ctx = contextOf()
      const manager = await managerOf(ctx, request)
      const { page, per_page } = parsed(Bodies.page, request.query)
      const { users, total } = await listUsers(ctx, manager, { page, perPage: per_page })
      reply.header('x-total-count', total)
      const last = Math.max(1, Math.ceil(total / per_page))
      const link = (number: number, rel: string) =>
        `</auth/v1/admin/users?page=${number}&per_page=${per_page}>; rel="${rel}"`
      reply.header(
        'link',
        [...(page < last ? [link(page + 1, 'next')] : []), link(last, 'last')].join(', '),
      )
      return { users, aud: 'authenticated' }
    })

    auth.post('/admin/users', described('Make an account'), async (request) => {
      const ctx = contextOf()
      const manager = await managerOf(ctx, request)
      const { email, ...user } = managedUser(request.body)
      if (email === undefined)
        throw new AuthRefusal('validation_failed', 'Cannot create a user without an email')
      return createUser(ctx, manager, { email, ...user })
    })

    auth.get('/admin/users/:id', described('One account'), async (request) => {
      const ctx = contextOf()
      return showUser(ctx, await managerOf(ctx, request), idOf(request))
    })

    auth.put('/admin/users/:id', described('Change an account'), async (request) => {
      const ctx = contextOf()
      const manager = await managerOf(ctx, request)
      return changeManagedUser(ctx, manager, idOf(request), managedUser(request.body))
    })

    auth.delete('/admin/users/:id', described('Delete an account'), async (request) => {
      const ctx = contextOf()
      await deleteUser(ctx, await managerOf(ctx, request), idOf(request))
      return {}
    })
  }
}

const isNewShape = (request: FastifyRequest) =>
  String(request.headers[VERSION_HEADER] ?? '') >= NEW_SHAPE

const isForm = (request: FastifyRequest) =>
  request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false

/** Another site that sends somebody's browser here with its own link would sign them in as itself. */
const isFromElsewhere = (request: FastifyRequest) =>
  !['same-origin', undefined].includes(request.headers['sec-fetch-site'] as string | undefined)

/** @throws AuthRefusal validation_failed with the first thing that is wrong */
function parsed<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const result = schema.safeParse(given ?? {})
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const field = issue?.path.join('.')
  const message = issue?.message ?? 'The request is not valid'
  throw new AuthRefusal(
    'validation_failed',
    field && /^Invalid input/.test(message) ? `"${field}" is missing or not valid` : message,
  )
}

const mailTooSoon = (seconds: number) =>
  new AuthRefusal(
    'over_email_send_rate_limit',
    `For security purposes, you can only request this after ${seconds} seconds.`,
    { retryAfter: seconds },
  )

interface ChallengeBody {
  code_challenge?: string | null
  code_challenge_method?: 's256' | 'plain' | null
}

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

/**
 * Opens the link and says where to go: with a code for the browser that asked (PKCE), else with the
 * session in the fragment, which no server ever sees; with an error in both places if it is no good.
 */
async function followLink(
  ctx: AuthCtx,
  token: string,
  kind: (typeof LINK_KINDS)[number],
  target: string,
) {
  try {
    const used = await openLink(ctx, token, kind)
    if (used.codeChallenge)
      return withParameters(target, { query: { code: await codeOfLink(ctx, used) } })
    const session = await sessionOfLink(ctx, used)
    return withParameters(target, { fragment: fragmentOf(session, kind) })
  } catch (error) {
    if ((error as Error).name !== 'AuthRefusal') throw error
    const { code, message } = error as AuthRefusal
    const parameters = { error: 'access_denied', error_code: code, error_description: message }
    return withParameters(target, { query: parameters, fragment: parameters })
  }
}

const fragmentOf = (session: SessionAnswer, type: string) => ({
  access_token: session.access_token,
  expires_at: String(session.expires_at),
  expires_in: String(session.expires_in),
  refresh_token: session.refresh_token,
  token_type: session.token_type,
  type,
})

/** Whoever is signed in. @throws AuthRefusal no_authorization, bad_jwt, session_not_found */
async function demandPerson(ctx: AuthCtx, request: FastifyRequest) {
  const { authorization } = request.headers
  if (!authorization) throw new AuthRefusal('no_authorization')
  const { tokens, ownerEmail } = ctx.auth
  const claims = claimsOf(tokens, authorization)
  if (!claims) throw new AuthRefusal('bad_jwt')
  const actor = await signedInActor({ ...ctx, tokens, ownerEmail }, claims)
  if (!actor?.account) throw new AuthRefusal('session_not_found')
  return { actor, account: actor.account }
}

async function managerOf(ctx: AuthCtx, request: FastifyRequest): Promise<Manager> {
  const claims = claimsOf(ctx.auth.tokens, request.headers.authorization)
  if (claims?.role === 'service_role') return 'service'
  return (await demandPerson(ctx, request)).actor
}

function managedUser(given: unknown) {
  const body = parsed(Bodies.managed, given)
  const ban = body.ban_duration ?? undefined
  return {
    email: body.email ?? undefined,
    password: body.password ?? undefined,
    userMetadata: body.user_metadata ?? undefined,
    isEmailConfirmed: body.email_confirm ?? undefined,
    isSuspended: ban === undefined ? undefined : ban !== 'none',
  }
}

function idOf(request: FastifyRequest) {
  const { id } = request.params as { id: string }
  if (!z.uuid().safeParse(id).success)
    throw new AuthRefusal('validation_failed', 'user_id must be an UUID')
  return id
}
