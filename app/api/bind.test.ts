import { expect, test } from 'vitest'
import { z } from 'zod'
import { bareHttp, boundTo } from '#tests/support/api.ts'
import type { Ctx } from './auth/context.server.ts'
import { bindContract, describeApi } from './bind.server.ts'
import type { Contract } from './contract.ts'

const ok = z.object({})
const params = z.object({ id: z.string() })
const teas = {
  'GET /api/v1/teas': { summary: 'All', access: 'anyone', ok },
  'GET /api/v1/teas/{id}': { summary: 'One', access: 'anyone', params, ok },
  'PUT /api/v1/teas/{id}': {
    summary: 'Changes one',
    access: 'signedIn',
    limit: { name: 'teas', seconds: 60, person: 1 },
    params,
    ok,
  },
} satisfies Contract

test('the OpenAPI document lists the statuses with which an endpoint can refuse', async () => {
  const app = bareHttp()
  await describeApi(app, () => 'Kettle')
  const handler = async () => ({})
  const handlers = {
    'GET /api/v1/teas': handler,
    'GET /api/v1/teas/{id}': handler,
    'PUT /api/v1/teas/{id}': handler,
  }
  bindContract(app, teas, handlers, boundTo({} as Ctx))
  const { paths } = (await app.inject('/api/openapi.json')).json()
  const statuses = (path: string, method: string) =>
    Object.keys(paths[path][method].responses).join(' ')
  expect(statuses('/api/v1/teas', 'get')).toBe('200 400 401 503')
  expect(statuses('/api/v1/teas/{id}', 'get')).toBe('200 400 401 404 410 503')
  expect(statuses('/api/v1/teas/{id}', 'put')).toBe('200 400 401 403 404 409 410 429 503')
  await app.close()
})
