/** Why a browser has no credential to rate with, or cannot keep or bring its secret, in sentences. No I/O here. */
import { refusalOf } from '#app/kit/forms/refusal.ts'

/** The account's secret was made by another browser, or another one took its place since. */
export class SecretElsewhere extends Error {
  override name = 'SecretElsewhere'
  constructor() {
    super('Your ratings belong to another device so far. Bring them here first.')
  }
}

/** With a key, a quarter or a badge of their own somebody could be told apart from everybody else. */
export class ForeignIssuer extends Error {
  override name = 'ForeignIssuer'
  constructor(what: keyof typeof FOREIGN) {
    super(FOREIGN[what])
  }
}

const FOREIGN = {
  key: 'The key of this site is another one than before, and with a key of your own you could be recognised. So your browser does not use it.',
  quarters:
    'The keys of this site aren’t those of this quarter and the two beside it, and with a quarter of your own you could be recognised. So your browser does not use them.',
  company:
    'Others who look up the company of this link don’t find its domain, and with a badge of your own you could be recognised. So your browser does not take it.',
}

/** One of the two is wrong; the keys themselves may be in order. */
export class WrongClock extends Error {
  override name = 'WrongClock'
  /** @param quarter the site's */
  constructor(quarter: string) {
    super(
      `The site says it’s ${quarter.slice(5)} of ${quarter.slice(0, 4)}, and this device says otherwise. Check the date of this device, then try again. If it’s right, don’t rate here for now: with a quarter of your own you could be recognised.`,
    )
  }
}

/** Whoever loses the secret with the page could never change what they gave. */
export class KeepsNothing extends Error {
  override name = 'KeepsNothing'
  constructor() {
    super(
      'This browser keeps nothing, so it could not find your rating again. Allow this site to store data, or use another browser.',
    )
  }
}

/** The last credential has run out. Another one comes by itself, at a time that no rating decides. */
export class CredentialAwaited extends Error {
  override name = 'CredentialAwaited'
  constructor() {
    super('Your browser’s proof that you may rate has expired.')
  }
}

/** A passkey was not to be had, or opens nothing; its message is a sentence. */
export class PasskeyProblem extends Error {
  override name = 'PasskeyProblem'
}

export const isIssuingProblem = (error: unknown): error is Error =>
  error instanceof SecretElsewhere ||
  error instanceof ForeignIssuer ||
  error instanceof WrongClock ||
  error instanceof KeepsNothing ||
  error instanceof CredentialAwaited

/** Why it did not work, in a sentence. */
export const secretProblem = (error: unknown): string =>
  isIssuingProblem(error) || error instanceof PasskeyProblem ? error.message : refusalOf(error)
