/** Why a browser has no credential to rate with, or cannot keep or bring its secret, in sentences. No I/O here. */
import { refusalOf } from '../../forms/refusal.ts'

/** The account's secret was made by another browser, or another one took its place since. */
export class SecretElsewhere extends Error {
  override name = 'SecretElsewhere'
  constructor() {
    super('Your ratings belong to another device so far. Bring them here first.')
  }
}

/** With a key of their own somebody could be told apart from everybody else. */
export class ForeignIssuer extends Error {
  override name = 'ForeignIssuer'
  constructor() {
    super(
      'The key of this site is another one than before, and with a key of your own you could be recognised. So your browser does not use it.',
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

/** A passkey was not to be had, or opens nothing; its message is a sentence. */
export class PasskeyProblem extends Error {
  override name = 'PasskeyProblem'
}

export const isIssuingProblem = (error: unknown): error is Error =>
  error instanceof SecretElsewhere ||
  error instanceof ForeignIssuer ||
  error instanceof KeepsNothing

/** Why it did not work, in a sentence. */
export const secretProblem = (error: unknown): string =>
  isIssuingProblem(error) || error instanceof PasskeyProblem ? error.message : refusalOf(error)
