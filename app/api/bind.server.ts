/** Turns a contract into routes: limits, validation, the call, and an answer of the declared shape. */
import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify'
import type { Credentials } from '../auth/actor.server.ts'
import type { Ctx } from '../auth/context.server.ts'
import { networkOf } from '../server/rate-limits.server.ts'
import { Refusal } from '../server/refusal.ts'
import type { Answer, Asked, Contract, Endpoint } from './contract.ts'

export type Handlers<C extends Contract> = {
  [Key in keyof C]: (ctx: Ctx, asked: Asked<C[Key]>) => Promise<Answer<C[Key]>>
}

const METHODS: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Binds each endpoint of `contract` to its handler. A method that a path does not have is a 405. */
export function bindContract<C extends Contract>(
  app: FastifyInstance,
  contract: C,
  contextOf: (credentials: Credentials) => Promise<Ctx>,
  handlers: Handlers<C>,
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
    const handler = handlers[key] as (ctx: Ctx, asked: unknown) => Promise<unknown>
    const status = endpoint.status ?? 200
    app.route({
      method,
      url,
      schema: {
        summary: endpoint.summary,
        tags: [path.split('/')[3] ?? 'site'],
        ...(endpoint.params && { params: endpoint.params }),
        ...(endpoint.query && { querystring: endpoint.query }),
        ...(endpoint.body && { body: endpoint.body }),
        response: { [status]: endpoint.ok },
      },
      handler: async (request, reply) => {
        const { params, query, body } = request
        reply.code(status).header('cache-control', 'no-store')
        const ctx = await contextOf(credentialsIn(request))
        if (endpoint.who === 'member' && !ctx.actor.account)
          throw new Refusal('sign-in-required', 'Please sign in first')
        const hasLeft = () => reply.raw.destroyed
        return handler({ ...ctx, hasLeft }, { params, query, body })
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
        throw new Refusal('method-not-allowed', `This address answers ${methods.join(', ')} only`)
      },
    })
}

function credentialsIn({ headers, ip, method }: FastifyRequest): Credentials {
  const anonymousId = headers['x-anonymous-id']
  return {
    authorization: headers.authorization,
    network: networkOf(ip),
    anonymousId: typeof anonymousId === 'string' ? anonymousId : undefined,
    isReading: method === 'GET' || method === 'HEAD',
  }
}
