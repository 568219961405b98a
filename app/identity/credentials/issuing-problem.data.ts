import { errorSentence } from '#app/kit/forms/refusal.ts'

/** Why the browser doesn't ask for a credential, or can't use one. The message is for people. */
abstract class IssuingProblem extends Error {}

export const isIssuingProblem = (error: unknown): error is Error => error instanceof IssuingProblem

/** Another browser created the account's secret, or replaced it since. */
export class SecretElsewhere extends IssuingProblem {
  override name = 'SecretElsewhere'
  constructor() {
    super('Your ratings are on another device. Restore them here first.')
  }
}

/** A key, quarter or badge just for one person would identify them. */
export class ForeignIssuer extends IssuingProblem {
  override name = 'ForeignIssuer'
  constructor(readonly what: keyof typeof FOREIGN) {
    super(FOREIGN[what])
  }
}

/** The only such problem that people can get past, because it can have a good reason. See NewKeysDialog. */
export const hasNewKeys = (error: unknown) => error instanceof ForeignIssuer && error.what === 'key'

const FOREIGN = {
  key: 'This site’s keys aren’t the ones your browser knows. A key made just for you could reveal who you are, so your browser won’t use it.',
  doubled:
    'This site lists two keys for the same quarter. A key made just for you could reveal who you are, so your browser won’t use it. Try again later. If nothing changes, tell the people who run this site.',
  page: 'This site’s own pages don’t match the keys it gave your browser. A key made just for you could reveal who you are, so your browser won’t use it. Try again later. If nothing changes, tell the people who run this site.',
  witness:
    'Another site keeps a copy of this site’s keys, and its copy is different. A key made just for you could reveal who you are, so your browser won’t use it. Try again later. If nothing changes, tell the people who run this site.',
  company:
    'When others look up this link’s company, they don’t find its domain. A badge made just for you could reveal who you are, so your browser won’t accept it.',
}

/** Temporary. Whatever waits is sent later. */
export class WitnessesSilent extends IssuingProblem {
  override name = 'WitnessesSilent'
  constructor() {
    super(
      'Your browser couldn’t check this site’s keys against the copies on other sites. Please try again later.',
    )
  }
}

/** The site's clock or this device's is wrong. The keys themselves may be fine. */
export class WrongClock extends IssuingProblem {
  override name = 'WrongClock'
  /** @param quarter the site's */
  constructor(quarter: string) {
    super(
      `The site says it’s ${quarter.slice(5)} of ${quarter.slice(0, 4)}, but this device disagrees. Check this device’s date, then try again. If it’s right, don’t rate here for now. A quarter used just for you could reveal who you are.`,
    )
  }
}

/** If the browser lost the secret, the person could never change the rating. */
export class StorageBlocked extends IssuingProblem {
  override name = 'StorageBlocked'
  constructor() {
    super(
      'This browser can’t store anything, so it couldn’t find your rating again. Allow this site to store data, or use another browser.',
    )
  }
}

/** The credential has expired. The next one comes by itself, at a time that doesn't depend on any rating. */
export class CredentialExpired extends IssuingProblem {
  override name = 'CredentialExpired'
  constructor() {
    super('Your browser’s proof that you’re allowed to rate has expired')
  }
}

/** Thrown if there's no passkey, or if the passkey doesn't open anything. The message is for people. */
export class PasskeyProblem extends Error {
  override name = 'PasskeyProblem'
}

export const secretProblem = (error: unknown): string =>
  isIssuingProblem(error) || error instanceof PasskeyProblem ? error.message : errorSentence(error)
