/** What the OpenAPI document says of the texts that a request may hold. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Contract } from './contract.ts'

const contracts = import.meta.glob<Record<string, unknown>>('../**/*.contract.ts', {
  eager: true,
})
const endpoints = Object.values(contracts)
  .flatMap((file) => Object.entries(file))
  .filter(([name]) => name.endsWith('Contract'))
  .flatMap(([, contract]) => Object.entries(contract as Contract))

interface JsonSchema {
  type?: string
  maxLength?: number
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
  enum?: unknown[]
  format?: string
}

/** The names of the texts in a body, each with its longest length. */
function textsIn(schema: JsonSchema, name = ''): [string, number | undefined][] {
  const parts = [
    ...Object.entries(schema.properties ?? {}),
    ...(schema.items ? [[`${name}[]`, schema.items] as const] : []),
    ...(schema.anyOf ?? []).map((part) => [name, part] as const),
  ]
  const own = schema.type === 'string' && !schema.enum && !schema.format
  return [
    ...(own ? [[name, schema.maxLength] as [string, number | undefined]] : []),
    ...parts.flatMap(([key, part]) => textsIn(part, key)),
  ]
}

const textsOf = (address: string) => {
  const [, endpoint] = endpoints.find(([known]) => known === address) ?? []
  const body = endpoint?.body as z.ZodType
  return Object.fromEntries(textsIn(z.toJSONSchema(body, { io: 'input' }) as JsonSchema))
}

test('every text in a body has a declared length', () => {
  const bodies = endpoints.filter(([, { body }]) => body)
  expect(bodies.length).toBeGreaterThan(30)
  const unlimited = bodies.flatMap(([address, { body }]) =>
    textsIn(z.toJSONSchema(body as z.ZodType, { io: 'input' }) as JsonSchema)
      .filter(([, length]) => length === undefined)
      .map(([name]) => `${address} ${name}`),
  )
  expect(unlimited).toEqual([])
})

test('a declared length is the one that form and command know', () => {
  expect(textsOf('POST /api/v1/company-requests')).toMatchObject({
    companyName: 120,
    companyWebsite: 300,
    notifyEmail: 254,
  })
  expect(textsOf('POST /api/v1/contact-messages')).toMatchObject({
    name: 100,
    email: 254,
    message: 5_000,
  })
})
