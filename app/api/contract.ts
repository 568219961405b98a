import type { z } from 'zod'
import type { Flag } from '#app/platform/operations/flags.ts'
import type { Access, RefusalSentences } from './auth/permissions.ts'

/** At most this many uses in `seconds`, for all endpoints with this limit together. */
export interface Limit {
  name: string
  seconds: number
  /** Uses per account, or per visitor's browser. */
  person?: number
  /** Replaces `person` for visitors and unconfirmed members, as new ids and accounts cost them nothing. */
  unconfirmed?: number
  network?: number
}

/** Who may call an endpoint, how often, and what is checked before its handler. */
export interface Policy {
  /** Signed-in people without this access get 403, visitors 401. Commands check what depends on a row. */
  access: Access
  refusal?: RefusalSentences
  limit?: Limit
  /** They logged in or confirmed it’s them lately; see require.server.ts. */
  requiresRecentLogin?: true
  /** Only without token, cookie and anonymous id. Requests with one are refused. */
  mustBeAnonymous?: true
  /** Everyone gets the same answer: the browser asks as with `mustBeAnonymous`, and the handler never learns who asks. */
  isShared?: true
  /** Every answer has the same size, refusals too, so the size reveals nothing. */
  isPadded?: true
  /** The endpoint doesn't exist while this is off. */
  flag?: Flag
  /** `body.proof` is the solution of a spam check, for those who could be anyone. `of-subject`: bound to `params.id`. */
  spamCheck?: true | 'of-subject'
}

export interface Endpoint extends Policy {
  summary: string
  /** Unknown fields are refused. Without `query` or `body`, there may be none. */
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.core.$ZodType
  /** The response. Undeclared fields never leave the server. */
  ok: z.ZodType
  /** Defaults to 200. */
  status?: 200 | 201 | 202
}

/** Keys look like `GET /api/v1/companies/{slug}`. */
export type Contract = Record<`${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`, Endpoint>

/** All endpoints with `isShared`. A value, as browsers don't load contracts; the compiler refuses one too many or too few. */
export type SharedEndpoints<C extends Contract> = {
  [Key in keyof C as C[Key] extends { isShared: true } ? Key : never]: true
}

type Given<Schema> = Schema extends z.core.$ZodType ? z.input<Schema> : never
type Part<E, Key extends 'params' | 'query' | 'body'> =
  E extends Record<Key, infer Schema>
    ? undefined extends Given<Schema>
      ? { [K in Key]?: Given<Schema> }
      : Record<never, unknown> extends Given<Schema>
        ? { [K in Key]?: Given<Schema> }
        : { [K in Key]: Given<Schema> }
    : unknown

export type Input<E> = Part<E, 'params'> & Part<E, 'query'> & Part<E, 'body'>

type Parsed<E, Key extends 'params' | 'query' | 'body'> =
  E extends Record<Key, infer Schema>
    ? Schema extends z.core.$ZodType
      ? z.output<Schema>
      : undefined
    : undefined

/** What a handler receives, as parsed by the schemas. */
export interface HandlerInput<E> {
  params: Parsed<E, 'params'>
  query: Parsed<E, 'query'>
  body: Parsed<E, 'body'>
}

export type Output<E> = E extends { ok: infer Schema extends z.ZodType } ? z.output<Schema> : never
