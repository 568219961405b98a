/** Sends requests and judges responses. They may be refusals, but never nonsense. */
import type { Book } from './book.ts'

export interface Request {
  /** Names it in the history and in findings, without IDs. */
  what: string
  method: string
  path: string
  body?: object
  headers?: Record<string, string>
  /** Refusals that make sense here. */
  allows?: number[]
  mark?: string
}

export interface Answer {
  status: number
  text: string
  headers: Headers
}

/** After waiting this long, people give up and try again. */
const PATIENCE_MS = 10_000

export type Send = (site: number, request: Request, from?: string) => Promise<Answer | undefined>

/** @returns a function that returns undefined if the request's outcome is unknown */
export function createSend(book: Book, addresses: string[]): Send {
  return async (site, request, from = '') => {
    const { what, method, path, body, headers, mark } = request
    const began = book.now()
    const tell = (outcome: string) =>
      book.note(
        `${from} → ${'AB'[site]}  ${what} ${mark ?? ''} ${outcome} (${Math.round(book.now() - began)} ms)`,
      )
    try {
      const response = await fetch(addresses[site] + path, {
        method,
        redirect: 'manual',
        signal: AbortSignal.timeout(PATIENCE_MS),
        headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
        ...(body && { body: JSON.stringify(body) }),
      })
      const answer = {
        status: response.status,
        text: await response.text(),
        headers: response.headers,
      }
      tell(String(answer.status))
      const complaint = complaintAbout(request, answer)
      if (complaint) book.find(complaint, mark)
      if (answer.status === 503) book.count('answers 503')
      return answer.status >= 500 ? undefined : answer
    } catch (error) {
      const { name, cause } = error as Error & { cause?: { code?: string } }
      const isTimeout = name === 'TimeoutError'
      tell(isTimeout ? 'no answer' : (cause?.code ?? name))
      book.count(isTimeout ? 'no answer' : 'connection broken')
      // A living process doesn't break connections. A killed one does, until it listens again.
      if (!isTimeout && !wasDown(book, site, began))
        book.find(
          `${what}: the connection broke (${cause?.code ?? name}), and the process lived`,
          mark,
        )
      return undefined
    }
  }
}

const wasDown = ({ spells, now }: Book, site: number, began: number) =>
  spells.some(
    (it) => it.site === site && it.what === 'killed' && it.from <= now() && it.to >= began,
  )

/** What's wrong with a response. Undefined if it's one that people may get. */
export function complaintAbout(
  { what, allows = [] }: Pick<Request, 'what' | 'allows'>,
  { status, headers }: Pick<Answer, 'status' | 'headers'>,
): string | undefined {
  if (status === 503)
    return /^\d+$/.test(headers.get('retry-after') ?? '')
      ? undefined
      : `${what} was answered with 503 without Retry-After`
  if (status < 400 || allows.includes(status)) return undefined
  return `${what} was answered with ${status}`
}
