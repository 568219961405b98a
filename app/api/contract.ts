import type { z } from 'zod'
import type { Changes, Shared } from '#app/platform/http/shared-answer.ts'
import type { Flag } from '#app/platform/operations/flags.ts'
import type { Access, RefusalSentences } from './auth/permissions.ts'

/** Allows this many uses in `seconds`, counted for all endpoints with this limit together. */
export interface Limit {
  name: string
  seconds: number
  /** Uses per account, or per visitor's browser. */
  person?: number
  /** Replaces `person` for visitors and unconfirmed members, as new ids and accounts cost them nothing. */
  untrusted?: number
  network?: number
}

/** Who may call an endpoint, how often, and what is checked before its handler. */
export interface Policy {
  /** Signed-in people without this access get 403, visitors 401. If it depends on a row, the command checks it. */
  access: Access
  refusal?: RefusalSentences
  limit?: Limit
  /** Needs a recent login; see require.server.ts. */
  requiresRecentLogin?: true
  /** Requests with a token, cookie or anonymous id are refused. */
  mustBeAnonymous?: true
  /**
   * Everyone gets the same answer. The browser sends the request as for `mustBeAnonymous`, and the handler never
   * learns who sent it. We cache the answer, and this says what drops it.
   */
  isShared?: Shared
  /** What a write changes in shared answers. By default, we drop all of them. */
  changes?: Changes
  /** All answers have the same size, including refusals, so the size reveals nothing. */
  isPadded?: true
  /** The endpoint doesn't exist while this is off. */
  flag?: Flag
  /**
   * People who could be anyone must solve a spam check, in `body.spamCheck`. With `of-subject`, it's bound to
   * `params.id`.
   */
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

/**
 * All endpoints with `isShared`. It's a value, because browsers don't load contracts. The compiler refuses a
 * missing or extra one.
 */
export type SharedEndpoints<C extends Contract> = {
  [Key in keyof C as C[Key] extends { isShared: Shared } ? Key : never]: true
}

type SchemaInput<Schema> = Schema extends z.core.$ZodType ? z.input<Schema> : never
type Part<E, Key extends 'params' | 'query' | 'body'> =
  E extends Record<Key, infer Schema>
    ? undefined extends SchemaInput<Schema>
      ? { [K in Key]?: SchemaInput<Schema> }
      : Record<never, unknown> extends SchemaInput<Schema>
        ? { [K in Key]?: SchemaInput<Schema> }
        : { [K in Key]: SchemaInput<Schema> }
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
