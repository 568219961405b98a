/**
 * Requests to every route, generated from its contract: valid ones, nearly valid ones (with one mistake) and hostile ones.
 * They refer to things in the world as `{thread}`, so a counterexample says what it's about, and means the same in another
 * run.
 */
import fc from 'fast-check'
import type { InjectOptions } from 'light-my-request'
import { z } from 'zod'
import { Bodies } from '#app/identity/accounts/auth-server/auth-bodies.server.ts'
import type { Route } from '../endpoints/endpoints.ts'
import { headersOf, SIGNED_IN, VISITORS, type World } from '../endpoints/world.ts'
import { CONTENT_TYPES, HEADERS, PATH_TRICKS, RAW_BODIES, WRONG_VALUES } from './hostile.ts'
import { type Hints, type JsonSchema, schemaOf, valuesOf } from './schema-values.ts'

export interface FuzzRequest {
  who: string
  method: string
  url: string
  headers: Record<string, string>
  /** The raw body, JSON or not. */
  body?: string
}

const WHO = [...VISITORS, ...SIGNED_IN]
/** Everyone, and invalid tokens. */
const ANYBODY = [
  ...WHO,
  ...WHO,
  'ada',
  'olga',
  'nobody',
  'late',
  'sam',
  'sue',
  'seth',
  'forged',
  'notice',
]

const rows = z.array(
  z.object({
    name: z.string().optional(),
    category: z.string().optional(),
    website: z.string().optional(),
    logo_url: z.string().optional(),
    description: z.string().optional(),
  }),
)
const texts = z.object({
  companyName: z.string(),
  companyWebsite: z.string(),
  requesterEmail: z.string(),
})
/** Bodies for routes that parse their own. */
const BODIES: Record<string, z.ZodType> = {
  'POST /auth/v1/signup': Bodies.signUp,
  'POST /auth/v1/token': z.union([Bodies.password, Bodies.refresh, Bodies.pkce]),
  'POST /auth/v1/recover': Bodies.recover,
  'POST /auth/v1/resend': Bodies.resend,
  'POST /auth/v1/verify': Bodies.verify,
  'PUT /auth/v1/user': Bodies.user,
  'POST /auth/v1/reauthenticate': Bodies.reauthenticate,
  'POST /auth/v1/factors': Bodies.enroll,
  'POST /auth/v1/factors/:id/challenge': Bodies.challenge,
  'POST /auth/v1/factors/:id/verify': Bodies.verifyFactor,
  'POST /auth/v1/factors/recover': Bodies.recoverByCode,
  'POST /auth/v1/admin/users': Bodies.managed,
  'PUT /auth/v1/admin/users/:id': Bodies.managed,
  'POST /functions/v1/notify-company-request': texts,
  'POST /functions/v1/import-companies-custom': z.object({ companies: rows }),
  'POST /api/v1/imports': rows,
}
const QUERIES: Record<string, z.ZodType> = {
  'POST /auth/v1/token': z.object({ grant_type: z.enum(['password', 'refresh_token', 'pkce']) }),
  'GET /auth/v1/verify': Bodies.verify,
  'GET /auth/v1/admin/users': Bodies.page,
  'POST /auth/v1/logout': z.object({ scope: z.enum(['local', 'others', 'global']) }),
  'GET /unsubscribe': z.object({ token: z.string() }),
  'POST /unsubscribe': z.object({ token: z.string() }),
  'GET /claims/news-off': z.object({ token: z.string() }),
  'POST /claims/news-off': z.object({ token: z.string() }),
  'GET /claims/confirm': z.object({ token: z.string() }),
  'POST /claims/confirm': z.object({ token: z.string() }),
  'GET /api/v1/threads/:id/live': z.object({ known: z.number() }),
}
const POSTS_OF_FILES: Record<string, readonly string[]> = {
  'POST /api/v1/imports': ['text/csv', 'application/json', 'application/x-ndjson', 'text/plain'],
  'POST /api/v1/companies/:id/logo': ['image/png', 'image/webp', 'image/svg+xml'],
  'POST /api/v1/administration/settings/:name/picture': ['image/png', 'image/webp'],
}

const CURSOR_VALUES = [
  ...['', '0', '-1', '1', '9', '99999999', '999999999', '9999999999', '999999999999999999', '5.0'],
  ...[
    '2026-03-14',
    '2026-99-01',
    '0000-00-01',
    '2026-02-01',
    '9999-12-01',
    '1e99',
    '-1e-99',
    '4.5',
  ],
  ...[
    '2026-03-14 09:26:00+00',
    '2026-99-99 99:99:99+00',
    '0000-01-01 00:00:00+00',
    'erin',
    '\ud800',
  ],
  ...['99999999999999999999.99999999999999999999e99', 'NaN', 'Infinity', "'", '\n'],
]
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const nil = '00000000-0000-4000-8000-000000000000'
/** Marks where a page ended. The part before `@` names the sort order. */
const cursors = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...CURSOR_VALUES).map((value) => `@${value}`) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }).map(base64url) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('e30', '####', nil, '12345', '9'.repeat(20), '-1', '1.5'),
  },
)
const ORDER_OF: [RegExp, string][] = [
  [/my\/saved/, 'saved'],
  [/my\//, 'mine'],
  [/notifications/, 'news'],
  [/notes/, 'notes'],
  [/companies$/, 'trending'],
  [/threads$/, 'hot'],
  [/jobs$/, 'newest'],
  [/queue$/, 'open'],
  [/contact/, 'all'],
]
function withCursor({ url }: Route, query: Record<string, unknown>) {
  const { after, sort, list, filter } = query
  if (typeof after !== 'string' || !after.startsWith('@')) return query
  const usual = ORDER_OF.find(([where]) => where.test(url))?.[1] ?? 'all'
  const order = [sort, list, filter].find((it) => typeof it === 'string') ?? usual
  const name = url.endsWith('/jobs') ? `jobs ${order}` : order
  return { ...query, after: base64url([name, after.slice(1), nil]) }
}

/** Names in texts, so a lookup sometimes finds something. Now and then in uppercase or mixed case. */
const named = (...names: string[]) =>
  fc
    .tuple(fc.constantFrom(...names), fc.constantFrom('', '', '', 'InCapitals', 'InMixedCase'))
    .map(([name, spelling]) => `{${name}${spelling}}`)
const THINGS = [
  ...['company', 'otherCompany', 'thread', 'ruled', 'answered', 'verasThread', 'comment'],
  ...['verasComment', 'removed', 'appealable', 'note', 'reply', 'job', 'draft', 'alert', 'news'],
  ...['claim', 'erins', 'mailClaim', 'edithsSeat', 'invitation', 'request', 'message'],
  ...['savedAnswer', 'monaId', 'danasFactor'],
]
/** Which things an address is about, according to the word before them. */
export const THINGS_OF: [RegExp, string[]][] = [
  [/threads|posts\//, ['thread', 'ruled', 'answered', 'verasThread', 'comment', 'removed', 'note']],
  [/comments/, ['comment', 'verasComment', 'removed', 'appealable']],
  [/companies/, ['company', 'otherCompany']],
  [/company-edits/, ['suggestion', 'change']],
  [/company-requests/, ['request']],
  [/contact-messages/, ['message']],
  [/saved-answers/, ['savedAnswer']],
  [/company-replies/, ['reply']],
  [/claims/, ['claim', 'erins', 'mailClaim']],
  [/\/seats\//, ['erins', 'edithsSeat']],
  [/seat-invitations/, ['invitation']],
  [/jobs/, ['job', 'draft']],
  [/job-alerts/, ['alert']],
  [/notifications/, ['news']],
  [/notes/, ['note']],
  [/my\/moderation/, ['appealable', 'removed', 'thread', 'note']],
  [/log/, ['pinned']],
  [/factors/, ['danasFactor']],
  [/users/, ['monaHandle', 'adamHandle', 'miloHandle', 'samHandle', 'umaHandle', 'monaId']],
  [/feeds\/company/, ['company']],
]
const HINTS: Hints = {
  uuid: named(...THINGS),
  company: named('company', 'otherCompany'),
  companyId: named('company', 'otherCompany'),
  companyName: fc.constantFrom('Acme', 'Anvils', 'Lindworm Tea', 'Erin and Sons'),
  id: named(...THINGS),
  ids: fc.array(named(...THINGS), { minLength: 1, maxLength: 5 }).map((ids) => ids.join(',')),
  refs: fc
    .array(fc.constantFrom('{company}', 'emil-works', 'erin-and-sons', 'nobody'), { minLength: 1 })
    .map((refs) => refs.join(',')),
  slug: fc.constantFrom('erin-and-sons', 'emil-works', 'Emil-Works', 'nobody'),
  after: cursors,
  before: fc.constantFrom(1, 2, 1_000),
  username: fc.constantFrom('Newcomer2', 'Mona', 'Dana', 'admin'),
  confirmation: fc.constantFrom('Mona', 'Dana', 'Erin', 'Olga'),
  email: fc.constantFrom('{address}', 'another@people.example', 'dana@kettle.example', 'x@y'),
  notifyEmail: fc.constantFrom('', 'vera@people.example', 'vera'),
  workEmail: fc.constantFrom('', 'mona@erin.example', 'mona@emil.example', 'mona@people.example'),
  password: fc.constantFrom('correct horse 9', 'password', 'short'),
  token: named('link', 'unsubscribe', 'claimLink', 'newsOff'),
  token_hash: named('link'),
  refresh_token: named('refresh'),
  auth_code: named('code'),
  friendly_name: fc.constantFrom('Phone', ' ', ''),
  rpId: fc.constantFrom('kettle.test', 'localhost'),
  code_verifier: fc.constant('v'.repeat(43)),
  currency: fc.constantFrom('EUR', 'USD', 'eur', 'XXX'),
  country: fc.constantFrom('NL', 'DE', 'nl', 'ZZ'),
  city: fc.constantFrom('Utrecht', 'São Paulo', ' '),
  search: fc.constantFrom('erin', 'tea', 'taster', 'thursdays', 'chairs "not"', '-a', '"', '100%'),
  text: fc.constantFrom(
    'er',
    'We heard you, and there will be chairs.',
    'Please look again. '.repeat(3),
  ),
  topics: fc.constantFrom('pay', 'return-to-office', 'nothing'),
  topic: fc.constantFrom('pay', 'nothing'),
  title: fc.constantFrom('About Thursdays', 'About Tuesdays', 'Tea taster'),
  website: fc.constantFrom('https://erin.example', 'erin.example', ''),
  link: fc.constantFrom('https://erin.example/jobs', 'http://127.0.0.1/'),
  description: fc.constantFrom('You taste what others only drink, and write it down. '.repeat(4)),
}

export function requestsTo(route: Route): fc.Arbitrary<FuzzRequest> {
  const { endpoint, schema } = route
  const query = schemaOf(schema.querystring) ?? schemaOf(QUERIES[endpoint])
  const body = schemaOf(schema.body) ?? schemaOf(BODIES[endpoint])
  const parts = fc.record({
    who: fc.constantFrom(...ANYBODY),
    params: paramsOf(route),
    query: query ? valuesOf(query, HINTS) : fc.constant({}),
    body: body ? valuesOf(body, HINTS) : fc.constant(undefined),
  })
  const valid = parts.map((it) => requestOf(route, it as Parts))
  const nearlyValid = fc
    .tuple(parts, fc.nat(), fc.nat(), fc.constantFrom(...WRONG_VALUES))
    .map(([it, part, place, value]) => {
      const own = it as Parts
      const usable = (['params', 'query', 'body'] as const).filter(
        (name) => own[name] != null && Object.keys(own[name] as object).length > 0,
      )
      const name = usable[part % usable.length]
      if (!name) return requestOf(route, { ...own, body: value })
      return requestOf(route, { ...own, [name]: withWrong(own[name], place, value) })
    })
  return fc.oneof(
    { weight: 3, arbitrary: valid },
    { weight: 5, arbitrary: nearlyValid },
    { weight: 2, arbitrary: hostileRequests(valid) },
  )
}

interface Parts {
  who: string
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: unknown
}

function paramsOf({ url, schema }: Route) {
  const known = schemaOf(schema.params)?.properties ?? {}
  const things = THINGS_OF.filter(([where]) => where.test(url)).flatMap(([, names]) => names)
  return fc.record(
    Object.fromEntries(
      (url.match(/:\w+|\*/g) ?? []).map((it) => {
        const name = it.replace(':', '')
        const own = known[name] ?? ({ type: 'string' } as JsonSchema)
        const values = valuesOf(own, HINTS, name)
        const isThing = things.length > 0 && /^(id|entry|handle)$/.test(name)
        if (name === 'file') return [name, fc.oneof(values, fc.constantFrom(...FILES))]
        return [
          name,
          isThing
            ? fc.oneof({ weight: 6, arbitrary: named(...things) }, { weight: 1, arbitrary: values })
            : values,
        ]
      }),
    ),
    { noNullPrototype: true },
  )
}
const FILES = [
  'erin-and-sons.atom',
  '{company}.atom',
  'pay.atom',
  '.atom',
  'x.webp',
  `${nil}-x.webp`,
]

/** Introduces one mistake: a wrong value, an extra field or a missing one. */
function withWrong(part: unknown, place: number, value: unknown): unknown {
  if (Array.isArray(part)) {
    if (part.length === 0) return [value]
    const at = place % part.length
    return part.map((it, i) => (i === at ? deeper(it, place, value) : it))
  }
  const entries = Object.entries(part as object)
  const at = place % (entries.length + 1)
  if (at === entries.length)
    return { ...(part as object), [value === null ? 'constructor' : 'extra']: value ?? 1 }
  return Object.fromEntries(
    entries.flatMap(([name, it], i) => {
      if (i !== at) return [[name, it]]
      const wrong = deeper(it, Math.floor(place / (entries.length + 1)), value)
      return wrong === undefined ? [] : [[name, wrong]]
    }),
  )
}

function deeper(it: unknown, place: number, value: unknown): unknown {
  if (typeof it === 'object' && it !== null && place % 3 > 0) return withWrong(it, place, value)
  // Make numbers off by one.
  if (typeof it === 'number' && place % 4 === 0) return it + 1
  if (typeof it === 'string' && place % 4 === 0) return it.slice(0, -1)
  if (typeof it === 'string' && place % 4 === 1) return `${it}${it || 'x'}`
  return value
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
/** Half of the time, because a request with everything at once is refused for its first mistake. */
const sometimes = <T>(values: fc.Arbitrary<T>) => fc.option(values, { freq: 2 })

function hostileRequests(valid: fc.Arbitrary<FuzzRequest>): fc.Arbitrary<FuzzRequest> {
  return fc
    .record({
      request: valid,
      header: sometimes(fc.constantFrom(...HEADERS)),
      type: sometimes(fc.constantFrom(...CONTENT_TYPES)),
      raw: sometimes(fc.oneof(fc.constantFrom(...RAW_BODIES), fc.string({ maxLength: 200 }))),
      trick: sometimes(fc.constantFrom(...PATH_TRICKS)),
      method: sometimes(fc.constantFrom(...METHODS)),
    })
    .map(({ request, header, type, raw, trick, method }) => ({
      ...request,
      ...(method && { method }),
      url: trick ? request.url + trick : request.url,
      headers: { ...request.headers, ...(type !== null && { 'content-type': type }), ...header },
      ...(raw !== null && { body: raw }),
    }))
}

/** Well formed, as addresses must be: a lone surrogate becomes its replacement character. */
const encoded = (value: unknown) => {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const wellFormed = Buffer.from(text).toString()
  return encodeURIComponent(wellFormed).replaceAll('%7B', '{').replaceAll('%7D', '}')
}

function requestOf(route: Route, { who, params, query, body }: Parts) {
  const { endpoint, method, url } = route
  const path = url.replace(/:(\w+)|\*/g, (_, name = '*') => encoded(params[name]))
  const search = Object.entries(withCursor(route, query))
    .filter(([, value]) => value !== undefined)
    .flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((it) => `${encoded(name)}=${encoded(it)}`),
    )
    .join('&')
  const files = POSTS_OF_FILES[endpoint]
  const request: FuzzRequest = {
    who,
    method,
    url: search ? `${path}?${search}` : path,
    headers: {},
  }
  if (files) {
    request.headers['content-type'] = files[
      (search.length + path.length + who.length) % files.length
    ] as string
    request.body = body === undefined ? 'GIF89a' : bodyOfFile(request.headers['content-type'], body)
  } else if (body !== undefined) {
    request.headers['content-type'] = 'application/json'
    request.body = JSON.stringify(body)
  }
  return request
}

function bodyOfFile(type: string, body: unknown) {
  if (!/csv|plain/.test(type) || !Array.isArray(body)) return JSON.stringify(body) ?? ''
  const lines = body.map((row) =>
    Object.values(row ?? {})
      // A generated value may be an object that can't become a string.
      .map((it) => `"${typeof it === 'object' ? JSON.stringify(it) : it}"`)
      .join(','),
  )
  return ['name,category,website,logo_url,description', ...lines].join('\n')
}

/** The request with this world's names filled in. */
export function sentRequest(request: FuzzRequest, { browsers, names }: World): InjectOptions {
  const filled = (text: string) =>
    text.replace(/\{(\w+?)(InCapitals|InMixedCase)?\}/g, (it, name, spelling) => {
      const known = names[name] ?? it
      if (spelling === 'InCapitals') return known.toUpperCase()
      return spelling ? known.replace(/[a-f]/, (letter) => letter.toUpperCase()) : known
    })
  const { who, method, url, headers, body } = request
  return {
    method: method as 'GET',
    url: filled(url).replaceAll('{', '%7B').replaceAll('}', '%7D'),
    headers: { ...headersOf(browsers[who]), ...headers },
    ...(body !== undefined && { payload: filled(body) }),
  }
}
