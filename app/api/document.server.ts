/** The OpenAPI document of all bound contracts, and a page to browse it. */
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'

/** Register before any contract is bound; the document lists what comes after. */
export async function describeApi(app: FastifyInstance, siteName: string) {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `${siteName} API`,
        version: '1',
        description: 'What the site itself uses. Refusals read { error: { code, message } }.',
      },
    },
    transform: jsonSchemaTransform,
  })
  await app.register(swaggerUi, { routePrefix: '/api/docs', uiConfig: { deepLinking: true } })
  app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger())
}
