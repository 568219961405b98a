/** Values that match a contract's JSON Schema, which fast-check generates and shrinks. */
import fc from 'fast-check'
import { z } from 'zod'

export interface JsonSchema {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: JsonSchema | boolean
  items?: JsonSchema
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
}

/** The schema of the input, before defaults and transforms. */
export const schemaOf = (schema: unknown): JsonSchema | undefined =>
  schema instanceof z.ZodType
    ? (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema)
    : undefined

/** Fields by name, where a random text would never match anything. */
export type Hints = Record<string, fc.Arbitrary<unknown>>

/** Longer values only cost time. Nearly valid requests cover those that are too long. */
const USUAL_LENGTH = 60
const USUAL_ITEMS = 4

export function valuesOf(schema: JsonSchema, hints: Hints, name = ''): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const either = schema.anyOf ?? schema.oneOf
  if (either) return fc.oneof(...either.map((it) => valuesOf(it, hints, name)))
  const hint = hints[name] ?? hints[schema.format ?? '']
  if (hint && schema.type === 'string')
    return fc.oneof({ weight: 4, arbitrary: hint }, { weight: 1, arbitrary: textsOf(schema) })
  switch (schema.type) {
    case 'object':
      return objectsOf(schema, hints)
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}, hints, name), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? USUAL_ITEMS, (schema.minItems ?? 0) + USUAL_ITEMS),
      })
    case 'integer':
    case 'number':
      return numbersOf(schema)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'string':
      return textsOf(schema)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function objectsOf({ properties, required = [], additionalProperties }: JsonSchema, hints: Hints) {
  if (!properties)
    return additionalProperties === undefined
      ? fc.constant({})
      : fc.dictionary(fc.string({ maxLength: 12 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
  return fc.record(
    Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, valuesOf(schema, hints, name)]),
    ),
    { requiredKeys: required, noNullPrototype: true },
  )
}

function numbersOf({ type, minimum = -1_000, maximum = 1_000 }: JsonSchema) {
  const max = Math.max(Math.min(maximum, minimum + 1e9), minimum)
  const numbers =
    type === 'integer'
      ? fc.integer({ min: Math.ceil(minimum), max: Math.floor(max) })
      : fc.double({ min: minimum, max, noNaN: true })
  return fc.oneof(
    { weight: 3, arbitrary: numbers },
    { weight: 1, arbitrary: fc.constantFrom(minimum, maximum, Math.min(1, maximum)) },
  )
}

function textsOf({ minLength = 0, maxLength = USUAL_LENGTH, pattern, format }: JsonSchema) {
  if (format === 'uuid')
    return fc.oneof(
      fc.uuid(),
      fc.uuid().map((id) => id.toUpperCase()),
    )
  if (format === 'email') return fc.emailAddress()
  const max = Math.max(minLength, Math.min(maxLength, USUAL_LENGTH))
  const range = { minLength, maxLength: max }
  const texts = [
    fc.string(range),
    fc.string({ ...range, unit: 'grapheme' }),
    // Words and markup, as people write.
    fc
      .array(fc.constantFrom(...WORDS), { maxLength: 12 })
      .map((words) => words.join(' ').padEnd(minLength, '.').slice(0, max)),
  ]
  // A pattern that only forbids control characters fits any words.
  if (pattern && !pattern.startsWith('^[^'))
    texts.push(fc.stringMatching(new RegExp(pattern)).map((it) => it.slice(0, max)))
  return fc.oneof(...texts)
}

const WORDS = [
  'tea',
  'Thursdays',
  'erin',
  'the',
  'office',
  '**bold**',
  '[a](https://erin.example)',
  '> quoted\n\n',
  '- item\n',
  '`code`',
  '@dana',
  '<b>',
  '&amp;',
  '100%',
  'día',
  '茶',
  '🫖',
  '|a|b|\n|-|-|\n',
]
