import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import type { Policy } from './contract.ts'

/** The OpenAPI document and a page to browse it. Register it first: it lists the contracts bound afterwards. */
export async function describeApi(app: FastifyInstance, siteName: string) {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `${siteName} API`,
        version: '1',
        description:
          'The API that the site itself uses. Refusals look like { error: { code, message } }. Fields and parameters that aren’t described are refused by name.',
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
        message: { type: 'string', description: 'A sentence for people' },
      },
    },
  },
} as const

function refusalsOf({ access, recent, flag, limit, proof }: Policy) {
  const reasons = {
    401: access !== 'anyone' && 'Not logged in',
    403:
      access !== 'anyone' && access !== 'member'
        ? 'Not allowed for this account'
        : (recent && 'The person must confirm their identity first') ||
          (proof && 'The spam check is missing or wrong'),
    404: flag && 'This part of the site is off, or it doesn’t exist',
    429: limit && 'Too many requests. Retry after the seconds in Retry-After',
  }
  return Object.fromEntries(
    Object.entries(reasons).flatMap(([status, description]) =>
      description ? [[status, { description, ...REFUSAL }]] : [],
    ),
  )
}
