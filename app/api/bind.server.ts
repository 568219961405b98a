/** Turns a contract into routes: validation, policy, handler, and a response of the declared shape. */

import { STATUS_CODES } from 'node:http'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HTTPMethods,
  RouteOptions,
} from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import {
  type AnswerCache,
  type CachedAnswer,
  changedBy,
  hasTag,
  isAnonymous,
} from '#app/platform/http/answer-cache.server.ts'
import { networkOf } from '#app/platform/http/rate-limits.server.ts'
import { onlyAccepts, Refusal } from '#app/platform/http/refusal.ts'
import type { RequestIdentity } from './auth/actor.server.ts'
import type { Ctx } from './auth/context.server.ts'
import { ACCESS } from './auth/permissions.ts'
import type { Contract, Endpoint, HandlerInput, Output, Policy } from './contract.ts'
import { endpointOf, type Policies } from './policy.server.ts'

export type Handlers<C extends Contract> = {
  [Key in keyof C]: (ctx: Ctx, input: HandlerInput<C[Key]>) => Promise<Output<C[Key]>>
}

interface Binding {
  contextOf: (identity: RequestIdentity) => Promise<Ctx>
  policies: Policies
  /** Without it, we make every answer again. */
  answers?: AnswerCache | undefined
  /** Tells every process what a write changed in shared answers. */
  onChange?: (changed: string) => void
}

declare module 'fastify' {
  interface FastifyContextConfig {
    policy?: Policy
    /** Without a policy: anyone may open it. */
    isOpen?: boolean
  }
}

/** The longest note fits, with everything around it. We pad longer answers to a multiple. */
const PADDED_BYTES = 8 * 1024

/** Spaces, because JSON may end in them. */
const padded = (json: string) => {
  const bytes = Buffer.byteLength(json)
  return json + ' '.repeat(PADDED_BYTES * Math.max(1, Math.ceil(bytes / PADDED_BYTES)) - bytes)
}

const METHODS: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Binds each endpoint of `contract` to its handler. Other methods of its paths answer 405. */
export function bindContract<C extends Contract>(
  app: FastifyInstance,
  contract: C,
  handlers: Handlers<C>,
  { contextOf, policies, answers, onChange }: Binding,
) {
  const methodsOf = new Map<string, HTTPMethods[]>()
  for (const [key, endpoint] of Object.entries(contract) as [keyof C & string, Endpoint][]) {
    const [method, path] = key.split(' ') as [HTTPMethods, string]
    const url = path.replace(/\{(\w+)\}/g, ':$1')
    methodsOf.set(url, [
      ...(methodsOf.get(url) ?? []),
      method,
      ...(method === 'GET' ? ['HEAD'] : []),
    ])
    const handler = handlers[key] as (ctx: Ctx, input: unknown) => Promise<unknown>
    const status = endpoint.status ?? 200
    const { reader, answer } = endpointOf(endpoint, handler, policies)
    app.route({
      method,
      url,
      // A disabled endpoint gives every request the same answer.
      schema: policies.isOff(endpoint)
        ? { hide: true }
        : {
            summary: endpoint.summary,
            tags: [path.split('/')[3] ?? 'site'],
            ...reader.schema,
            response: { [status]: endpoint.ok },
          },
      validatorCompiler: reader.validatorCompiler,
      config: { policy: endpoint },
      ...(endpoint.isPadded && {
        onSend: async (_request, reply, answer) => {
          // Compression would reveal the size again.
          reply.header('cache-control', 'no-store, no-transform')
          return typeof answer === 'string' ? padded(answer) : answer
        },
      }),
      handler: async (request, reply) => {
        reply.code(status).header('cache-control', 'no-store')
        const answerFor = (hasLeft: () => boolean) =>
          answer(request, async () => ({ ...(await contextOf(identityOf(request))), hasLeft }))
        const hasLeft = () => reply.raw.destroyed
        const { isShared: kind, changes } = endpoint
        if (kind && answers && isAnonymous(request.headers))
          return sendShared(
            request,
            reply,
            await answers.once(request.url, { route: url, kind, hasLeft }, async (hasLeft) =>
              String(reply.serialize(await answerFor(hasLeft))),
            ),
          )
        if (method === 'GET') return answerFor(hasLeft)
        return tellChange(answerFor(hasLeft), (answer) => {
          const changed = changedBy(changes, () => `${request.url} ${JSON.stringify(answer)}`)
          if (changed !== undefined) onChange?.(changed)
        })
      },
    })
  }
  for (const [url, methods] of methodsOf)
    app.route({
      method: METHODS.filter((method) => !methods.includes(method)),
      url,
      schema: { hide: true },
      handler: async (_request, reply) => {
        reply.header('allow', methods.join(', '))
        throw onlyAccepts(methods.join(', '))
      },
    })
}

/** Without the answer if the browser has it. */
function sendShared({ headers }: FastifyRequest, reply: FastifyReply, cached: CachedAnswer) {
  reply.header('etag', cached.etag).type('application/json; charset=utf-8')
  return hasTag(headers, cached) ? reply.code(304).send() : reply.send(cached.json)
}

/** Tells what a write changed, even if it failed, because it may have been committed. */
async function tellChange(answering: Promise<unknown>, tell: (answer?: unknown) => void) {
  try {
    const answer = await answering
    tell(answer)
    return answer
  } catch (error) {
    if (!(error instanceof Refusal)) tell()
    throw error
  }
}

function identityOf({ headers, ip, method }: FastifyRequest): RequestIdentity {
  const anonymousId = headers['x-anonymous-id']
  return {
    authorization: headers.authorization,
    network: networkOf(ip),
    anonymousId: typeof anonymousId === 'string' ? anonymousId : undefined,
    isReading: method === 'GET' || method === 'HEAD',
  }
}

/** The OpenAPI document and a page to browse it. Register it first: it lists the contracts bound afterwards. */
export async function describeApi(app: FastifyInstance, siteName: () => string) {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `${siteName()} API`,
        version: '1',
        description:
          'The API the site itself uses. Errors look like { error: { code, message } }. Fields and parameters that aren’t listed here are rejected, and the error names them.',
      },
    },
    transform: (described) => {
      const { schema, url } = jsonSchemaTransform(described)
      const { policy } = described.route.config ?? {}
      if (schema.hide) return { schema, url }
      const refusals = policy ? refusalsOf(policy, described.route) : rawRefusalsOf(described.route)
      const response = { ...(schema.response ?? { 200: { description: 'Done' } }), ...refusals }
      if (!policy) return { schema: { ...schema, response }, url }
      return { schema: { ...schema, description: ACCESS[policy.access].who, response }, url }
    },
  })
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    uiConfig: { deepLinking: true },
    uiHooks: {
      // Swagger UI's code doesn't use trusted types.
      onRequest(_request, { raw }, next) {
        const policy = String(raw.getHeader('content-security-policy'))
        raw.setHeader(
          'content-security-policy',
          policy.replace(/;?(require-)?trusted-types[^;]*/g, ''),
        )
        next()
      },
    },
  })
  app.get('/api/openapi.json', { schema: { hide: true } }, async () => {
    const described = app.swagger()
    return { ...described, info: { ...described.info, title: `${siteName()} API` } }
  })
}

const REFUSAL = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string' },
        message: { type: 'string', description: 'An explanation to show people' },
      },
    },
  },
} as const

/** The auth server's, as its clients expect it. */
const AUTH_REFUSAL = {
  type: 'object',
  properties: {
    code: { type: 'number' },
    error_code: { type: 'string' },
    msg: { type: 'string', description: 'An explanation to show people' },
  },
} as const

/** Of routes without a contract, whose handlers check. */
function rawRefusalsOf({ method, url, config }: Pick<RouteOptions, 'method' | 'url' | 'config'>) {
  const statuses = [
    ...[400, 401, 404, 410, 429, 503],
    ...(config?.isOpen ? [] : [403]),
    ...(method === 'GET' ? [] : [409, 413, 422]),
  ]
  const refusal = url.startsWith('/auth/v1/') ? AUTH_REFUSAL : REFUSAL
  return Object.fromEntries(
    statuses.map((status) => [status, { description: STATUS_CODES[status], ...refusal }]),
  )
}

function refusalsOf(
  { access, requiresRecentLogin, flag, limit, spamCheck }: Policy,
  { method, url }: Pick<RouteOptions, 'method' | 'url'>,
) {
  const isWrite = method !== 'GET'
  const namesRow = isWrite || url.includes('/:')
  const reasons = {
    400: 'Something sent isn’t valid. The error names it',
    401:
      access === 'author' || access === 'ownData' || access === 'ownDataOrAdmin'
        ? 'Not logged in, and no anonymous ID'
        : access === 'anyone'
          ? 'The token isn’t valid, or its session has ended'
          : 'Not logged in',
    403:
      access !== 'anyone' && (access !== 'signedIn' || isWrite)
        ? 'Not allowed for this account'
        : (requiresRecentLogin && 'The person has to confirm their identity first') ||
          (spamCheck && 'The spam check is missing or invalid'),
    404: flag
      ? 'This feature is turned off, or there’s nothing here'
      : namesRow && 'There’s nothing here',
    409: isWrite && 'It conflicts with what’s there now. The message says how',
    410: namesRow && 'It’s gone. The message says why',
    429: limit && 'Too many requests. Wait for the number of seconds in Retry-After',
    503: 'The site is temporarily unavailable. Try again later',
  }
  return Object.fromEntries(
    Object.entries(reasons).flatMap(([status, description]) =>
      description ? [[status, { description, ...REFUSAL }]] : [],
    ),
  )
}
