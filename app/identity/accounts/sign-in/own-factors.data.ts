import { queryOptions } from '@tanstack/react-query'
import { MY_KEY } from '#app/kit/session/my-key.ts'
import { liveSession } from '#app/kit/session/session.data.ts'
import { ownFactors, withPasskey } from './second-step.data.ts'
import { callService, type Problem, problemOf, withReauthentication } from './sign-in.data.ts'

const ownClient = async () => (await liveSession()).auth

export const ownFactorsQuery = queryOptions({
  queryKey: [MY_KEY, 'factors'],
  queryFn: async () => ownFactors(await ownClient()),
})

/** What an authenticator app needs: a QR code, a link, and text to type. */
export interface NewApp {
  id: string
  picture: string
  uri: string
  secret: string
}

type Outcome<Data> = { data: Data; problem?: undefined } | { data?: undefined; problem: Problem }

/** The app counts once one of its codes is verified. */
export const beginApp = (name: string) =>
  outcomeOf<NewApp>(async () => {
    const auth = await ownClient()
    const { data, error } = await auth.mfa.enroll({ factorType: 'totp', friendlyName: name })
    if (!data) return { error }
    const { qr_code, uri, secret } = data.totp
    return { data: { id: data.id, picture: pictureOf(qr_code), uri, secret }, error: null }
  })

/** auth-js puts unencoded markup into the data URL, where a `#` would end it. */
const pictureOf = (address: string) =>
  `data:image/svg+xml,${encodeURIComponent(address.slice(address.indexOf(',') + 1))}`

export const verifyNewApp = (id: string, code: string) =>
  problemOf(
    withReauthentication(async () =>
      (await ownClient()).mfa.challengeAndVerify({ factorId: id, code }),
    ),
  )

/** Call it when someone presses a button, because the browser opens a prompt. */
export const addPasskey = (name: string) =>
  problemOf(
    withReauthentication(async () => {
      const auth = await ownClient()
      const { data, error } = await auth.mfa.enroll({ factorType: 'webauthn', friendlyName: name })
      return data ? withPasskey(auth, data.id) : { error }
    }),
  )

export const removeFactor = (factorId: string) =>
  problemOf(
    withReauthentication(async () => {
      const { auth, loadMe } = await liveSession()
      const { error } = await auth.mfa.unenroll({ factorId })
      if (error) return { error }
      // The stored session still lists the factor, and administrators may do less without one.
      await auth.refreshSession()
      await loadMe()
      return { error: null }
    }),
  )

/** Replaces the former ones. */
export const makeRecoveryCodes = () =>
  outcomeOf<string[]>(async () => {
    const { data, error } = await callService<{ codes: string[] }>(
      await ownClient(),
      'POST',
      '/factors/recovery-codes',
      {},
    )
    return data ? { data: data.codes, error: null } : { error }
  })

async function outcomeOf<Data>(
  call: () => Promise<{ data?: Data; error: unknown }>,
): Promise<Outcome<Data>> {
  let data: Data | undefined
  const problem = await problemOf(
    withReauthentication(async () => {
      const result = await call()
      data = result.data
      return result
    }),
  )
  return problem ? { problem } : { data: data as Data }
}
