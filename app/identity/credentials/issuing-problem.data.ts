import { refusalOf } from '#app/kit/forms/refusal.ts'

/** Another browser created the account's secret, or replaced it since. */
export class SecretElsewhere extends Error {
  override name = 'SecretElsewhere'
  constructor() {
    super('Your ratings are on another device. Restore them here first.')
  }
}

/** A key, quarter or badge of their own would tell a person apart from everyone else. */
export class ForeignIssuer extends Error {
  override name = 'ForeignIssuer'
  constructor(what: keyof typeof FOREIGN) {
    super(FOREIGN[what])
  }
}

const FOREIGN = {
  key: 'This site’s key has changed. With a key of your own, you could be recognised, so your browser won’t use it.',
  quarters:
    'This site’s keys aren’t for this quarter and the two next to it. With a quarter of your own, you could be recognised, so your browser won’t use them.',
  company:
    'Others who look up this link’s company don’t find its domain. With a badge of your own, you could be recognised, so your browser won’t accept it.',
}

/** The site's clock or this device's is wrong. The keys themselves may be fine. */
export class WrongClock extends Error {
  override name = 'WrongClock'
  /** @param quarter the site's */
  constructor(quarter: string) {
    super(
      `The site says it’s ${quarter.slice(5)} of ${quarter.slice(0, 4)}, but this device disagrees. Check this device’s date, then try again. If it’s right, don’t rate here for now: with a quarter of your own, you could be recognised.`,
    )
  }
}

/** Losing the secret would mean never being able to change the rating. */
export class KeepsNothing extends Error {
  override name = 'KeepsNothing'
  constructor() {
    super(
      'This browser can’t store anything, so it couldn’t find your rating again. Allow this site to store data, or use another browser.',
    )
  }
}

/** Expired. The next one comes by itself, at a time that doesn't depend on any rating. */
export class CredentialAwaited extends Error {
  override name = 'CredentialAwaited'
  constructor() {
    super('Your browser’s proof that you can rate has expired.')
  }
}

/** No passkey, or one that opens nothing. Its message is for people. */
export class PasskeyProblem extends Error {
  override name = 'PasskeyProblem'
}

export const isIssuingProblem = (error: unknown): error is Error =>
  error instanceof SecretElsewhere ||
  error instanceof ForeignIssuer ||
  error instanceof WrongClock ||
  error instanceof KeepsNothing ||
  error instanceof CredentialAwaited

export const secretProblem = (error: unknown): string =>
  isIssuingProblem(error) || error instanceof PasskeyProblem ? error.message : refusalOf(error)
