/** People with second factors, as their browsers set them up. */
import { Secret, TOTP } from 'otpauth'
import { type AuthSite, linkIn, PASSWORD } from '../../../../tests/support/auth-site.ts'

type AuthClient = ReturnType<AuthSite['client']>

const STEP_MS = 30_000

/** What a phone's app shows at the site's time. */
export const codeOf = (site: AuthSite, secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: site.now().getTime() })

/** The next code, because each counts only once. */
export function nextCode(site: AuthSite, secret: string) {
  site.forward(STEP_MS)
  return codeOf(site, secret)
}

/** What the client returns if nothing was refused. */
export function good<Answer extends { data: unknown; error: unknown }>({ data, error }: Answer) {
  if (error) throw error
  return data as Extract<Answer, { error: null }>['data']
}

/** Looks at emails that went out since the last look. */
export const subjectsOf = async (site: AuthSite) =>
  (await site.post()).map(({ subject }) => subject)

/** A member whose address is confirmed, signed in. */
export async function newConfirmed(site: AuthSite, name = 'dana') {
  const email = site.newAddress(name)
  const client = site.client()
  const { user } = good(await client.signUp({ email, password: PASSWORD }))
  // Emails from other sites on the same database may be due now, because their clocks are ahead.
  const mail = (await site.post()).find(({ to }) => to.includes(email))
  const fields = new URLSearchParams(linkIn(mail).searchParams)
  fields.set('known_ids', user?.id ?? '')
  await site.call('/auth/v1/verify', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: fields.toString(),
  })
  return { email, client, id: user?.id as string }
}

export const tokenOf = async (client: AuthClient) =>
  (await client.getSession()).data.session?.access_token as string

/** Sets up an app, and returns what its phone keeps. */
export async function addApp(site: AuthSite, client: AuthClient, friendlyName = 'Phone') {
  const { id: factorId, totp } = good(await client.mfa.enroll({ factorType: 'totp', friendlyName }))
  const code = nextCode(site, totp.secret)
  good(await client.mfa.challengeAndVerify({ factorId, code }))
  await site.post()
  return { factorId, secret: totp.secret }
}

/** A member with an app as second factor, at the second level. */
export async function newWithApp(site: AuthSite, name?: string) {
  const person = await newConfirmed(site, name)
  return { ...person, ...(await addApp(site, person.client)) }
}

/** Another browser of theirs, before the second step. */
export async function halfSignedIn(site: AuthSite, email: string) {
  const client = site.client()
  good(await client.signInWithPassword({ email, password: PASSWORD }))
  return client
}
