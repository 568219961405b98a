/** What a command throws when it will not do what was asked; the sentence is for the person. */

const STATUS = {
  'bad-request': 400,
  'sign-in-required': 401,
  'second-step-needed': 401,
  forbidden: 403,
  unconfirmed: 403,
  employer: 403,
  suspended: 403,
  'second-factor-needed': 403,
  'reauthentication-needed': 403,
  'not-found': 404,
  'method-not-allowed': 405,
  conflict: 409,
  'idempotency-key-used': 409,
  gone: 410,
  'too-large': 413,
  'unsupported-type': 415,
  'too-many': 429,
  unavailable: 503,
} as const

export type RefusalCode = keyof typeof STATUS

/** Recognise one by its `status`: `instanceof` fails across bundle boundaries. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly status: number
  /** Seconds until it may be asked again, where that is known: sent as `Retry-After`. */
  readonly retryAfter: number | undefined
  constructor(
    readonly code: RefusalCode,
    message: string,
    { retryAfter }: { retryAfter?: number } = {},
  ) {
    super(message)
    this.status = STATUS[code]
    this.retryAfter = retryAfter
  }
}

export const badRequest = (message: string) => new Refusal('bad-request', message)
export const notFound = (message: string) => new Refusal('not-found', message)
export const conflict = (message: string) => new Refusal('conflict', message)
/** One idempotency key is one text: for another text under a key that is used already. */
export const idempotencyKeyUsed = () =>
  new Refusal(
    'idempotency-key-used',
    'You already sent this form, with other words. Your text is still here. Send it again to post it as a new one.',
  )

/** What is said of a bug, whoever asked: nothing of the inside. */
export const FAILED = {
  code: 'failed',
  message: 'Something went wrong on our side. Please try again.',
} as const
