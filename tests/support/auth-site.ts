/** Signing in without a browser: the real client, the real routes and a real database. */
import { AuthClient } from '@supabase/auth-js'
import { solveChallenge } from 'altcha-lib/v1'
import { LogController } from 'fastify'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { expect } from 'vitest'
import { type AuthSettings, actorOf, type Sources } from '#app/api/auth/actor.server.ts'
import { visitor } from '#app/api/auth/actor.ts'
import { createRefreshTokenExchanges } from '#app/api/auth/refresh-token-exchanges.server.ts'
import { createSpamChecks } from '#app/api/auth/spam-checks.server.ts'
import { createTokens } from '#app/api/auth/tokens.server.ts'
import { bindContract } from '#app/api/bind.server.ts'
import { accountContract } from '#app/identity/accounts/account.contract.ts'
import { ACCOUNT_MAIL_TASK } from '#app/identity/accounts/auth-server/account-mail.server.ts'
import { sendAccountMail } from '#app/identity/accounts/auth-server/account-mail-task.server.ts'
import { registerAuth } from '#app/identity/accounts/auth-server/auth-api.server.ts'
import { accountHandlers } from '#app/identity/accounts/feature.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { countsInMemory } from '#app/platform/http/shared-counts.server.ts'
import type { Mail } from '#app/platform/mail/mail.server.ts'
import { createQueue } from '#app/platform/queue/queue.server.ts'
import { exportContract } from '#app/site/account-pages/account-pages.contract.ts'
import { exportHandlers } from '#app/site/account-pages/feature.server.ts'
import { OWNER_EMAIL } from '../people.ts'
import { bareHttp, openPolicies } from './api.ts'
import { testSecrets } from './database.ts'

export const SITE = 'http://kettle.test'
export const PASSWORD = 'correct horse 9'

/** The network address that a request comes from. */
interface From {
  from?: string
}

export type AuthSite = Awaited<ReturnType<typeof openAuthSite>>

export const newSigningKey = async (alg = 'ES256', kid = 'test'): Promise<JWK> => {
  const { privateKey } = await generateKeyPair(alg, { extractable: true })
  return { ...(await exportJWK(privateKey)), alg, kid }
}

let usualKey: Promise<JWK> | undefined
export const usualSigningKey = () => {
  usualKey ??= newSigningKey()
  return usualKey
}

let people = 0

export async function openAuthSite(
  db: Database,
  {
    keys,
    hasRateLimits = false,
    proofOfWork = 0,
    remembered,
    ...settings
  }: Partial<AuthSettings> &
    Pick<Sources, 'remembered'> & {
      keys?: JWK[]
      hasRateLimits?: boolean
      proofOfWork?: number
    } = {},
) {
  let offsetMs = 0
  const now = () => new Date(Date.now() + offsetMs)
  const tokens = createTokens({
    keys: keys ?? [await usualSigningKey()],
    issuer: `${SITE}/auth/v1`,
    lifetime: 3600,
    now,
  })
  const auth: AuthSettings = {
    tokens,
    exchanges: createRefreshTokenExchanges(testSecrets),
    siteName: 'Kettle',
    siteUrl: () => SITE,
    autoconfirm: true,
    redirectUrls: [],
    ownerEmail: OWNER_EMAIL,
    adminSecondFactor: 'offered',
    ...settings,
  }
  const logged: string[] = []
  const mails: Mail[] = []
  const queue = createQueue(db, { now })
  const base = { db, now, secrets: testSecrets, queue, events: [] }
  queue.handle(ACCOUNT_MAIL_TASK, (payload) =>
    sendAccountMail(
      { ...base, auth },
      { send: async (mail) => void mails.push(mail), hasRoomFor: async () => true },
      payload,
    ),
  )

  const spamChecks = createSpamChecks(proofOfWork)
  const app = bareHttp({
    logger: { level: 'debug', stream: { write: (line) => void logged.push(line) } },
    logController: new LogController({ disableRequestLogging: true }),
  })
  await registerAuth(app, {
    contextOf: () => ({ ...base, auth }),
    hasRateLimits,
    spamChecks,
    markFirst: countsInMemory().markFirst,
    htmlPage: (title, body) => `<title>${title}</title>${body}`,
  })
  const sources = { ...base, ...auth, remembered }
  const handlers = { ...accountHandlers, ...exportHandlers({ siteName: 'Kettle' }) }
  bindContract(app, { ...accountContract, ...exportContract }, handlers, {
    contextOf: async (identity) => ({
      ...base,
      network: identity.network,
      actor: await actorOf(sources, identity),
    }),
    policies: openPolicies(),
  })
  await app.ready()

  /** Stands in for the client's `fetch`, and calls the routes directly. */
  const fetchInside = async (input: unknown, { from, ...init }: RequestInit & From = {}) => {
    const url = new URL(String(input))
    const answer = await app.inject({
      method: (init.method ?? 'GET') as 'GET',
      url: url.pathname + url.search,
      remoteAddress: from,
      headers: Object.fromEntries(new Headers(init.headers).entries()),
      ...(init.body ? { payload: String(init.body) } : {}),
    })
    const bodiless = [204, 303, 304].includes(answer.statusCode)
    return new Response(bodiless ? null : answer.body, {
      status: answer.statusCode,
      headers: Object.entries(answer.headers).map(([name, value]) => [name, String(value)]),
    })
  }

  return {
    fetch: fetchInside,
    tokens,
    mails,
    logged,
    db,
    now,
    /** One per process, because another site on the same database has its own. */
    exchanges: auth.exchanges,
    forward: (ms: number) => {
      offsetMs += ms
    },
    /** Runs due jobs, and returns the emails sent meanwhile. */
    async post() {
      const before = mails.length
      await queue.drain()
      return mails.slice(before)
    },
    /** A new browser. */
    client: (options: { flowType?: 'pkce' | 'implicit'; storage?: Map<string, string> } = {}) => {
      const storage = options.storage ?? new Map<string, string>()
      return new AuthClient({
        url: `${SITE}/auth/v1`,
        fetch: fetchInside as typeof fetch,
        flowType: options.flowType ?? 'pkce',
        autoRefreshToken: false,
        persistSession: true,
        detectSessionInUrl: false,
        storage: {
          getItem: (key) => storage.get(key) ?? null,
          setItem: (key, value) => void storage.set(key, value),
          removeItem: (key) => void storage.delete(key),
        },
      })
    },
    /** The spam check, as solved by a visitor's browser. */
    async proof() {
      const { algorithm, challenge, salt, signature, maxnumber } = await spamChecks.challenge({
        ...base,
        actor: visitor,
        network: '',
      })
      const solved = await solveChallenge(challenge, salt, algorithm, maxnumber).promise
      return btoa(JSON.stringify({ algorithm, challenge, salt, signature, number: solved?.number }))
    },
    /** An address that no one else in these tests has. */
    newAddress: (name = 'dana') => `${name}-${process.pid}-${++people}@people.example`,
    call: (path: string, init: RequestInit & From & { json?: unknown; token?: string } = {}) => {
      const { json, token, ...rest } = init
      return fetchInside(SITE + path, {
        method: json === undefined ? 'GET' : 'POST',
        ...rest,
        headers: {
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          ...(token && { authorization: `Bearer ${token}` }),
          ...rest.headers,
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      })
    },
  }
}

export function linkIn(mail: Mail | undefined): URL {
  const found = /https?:\/\/\S+\/auth\/v1\/verify\?\S+/.exec(mail?.text ?? '')?.[0]
  if (!found) throw new Error(`No link in the mail: ${mail?.subject}`)
  return new URL(found)
}

/** A new member with a browser of her own, signed in. */
export async function newMember(of: AuthSite) {
  const email = of.newAddress()
  const client = of.client()
  const { data, error } = await client.signUp({ email, password: PASSWORD })
  if (error || !data.session) throw error ?? new Error('no session')
  await of.post()
  return { email, client, session: data.session, user: data.session.user }
}

/** Opens a link as its page's button does, in a browser that knows this account. Returns where it leads. */
export async function pressLink(link: URL, of: AuthSite, knownId?: string) {
  const fields = new URLSearchParams(link.searchParams)
  if (knownId) fields.set('known_ids', knownId)
  const answer = await of.call('/auth/v1/verify', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: fields.toString(),
  })
  expect(answer.status).toBe(303)
  return new URL(answer.headers.get('location') ?? '')
}

export const me = (token: string, of: AuthSite) => of.call('/api/v1/me', { token })

/** A new member, and the link that resets her password. */
export async function forgetful(of: AuthSite) {
  const { client, email, session } = await newMember(of)
  await of.client({ flowType: 'implicit' }).resetPasswordForEmail(email, {
    redirectTo: `${SITE}/reset-password`,
  })
  const [mail] = await of.post()
  return { client, email, session, link: linkIn(mail) }
}
