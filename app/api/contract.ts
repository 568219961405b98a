/** What a contract is: a feature's endpoints as a value, from which routes, document and client come. */
import type { z } from 'zod'

export interface Endpoint {
  summary: string
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** What a successful answer holds; a field that is not declared here never leaves. */
  ok: z.ZodType
  /** Status of a successful answer; 200 when absent. */
  status?: 200 | 201 | 202
  /** Who may call it; a command still asks for its own permission. */
  who: 'anyone' | 'member'
}

/** Keys read `GET /api/v1/companies/{slug}`. */
export type Contract = Record<`${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`, Endpoint>

type Given<Schema> = Schema extends z.ZodType ? z.input<Schema> : never
type Part<E, Key extends 'params' | 'query' | 'body'> =
  E extends Record<Key, infer Schema>
    ? undefined extends Given<Schema>
      ? { [K in Key]?: Given<Schema> }
      : Record<never, unknown> extends Given<Schema>
        ? { [K in Key]?: Given<Schema> }
        : { [K in Key]: Given<Schema> }
    : unknown

/** What a caller gives to an endpoint. */
export type Input<E> = Part<E, 'params'> & Part<E, 'query'> & Part<E, 'body'>

type Parsed<E, Key extends 'params' | 'query' | 'body'> =
  E extends Record<Key, infer Schema>
    ? Schema extends z.ZodType
      ? z.output<Schema>
      : undefined
    : undefined

/** What a handler receives: each part as its schema has checked it. */
export interface Asked<E> {
  params: Parsed<E, 'params'>
  query: Parsed<E, 'query'>
  body: Parsed<E, 'body'>
}

/** What an endpoint answers. */
export type Answer<E> = E extends { ok: infer Schema extends z.ZodType } ? z.output<Schema> : never
