/** The right to end the mails of one seat, as a link carries it. */
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import { endingToken, idOfEndingToken } from '#app/platform/mail/unsubscribe.server.ts'

const PURPOSE = 'company news off'

export const newsOffToken = (secrets: Secrets, claimId: string) =>
  endingToken(secrets, PURPOSE, claimId)

/** The claim that `token` was made for; undefined for anything that is no such token. */
export const claimOfToken = (secrets: Secrets, token: string) =>
  idOfEndingToken(secrets, PURPOSE, token)
