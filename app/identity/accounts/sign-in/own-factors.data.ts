/** One's own second factors, as the settings list, add and remove them. Answers what went wrong, if any. */
import { queryOptions } from '@tanstack/react-query'
import type { MY_KEY } from '#app/kit/session/live-session.data.ts'
import { liveSession } from '#app/kit/session/session.data.ts'
import { askService } from './auth-service.data.ts'
import { ownFactors, withPasskey } from './second-step.data.ts'
import { type Problem, problemOf, proved } from './sign-in.data.ts'

/** Only its type is imported: its file holds the client of the auth service, which weighs 30 kB. */
const MINE: typeof MY_KEY = 'me'

const ownClient = async () => (await liveSession()).auth

export const ownFactorsQuery = queryOptions({
  queryKey: [MINE, 'factors'],
  queryFn: async () => ownFactors(await ownClient()),
})

/** What an authenticator app is told: as a picture, as a link, and to be typed. */
export interface NewApp {
  id: string
  picture: string
  uri: string
  secret: string
}

type Asked<Answer> = { data: Answer; problem?: undefined } | { data?: undefined; problem: Problem }

/** It counts once a code of it was given. */
export const beginApp = (name: string) =>
  answerOf<NewApp>(async () => {
    const auth = await ownClient()
    const { data, error } = await auth.mfa.enroll({ factorType: 'totp', friendlyName: name })
    if (!data) return { error }
    const { qr_code, uri, secret } = data.totp
    return { data: { id: data.id, picture: pictureOf(qr_code), uri, secret }, error: null }
  })

/** auth-js puts the markup into the address as it is, where a `#` would end it. */
const pictureOf = (address: string) =>
  `data:image/svg+xml,${encodeURIComponent(address.slice(address.indexOf(',') + 1))}`

export const proveNewApp = (id: string, code: string) =>
  problemOf(proved(async () => (await ownClient()).mfa.challengeAndVerify({ factorId: id, code })))

/** Call it where a button was pressed: the browser asks. */
export const addPasskey = (name: string) =>
  problemOf(
    proved(async () => {
      const auth = await ownClient()
      const { data, error } = await auth.mfa.enroll({ factorType: 'webauthn', friendlyName: name })
      return data ? withPasskey(auth, data.id) : { error }
    }),
  )

export const removeFactor = (factorId: string) =>
  problemOf(
    proved(async () => {
      const { auth, loadMe } = await liveSession()
      const { error } = await auth.mfa.unenroll({ factorId })
      if (error) return { error }
      // The stored session lists it still, and an administrator may do less without.
      await auth.refreshSession()
      await loadMe()
      return { error: null }
    }),
  )

/** Those of before are over. */
export const makeRecoveryCodes = () =>
  answerOf<string[]>(async () => {
    const { data, error } = await askService<{ codes: string[] }>(
      await ownClient(),
      'POST',
      '/factors/recovery-codes',
      {},
    )
    return data ? { data: data.codes, error: null } : { error }
  })

async function answerOf<Answer>(
  ask: () => Promise<{ data?: Answer; error: unknown }>,
): Promise<Asked<Answer>> {
  let data: Answer | undefined
  const problem = await problemOf(
    proved(async () => {
      const answer = await ask()
      data = answer.data
      return answer
    }),
  )
  return problem ? { problem } : { data: data as Answer }
}
