/** Calls endpoints in process, for server-side rendering: no HTTP, no JSON. */

import { declaredOutput } from '#app/platform/database/rows.server.ts'
import { answerOf, FAILED } from '#app/platform/http/refusal.ts'
import type { Ctx } from './auth/context.server.ts'
import { ApiError, type Client } from './client.ts'
import type { Contract } from './contract.ts'
import { endpointOf, type Policies } from './policy.server.ts'

export interface Bound {
  contract: Contract
  /** The endpoints by their keys in the contract. */
  handlers: object
}

interface CallInput {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

/**
 * A client with the same answers and refusals as over HTTP.
 * @param settings.contextOf makes a context for each call
 * @param settings.onBug gets errors that aren't refusals
 */
export function createCaller<C extends Contract>(settings: {
  bound: Bound[]
  policies: Policies
  contextOf: () => Promise<Ctx>
  onBug?: (error: unknown, endpoint: string) => void
}): Client<C> {
  const { bound, policies, contextOf, onBug } = settings
  const endpoints = new Map(
    bound.flatMap(({ contract, handlers }) =>
      Object.entries(contract).map(([key, endpoint]) => [
        key,
        {
          ...endpointOf(endpoint, (handlers as Record<string, Handler>)[key] as Handler, policies),
          ok: endpoint.ok,
        },
      ]),
    ),
  )
  const call = async (key: string, { params, query, body }: CallInput = {}) => {
    const known = endpoints.get(key)
    if (!known) throw new Error(`${key} isn’t in any contract`)
    try {
      const sent = { params: asInUrl(params), query: asInUrl(query), body }
      return declaredOutput(key, known.ok, await known.answer(sent, contextOf))
    } catch (error) {
      throw apiErrorFrom(error, () => onBug?.(error, key))
    }
  }
  return call as Client<C>
}

type Handler = (ctx: Ctx, request: unknown) => Promise<unknown>

/** URLs only have strings, and omit missing values. */
const asInUrl = (values: Record<string, unknown> = {}) =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined && value !== '')
      .map(([name, value]) => [name, String(value)]),
  )

function apiErrorFrom(error: unknown, onBug: () => void): ApiError {
  const answer = answerOf(error)
  if (answer) return new ApiError(answer.status, answer.code, answer.message)
  onBug()
  return new ApiError(500, FAILED.code, FAILED.message)
}
