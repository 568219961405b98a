/** The typed way to the API: over fetch in the browser, in process while a page is rendered. */
import { createContext, useContext } from 'react'
import type { Answer, Contract, Input } from './contract.ts'

/** Calls an endpoint of contract `C` and answers its `ok` shape, or throws an ApiError. */
export type Client<C extends Contract> = <Key extends keyof C & string>(
  endpoint: Key,
  ...input: Record<never, unknown> extends Input<C[Key]>
    ? [input?: Input<C[Key]> & Options]
    : [input: Input<C[Key]> & Options]
) => Promise<Answer<C[Key]>>

interface Options {
  signal?: AbortSignal
}

/** Carries one request to the server; answers its status and its parsed JSON. */
export type Transport = (request: {
  method: string
  url: string
  body?: unknown
  signal?: AbortSignal
}) => Promise<{ status: number; json: unknown }>

/** A refusal or a failure; the message may be shown to the person. `status` 0: no answer came. */
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

/** The server said no (4xx): it neither broke nor was out of reach. */
export function isRefused(error: unknown) {
  const { status = 0 } = error as { status?: number }
  return status >= 400 && status < 500
}

/** Two retries of a query (Spec §9), but a refusal (4xx) stays a refusal. */
export const retryUnlessRefused = (failures: number, error: Error) =>
  !isRefused(error) && failures < 2

/** Of each query that says nothing else. */
export const QUERY_DEFAULTS = {
  queries: { retry: retryUnlessRefused, refetchOnWindowFocus: false },
}

export function createClient<C extends Contract>(transport: Transport): Client<C> {
  const call = async (endpoint: string, input: CallInput = {}) => {
    const space = endpoint.indexOf(' ')
    const { status, json } = await transport({
      method: endpoint.slice(0, space),
      url: addressOf(endpoint.slice(space + 1), input),
      body: input.body,
      signal: input.signal,
    })
    if (status >= 200 && status < 300) return json
    const { code, message } = (json as { error?: { code?: string; message?: string } })?.error ?? {}
    throw new ApiError(status, code ?? 'unknown', message ?? 'Something went wrong')
  }
  return call as Client<C>
}

interface CallInput extends Options {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

function addressOf(pattern: string, { params = {}, query = {} }: CallInput) {
  const path = pattern.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') search.set(name, String(value))
  return search.size > 0 ? `${path}?${search}` : path
}

/** What a person's requests prove themselves with. */
export interface Credentials {
  /** Undefined for a visitor. */
  token: () => Promise<string | undefined>
  /** Another token for the one that was refused; undefined when the session has ended. */
  renew: (refused: string) => Promise<string | undefined>
  /** Asks whose browser this is to prove it again; whether they did. */
  prove: () => Promise<boolean>
  /** What a visitor's browser is known by, made by its first write (S4). */
  visitorId: (isWriting: boolean) => Promise<string | null>
  /** Waits while what an address names may not be named beside who asks. */
  mayName: (address: string, signal?: AbortSignal) => Promise<void>
}

/** What is the same for everybody about companies: who looks a company up is nobody’s business. */
const FOR_EVERYBODY =
  /^\/api\/v1\/(companies(\/(categories|compare|highest-rated|recent|suggest|trending|by-slug\/[^/?]+|[\da-f-]{36}(\/(notes|ratings))?))?|jobs|removals|threads)(\?|$)/i

/**
 * Over fetch; what is the same for everybody, as nobody. What people do goes at once, also where it names a company that
 * they rate; what a page asks by itself waits. A request whose token is refused is sent once more with a fresh one; one that wants a proof
 * of who asks, when that was given. When the session has ended, only what reads is repeated: nobody's words
 * may go out as a visitor's unasked.
 */
export const fetchTransport =
  ({ token, renew, prove, visitorId, mayName }: Credentials): Transport =>
  async (request) => {
    const { method, url, signal } = request
    if (method === 'GET') {
      if (FOR_EVERYBODY.test(url)) return apartTransport(request)
      await mayName(url, signal)
    }
    // Never both proofs in one request: together they would tell whose the anonymous id is.
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
      const given = await token()
      const answer = await send(given)
      if (answer.status !== 401 || !given) return answer
      const fresh = await renew(given)
      return fresh || method === 'GET' ? send(fresh) : answer
    }
    const answer = await sendRenewed()
    return wantsProof(answer) && (await prove()) ? sendRenewed() : answer
  }

/** Over fetch, as nobody: without a token, a cookie or an id, so that nothing ties one request to another. */
export const apartTransport: Transport = (request) =>
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

const wantsProof = ({ json }: { json: unknown }) =>
  (json as { error?: { code?: string } } | undefined)?.error?.code === 'reauthentication-needed'

const ApiContext = createContext<Client<Contract> | undefined>(undefined)
export const ApiProvider = ApiContext.Provider

/** The client, seen through one feature's contract: `useApi<typeof companyContract>()`. */
export function useApi<C extends Contract>(): Client<C> {
  const api = useContext(ApiContext)
  if (!api) throw new Error('useApi needs an ApiProvider above it')
  return api as unknown as Client<C>
}
