/** Parses a request by its contract, and refuses anything the contract doesn't list. */
import { type core, z } from 'zod'
import { badRequest } from '#app/platform/http/refusal.ts'
import type { Endpoint, HandlerInput } from './contract.ts'

type Shape = Pick<Endpoint, 'params' | 'query' | 'body'>
type Schema = core.$ZodType
type Issue = core.$ZodIssue & { part: (typeof PARTS)[number] }

export interface RawRequest {
  params?: unknown
  query?: unknown
  body?: unknown
  headers?: { 'content-length'?: string; 'transfer-encoding'?: string }
}

const PARTS = ['params', 'query', 'body'] as const
/** We cut longer names, and only count any further names. */
const NAME_MAX = 40
const NAMES_MAX = 20
const NO_BODY = 'This URL doesn’t accept a body'

/**
 * Reads requests to contracts' endpoints and to routes bound by hand. Without a schema, query and body must be
 * empty. Routes without `params` parse their URL themselves.
 */
export function requestReader<S extends Shape>(shape: S) {
  const schemas = {
    params: strict(shape.params ?? z.unknown()),
    query: strict(shape.query ?? z.object({})),
    body: strict(shape.body ?? z.object({}).nullish()),
  }
  return {
    /** The route's strict schemas, which the OpenAPI document shows. */
    schema: {
      ...(shape.params && { params: schemas.params }),
      ...(shape.query && { querystring: schemas.query }),
      ...(shape.body && { body: schemas.body }),
    },
    /** Keeps Fastify from validating anything itself. */
    validatorCompiler: () => (value: unknown) => ({ value }),
    check,
    /** Checks both parts at once, when the sender is known. */
    read: (sent: RawRequest) => check(sent)(),
  }

  /**
   * @returns a function to call once the sender is known: only people who may call at all learn of excess fields
   * @throws Refusal bad-request that names the first invalid field, or all unknown ones
   */
  function check(sent: RawRequest): () => HandlerInput<S> {
    const read: Partial<Record<(typeof PARTS)[number], unknown>> = {}
    const issues: Issue[] = []
    for (const part of PARTS) {
      const result = z.safeParse(schemas[part], part === 'body' ? bodyOf(sent) : sent[part], {
        error: issueSentence,
      })
      if (result.success) read[part] = result.data
      else issues.push(...result.error.issues.map((it) => ({ ...it, part })))
    }
    const unknown = issues.flatMap((it) =>
      it.code === 'unrecognized_keys' ? it.keys.map((key) => nameOf([...it.path, key])) : [],
    )
    const isTooMuch = ({ code, part }: Issue) =>
      code === 'unrecognized_keys' || (part === 'body' && !shape.body)
    const wrong = issues.find((it) => !isTooMuch(it))
    if (wrong && unknown.length === 0) throw badRequest(wrongSentence(wrong, sent))
    const tooMuch = () => badRequest(unknown.length > 0 ? unknownSentence(unknown) : NO_BODY)
    if (wrong) throw tooMuch()
    return () => {
      if (issues.length > 0) throw tooMuch()
      return read as HandlerInput<S>
    }
  }
}

/** We don't read a GET's body, but we know if there is one. */
function bodyOf({ body, headers = {} }: RawRequest) {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers
  return body === undefined && (length !== '0' || encoding !== undefined) ? 'unread' : body
}

/** A copy of the schema in which no object accepts unknown fields. */
function strict<S extends Schema>(schema: S): S {
  const { def } = schema._zod as core.$ZodTypeInternals & { def: { shape?: object } }
  // We can't make a recursive schema strict.
  if (def.type === 'lazy') throw new Error('Contracts do not support recursive schemas')
  const stricter = Object.entries(def).flatMap(([key, it]): [string, unknown][] => {
    if (isSchema(it)) return [[key, strict(it)]]
    return Array.isArray(it) && it.some(isSchema) ? [[key, it.map(strict)]] : []
  })
  if (def.type === 'object')
    stricter.push(
      [
        'shape',
        Object.fromEntries(Object.entries(def.shape ?? {}).map(([key, it]) => [key, strict(it)])),
      ],
      ['catchall', z.never()],
    )
  // The copy keeps its checks, and gets its metadata from its parent.
  return z.clone(schema, z.util.mergeDefs(def, Object.fromEntries(stricter)), { parent: true })
}

function wrongSentence({ part, path, message }: Issue, { query }: RawRequest) {
  const [name = ''] = path
  if (part === 'query' && Array.isArray((query as Record<PropertyKey, unknown>)[name]))
    return `“${nameOf([name])}” appears twice in this URL`
  return `“${nameOf(path) || part}” isn’t valid: ${message}`
}

const KINDS: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
}
const UNITS: Record<string, string> = { string: ' characters', array: ' entries' }

/** Sentences for rules that have none, because Zod's are for programmers. */
function issueSentence(issue: core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'It’s missing'
      return `It must be ${KINDS[issue.expected] ?? 'an object'}`
    case 'invalid_value':
      return `It must be ${issue.values.join(' or ')}`
    case 'too_big':
      return `At most ${issue.maximum.toLocaleString('en')}${UNITS[issue.origin] ?? ''}`
    case 'too_small':
      return `At least ${issue.minimum.toLocaleString('en')}${UNITS[issue.origin] ?? ''}`
    case 'invalid_format':
      return issue.format === 'uuid' ? 'It must be an ID' : 'The format is wrong'
    default:
      return 'The format is wrong'
  }
}

const isSchema = (it: unknown): it is Schema => it instanceof z.core.$ZodType

const nameOf = (path: readonly PropertyKey[]) =>
  path.map((part) => shortened(String(part))).join('.')

/** Without invisible or direction-changing characters, because it's part of a sentence. */
function shortened(name: string) {
  const letters = [...name.slice(0, NAME_MAX * 2).replace(/\p{C}/gu, '')]
  return name.length > NAME_MAX ? `${letters.slice(0, NAME_MAX).join('')}…` : letters.join('')
}

function unknownSentence(names: string[]) {
  const shown = [...new Set(names)].slice(0, NAMES_MAX).map((name) => `“${name}”`)
  const more = names.length - shown.length
  if (more > 0) shown.push(`${more} more`)
  const last = shown.pop()
  return shown.length === 0
    ? `We don’t know the field ${last} here`
    : `We don’t know the fields ${shown.join(', ')} and ${last} here`
}
