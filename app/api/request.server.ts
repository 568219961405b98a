/** Reads what was sent to an endpoint as its contract says, and refuses all that the contract doesn't know. */
import { type core, z } from 'zod'
import { badRequest } from '#app/platform/http/refusal.ts'
import type { Asked, Endpoint } from './contract.ts'

type Shape = Pick<Endpoint, 'params' | 'query' | 'body'>
type Schema = core.$ZodType
type Issue = core.$ZodIssue & { part: (typeof PARTS)[number] }

/** What arrived; a Fastify request is one. */
export interface Sent {
  params?: unknown
  query?: unknown
  body?: unknown
  headers?: { 'content-length'?: string; 'transfer-encoding'?: string }
}

const PARTS = ['params', 'query', 'body'] as const
/** Longer ones are cut, and of more than these the rest is counted. */
const NAME_MAX = 40
const NAMES_MAX = 20
const NO_BODY = 'This address takes no body.'

/**
 * Of an endpoint that a contract describes, or of a route that is bound by hand. Where nothing is said of a query or
 * a body, there is none; addresses without `params` are read by their route.
 */
export function requestReader<S extends Shape>(shape: S) {
  const schemas = {
    params: strict(shape.params ?? z.unknown()),
    query: strict(shape.query ?? z.object({})),
    body: strict(shape.body ?? z.object({}).nullish()),
  }
  return {
    /** Of its route: the OpenAPI document says what is strict. */
    schema: {
      ...(shape.params && { params: schemas.params }),
      ...(shape.query && { querystring: schemas.query }),
      ...(shape.body && { body: schemas.body }),
    },
    /** Of its route: Fastify checks nothing by itself. */
    validatorCompiler: () => (value: unknown) => ({ value }),
    check,
    /** Both at once, where it's known already who asks. */
    read: (sent: Sent) => check(sent)(),
  }

  /**
   * @returns what was read, for when it's known who asks: what is too much is said to who may ask at all
   * @throws Refusal bad-request that names the first field that is wrong, and of what was read each one too many
   */
  function check(sent: Sent): () => Asked<S> {
    const read: Partial<Record<(typeof PARTS)[number], unknown>> = {}
    const issues: Issue[] = []
    for (const part of PARTS) {
      const result = z.safeParse(schemas[part], part === 'body' ? bodyOf(sent) : sent[part])
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
      return read as Asked<S>
    }
  }
}

/** The body of a GET isn't read; that there is one is known. */
function bodyOf({ body, headers = {} }: Sent) {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers
  return body === undefined && (length !== '0' || encoding !== undefined) ? 'unread' : body
}

/** The same schema, in which no object takes a field that it doesn't name. */
function strict<S extends Schema>(schema: S): S {
  const { def } = schema._zod as core.$ZodTypeInternals & { def: { shape?: object } }
  // It would stay as tolerant as it is.
  if (def.type === 'lazy') throw new Error('No contract takes a schema that knows itself')
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
  // The copy keeps the checks, and by its parent what is said of it.
  return z.clone(schema, z.util.mergeDefs(def, Object.fromEntries(stricter)), { parent: true })
}

function wrongSentence({ part, path, message }: Issue, { query }: Sent) {
  const [name = ''] = path
  if (part === 'query' && Array.isArray((query as Record<PropertyKey, unknown>)[name]))
    return `“${nameOf([name])}” stands twice in this address.`
  return `"${nameOf(path) || part}" is not valid: ${message}`
}

const isSchema = (it: unknown): it is Schema => it instanceof z.core.$ZodType

const nameOf = (path: readonly PropertyKey[]) =>
  path.map((part) => shortened(String(part))).join('.')

/** Nothing of it that can't be seen or turns text around: it stands in a sentence. */
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
    ? `We don't know the field ${last} here.`
    : `We don't know the fields ${shown.join(', ')} and ${last} here.`
}
