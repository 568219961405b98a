/** What a contract is: a feature's endpoints as a value, from which routes, document and client come. */
import type { z } from 'zod'

/** From the many to the few. Each but `employer` holds those after it; whoever acts for a company is one. */
export type Access =
  | 'anyone'
  | 'member'
  | 'confirmed'
  | 'employer'
  | 'moderator'
  | 'admin'
  | 'owner'

/** A part of the site that can be switched off. Spec §1. */
export const FLAGS = [
  'enableCompanies',
  'enableDiscussions',
  'enableJobs',
  'enableProfile',
  'enableSettings',
  'enableNotifications',
  'enableAlerts',
  'enableDashboard',
] as const
export type Flag = (typeof FLAGS)[number]

/** At most so many uses in `seconds`, of all endpoints with this limit together. */
export interface Limit {
  name: string
  seconds: number
  /** Of an account, or of a visitor's browser. */
  person?: number
  /**
   * Instead of `person` for visitors and for members whose address is unconfirmed: another anonymous
   * id or account costs them nothing.
   */
  unproven?: number
  /** Of everybody at one network together. */
  network?: number
}

/** Who may call an endpoint, how often, and what else is asked before its handler runs. */
export interface Policy {
  /** Whoever is signed in and is not enough gets 403, a visitor 401. What hangs on a row, the command asks. */
  access: Access
  /** The sentences for those; without them the usual ones. */
  refusal?: {
    signedOut?: string
    forbidden?: string
    /** Of who has the owner's address, but no row in admin_users. S2. */
    unappointed?: string
  }
  limit?: Limit
  /** Only who proved lately who they are; see recent-proof.server.ts. */
  recent?: true
  /** Asked without a token, a cookie or an anonymous id: who sends them is told to leave them away. */
  isApart?: true
  /** Every answer has as many bytes, refusals too: its size tells nobody on the wire what it says. */
  isPadded?: true
  /** While this part of the site is off, there is no such endpoint. */
  flag?: Flag
  /**
   * `body.proof` answers a spam check; only those are asked who could be anybody. `of-subject`: one made
   * for `params.id`, and good for nothing else.
   */
  proof?: true | 'of-subject'
}

export interface Endpoint extends Policy {
  summary: string
  /** Of each part what it names is taken, and nothing else; without `query` or `body` there is none. */
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.core.$ZodType
  /** What a successful answer holds; a field that is not declared here never leaves. */
  ok: z.ZodType
  /** Status of a successful answer; 200 when absent. */
  status?: 200 | 201 | 202
}

/** Keys read `GET /api/v1/companies/{slug}`. */
export type Contract = Record<`${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`, Endpoint>

type Given<Schema> = Schema extends z.core.$ZodType ? z.input<Schema> : never
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
    ? Schema extends z.core.$ZodType
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
