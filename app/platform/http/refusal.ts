import { isUnavailable } from './unavailable.ts'

/**
 * Thrown by commands that refuse a request. The message is for people. A single sentence has no full stop, several
 * have one each, and names are in “ ”.
 */

const STATUS = {
  'bad-request': 400,
  'sign-in-required': 401,
  'second-step-needed': 401,
  forbidden: 403,
  unconfirmed: 403,
  'employer-not-allowed': 403,
  suspended: 403,
  'second-factor-needed': 403,
  'reauthentication-needed': 403,
  'not-found': 404,
  /** A moderator hasn't decided yet whether it shows. */
  held: 404,
  'method-not-allowed': 405,
  conflict: 409,
  /** Someone else was faster, so people must look at the new version first. */
  'changed-meanwhile': 409,
  'room-closed': 409,
  'idempotency-key-used': 409,
  gone: 410,
  'too-large': 413,
  'unsupported-type': 415,
  'too-many': 429,
  unavailable: 503,
} as const

export type RefusalCode = keyof typeof STATUS

export class Refusal extends Error {
  override name = 'Refusal'
  readonly status: number
  /** Seconds, if known. Sent as `Retry-After`. */
  readonly retryAfter: number | undefined
  /** Distinguishes it from others with the same code, for code that catches it. We don't send this. */
  readonly reason: string | undefined
  constructor(
    readonly code: RefusalCode,
    message: string,
    { retryAfter, reason }: { retryAfter?: number; reason?: string } = {},
  ) {
    super(message)
    this.status = STATUS[code]
    this.retryAfter = retryAfter
    this.reason = reason
  }
}

/** Compares names, because `instanceof` fails across bundle boundaries. */
export const isRefusal = (error: unknown): error is Refusal =>
  (error as Partial<Error> | undefined)?.name === 'Refusal'

export const badRequest = (message: string) => new Refusal('bad-request', message)
/**
 * Refuses what breaks a rule that the form and the command share. @param problems the rule's sentence, or a form's
 * sentences by field @throws Refusal bad-request with the first one
 */
export function requireValid(problems: string | undefined | Record<string, string | undefined>) {
  const problem = typeof problems === 'object' ? Object.values(problems).find(Boolean) : problems
  if (problem) throw badRequest(problem)
}
export const forbidden = (message: string) => new Refusal('forbidden', message)
/** @param methods such as `GET, POST` */
export const onlyAccepts = (methods: string) =>
  new Refusal('method-not-allowed', `This URL only accepts ${methods}`)
export const notFound = (message: string) => new Refusal('not-found', message)
export const conflict = (message: string) => new Refusal('conflict', message)
export const changedMeanwhile = (message: string) => new Refusal('changed-meanwhile', message)

export const FAILED = {
  code: 'failed',
  message: 'Something went wrong on our side. Please try again.',
} as const

/** What we say about a refusal, or about a database that's away. Undefined for a bug. */
export function answerOf(error: unknown) {
  if (isRefusal(error)) return error
  return isUnavailable(error)
    ? { status: error.status, code: 'unavailable', message: error.message }
    : undefined
}
