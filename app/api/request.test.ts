import { expect, test } from 'vitest'
import { z } from 'zod'
import { requestReader } from './request.server.ts'

const reader = requestReader({
  params: z.object({ id: z.string() }),
  query: z.object({ sort: z.enum(['new', 'old']).default('new') }).extend({
    limit: z.coerce.number().int().optional(),
  }),
  body: z.object({
    title: z.string().trim().max(5, 'Too long').describe('In a line'),
    tags: z.array(z.object({ name: z.string() })).default([]),
    poll: z
      .object({ days: z.number() })
      .partial()
      .refine(({ days }) => days !== 0, 'No days')
      .nullish(),
    columns: z.record(z.string(), z.object({ field: z.string() })).optional(),
  }),
})
const sent = (body: object, query: object = {}) => ({ params: { id: 'a' }, query, body })
const read = (...it: Parameters<typeof sent>) => reader.read(sent(...it))

test('known fields are read with the contract’s defaults and checks', () => {
  const first = read({ title: ' Tea ' }, { limit: '5' })
  expect(first).toEqual({
    params: { id: 'a' },
    query: { sort: 'new', limit: 5 },
    body: { title: 'Tea', tags: [] },
  })
  first.body.tags.push({ name: 'mine' })
  expect(read({ title: 'Tea' }).body.tags).toEqual([])
  expect(() => read({ title: 'Much tea' })).toThrow('“title” isn’t valid: Too long')
  expect(() => read({ title: 'Tea', poll: { days: 0 } })).toThrow('“poll” isn’t valid: No days')
  expect(() => read({ title: 'Tea' }, { sort: 'best' })).toThrow(
    '“sort” isn’t valid: It must be new or old',
  )
  expect(() => read({})).toThrow('“title” isn’t valid: It’s missing')
  expect(() => read({ title: 1 })).toThrow('“title” isn’t valid: It must be text')
  expect(z.toJSONSchema(reader.schema.body as z.ZodType)).toMatchObject({
    properties: { title: { description: 'In a line', maxLength: 5 } },
    additionalProperties: false,
  })
})

test.each([
  [{ title: 'Tea', role: 1 }, {}, 'the field “role”'],
  [{ role: 1 }, {}, 'the field “role”'],
  [{ title: 'Tea', poll: { when: 1 } }, {}, 'the field “poll.when”'],
  [{ title: 'Tea', tags: [{ name: 'a' }, { name: 'b', id: 1 }] }, {}, 'the field “tags.1.id”'],
  [{ title: 'Tea', columns: { A: { field: 'a', to: 1 } } }, {}, 'the field “columns.A.to”'],
  [{ title: 'Tea', a: 1 }, { b: '1', c: ['1', '2'] }, 'the fields “b”, “c” and “a”'],
  [{ title: 'Tea', 'a\u202e\ud800b': 1 }, {}, 'the field “ab”'],
  [{ title: 'Tea', ['🫖'.repeat(99)]: 1 }, {}, `the field “${'🫖'.repeat(40)}…”`],
])('an extra field is named, wherever it is (%#)', (body, query, names) => {
  expect(() => read(body, query)).toThrow(
    expect.objectContaining({ status: 400, message: `We don’t know ${names} here` }),
  )
})

test('if very many fields are unknown, some are named and the others counted', () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`f${i}`, 1]))
  expect(() => read({ title: 'Tea', ...many })).toThrow(/“f18”, “f19” and 480 more here$/)
})

test('a repeated parameter is refused', () => {
  for (const name of ['sort', 'limit'])
    expect(() => read({ title: 'Tea' }, { [name]: ['1', '1'] })).toThrow(`“${name}” appears twice`)
})

test('a request without a body has no unknown fields', () => {
  const bare = requestReader({})
  for (const body of [undefined, null, {}])
    expect(() => bare.read({ query: {}, body })).not.toThrow()
  for (const body of ['a', [], 1])
    expect(() => bare.read({ query: {}, body })).toThrow('This URL doesn’t accept a body')
  expect(() => bare.read({ query: {}, body: { a: 1 } })).toThrow('“a”')
  // A GET whose body wasn't read.
  for (const headers of [{ 'content-length': '2' }, { 'transfer-encoding': 'chunked' }])
    expect(() => bare.read({ query: {}, headers })).toThrow('This URL doesn’t accept a body')
  expect(() => bare.read({ query: {}, headers: { 'content-length': '0' } })).not.toThrow()
})
