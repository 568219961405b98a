/** The OpenAPI document of all bound contracts, and a page to browse it. */
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import type { Policy } from './contract.ts'

/** Register before any contract is bound; the document lists what comes after. */
export async function describeApi(app: FastifyInstance, siteName: string) {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `${siteName} API`,
        version: '1',
        description:
          'What the site itself uses. Refusals read { error: { code, message } }. A field or a parameter that isn’t described is refused with its name.',
      },
    },
    transform: (described) => {
      const { schema, url } = jsonSchemaTransform(described)
      const { policy } = described.route.config ?? {}
      if (!policy || schema.hide) return { schema, url }
      const response = { ...(schema.response as object), ...refusalsOf(policy) }
      return { schema: { ...schema, response }, url }
    },
  })
  await app.register(swaggerUi, { routePrefix: '/api/docs', uiConfig: { deepLinking: true } })
  app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger())
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
        message: { type: 'string', description: 'A sentence for the person' },
      },
    },
  },
} as const

/** What an endpoint's policy answers instead of it, by status. */
function refusalsOf({ access, recent, flag, limit, proof }: Policy) {
  const reasons = {
    401: access !== 'anyone' && 'Nobody is signed in',
    403:
      access !== 'anyone' && access !== 'member'
        ? 'Who is signed in may not do this'
        : (recent && 'Who is signed in proves again who they are, then may do this') ||
          (proof && 'The spam check is missing or wrong'),
    404: flag && 'This part of the site is switched off, or there is no such thing',
    429: limit && 'Too many uses: try again after the seconds of Retry-After',
  }
  return Object.fromEntries(
    Object.entries(reasons).flatMap(([status, description]) =>
      description ? [[status, { description, ...REFUSAL }]] : [],
    ),
  )
}
