import { createContext, useContext } from 'react'
import type { RefusalCode } from '#app/platform/http/refusal.ts'
import type { Contract, Input, Output, SharedEndpoints } from './contract.ts'

/**
 * A typed API client: over fetch in the browser, in process during rendering. Returns the
 * endpoint's `ok` shape or throws an ApiError.
 */
export type Client<C extends Contract> = <Key extends keyof C & string>(
  endpoint: Key,
  ...input: Record<never, unknown> extends Input<C[Key]>
    ? [input?: Input<C[Key]> & Options]
    : [input: Input<C[Key]> & Options]
) => Promise<Output<C[Key]>>

interface Options {
  signal?: AbortSignal
}

/** Sends a request. Returns its status and parsed JSON. */
export type Transport = (request: {
  method: string
  url: string
  body?: unknown
  signal?: AbortSignal
}) => Promise<{ status: number; json: unknown }>

/**
 * A refusal or failure, with a message for people. `status` 0: no response. `code`: a `RefusalCode`, `failed` for a bug,
 * `unknown` for an answer that isn’t ours, or a code of the auth server’s.
 */
export class ApiError extends Error {
  override name = 'ApiError'
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

/** Spec §8. For failures that the server didn't explain. */
export const TRY_AGAIN = 'Something went wrong. Please try again.'

/** 0 if the server sent no answer, or if the error isn't a request's. */
export const statusOf = (error: unknown) => (error as Partial<ApiError> | null)?.status ?? 0

/** The server refused with this code. Several codes share a status. */
export const hasCode = (error: unknown, code: RefusalCode) =>
  (error as Partial<ApiError> | null)?.code === code

/** The server refused (4xx), so it's neither broken nor unreachable. */
export const isRefused = (error: unknown) => statusOf(error) >= 400 && statusOf(error) < 500

/** Two retries (Spec §9), except for refusals (4xx). */
export const retryUnlessRefused = (failures: number, error: Error) =>
  !isRefused(error) && failures < 2

/** Applies to all queries that don't override it. */
export const QUERY_DEFAULTS = {
  queries: { retry: retryUnlessRefused, refetchOnWindowFocus: false },
}

/** @param shared sent without credentials, so no one can tell which companies someone looks up */
export function createClient<C extends Contract>(
  transport: Transport,
  shared?: SharedEndpoints<C>,
): Client<C> {
  const call = async (endpoint: string, input: CallInput = {}) => {
    const space = endpoint.indexOf(' ')
    const send = shared && endpoint in shared ? anonymousTransport : transport
    const { status, json } = await send({
      method: endpoint.slice(0, space),
      url: urlOf(endpoint.slice(space + 1), input),
      body: input.body,
      signal: input.signal,
    })
    if (status >= 200 && status < 300) return json
    throw errorIn(status, json)
  }
  return call as Client<C>
}

function errorIn(status: number, json: unknown) {
  const { code, message } = (json as { error?: Partial<ApiError> } | undefined)?.error ?? {}
  return new ApiError(status, code ?? 'unknown', message ?? TRY_AGAIN)
}

/** The error in a response that didn't go through the client, such as a file, an upload or a stream. */
export const responseError = async (response: Response) =>
  errorIn(response.status, await response.json().catch(() => undefined))

interface CallInput extends Options {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

function urlOf(pattern: string, { params = {}, query = {} }: CallInput) {
  const path = pattern.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') search.set(name, String(value))
  return search.size > 0 ? `${path}?${search}` : path
}

/** How a person's requests authenticate. */
export interface Authenticator {
  token: () => Promise<string | undefined>
  /** A new token instead of the refused one. Undefined if the session has ended. */
  renew: (refused: string) => Promise<string | undefined>
  /** Asks the person to confirm who they are, and resolves to whether they did. */
  reauthenticate: () => Promise<boolean>
  /** The visitor's id, created by the first write (S4). */
  visitorId: (isWriting: boolean) => Promise<string | null>
  /** Waits while the URL may not be linked to the sender. */
  waitUntilLinkable: (url: string, signal?: AbortSignal) => Promise<void>
}

/**
 * The fetch transport. People's actions go out immediately, while a page's own requests may wait. After a
 * refused token, the request is repeated with a fresh one, and after a confirmation of identity if the
 * server wants one. Once the session has ended, we only repeat reads, because a post must not go out as a
 * visitor's.
 */
export const fetchTransport =
  ({ token, renew, reauthenticate, visitorId, waitUntilLinkable }: Authenticator): Transport =>
  async (request) => {
    const { method, url, signal } = request
    if (method === 'GET') await waitUntilLinkable(url, signal)
    // Never both: together they would reveal whose the anonymous id is.
    const send = async (token?: string) => {
      const visitor = token ? null : await visitorId(method !== 'GET')
      return answerTo(request, {
        credentials: 'same-origin',
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(visitor && { 'x-anonymous-id': visitor }),
        },
      })
    }
    const sendRenewed = async () => {
      const usedToken = await token()
      const answer = await send(usedToken)
      if (answer.status !== 401 || !usedToken) return answer
      const fresh = await renew(usedToken)
      return fresh || method === 'GET' ? send(fresh) : answer
    }
    const answer = await sendRenewed()
    return wantsReauthentication(answer) && (await reauthenticate()) ? sendRenewed() : answer
  }

/** Anonymous: without token, cookie or id, so requests can't be linked. */
export const anonymousTransport: Transport = (request) =>
  answerTo(request, { credentials: 'omit', referrerPolicy: 'no-referrer' })

async function answerTo(
  { method, url, body, signal }: Parameters<Transport>[0],
  {
    headers,
    ...how
  }: Pick<RequestInit, 'credentials' | 'referrerPolicy'> & {
    headers?: Record<string, string>
  },
) {
  const response = await fetch(url, {
    method,
    signal,
    ...how,
    headers: {
      ...headers,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  return { status: response.status, json: await response.json().catch(() => undefined) }
}

const wantsReauthentication = ({ json }: { json: unknown }) =>
  (json as { error?: { code?: string } } | undefined)?.error?.code === 'reauthentication-needed'

const ApiContext = createContext<Client<Contract> | undefined>(undefined)
export const ApiProvider = ApiContext.Provider

/** The client, typed by one contract or two. The site's API serves all contracts, which no type can express. */
export function useApi<C extends Contract, D extends Contract = C>(): Client<C> & Client<D> {
  const api = useContext(ApiContext)
  if (!api) throw new Error('useApi needs an ApiProvider above it')
  return api as unknown as Client<C> & Client<D>
}
