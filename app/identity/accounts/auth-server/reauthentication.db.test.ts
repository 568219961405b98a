/** What asks for a recent proof of who it is, by the real `@supabase/auth-js` client. */

import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type AuthSite,
  forgetful,
  me,
  newMember,
  openAuthSite,
  PASSWORD,
  pressLink,
} from '#tests/support/auth-site.ts'
import { withDatabase } from '#tests/support/database.ts'

const { outside } = withDatabase()
let site: AuthSite
beforeAll(async () => {
  site = await openAuthSite(outside())
})

const MINUTE_MS = 60_000

describe('ten minutes after signing in, dana enters her password again for anything that could harm her', () => {
  const LATER_MS = 11 * MINUTE_MS

  /** Dana, whose session is older than that, also in a token of now. */
  async function danaLater() {
    const dana = await newMember(site)
    site.forward(LATER_MS)
    await dana.client.refreshSession()
    const token = (await dana.client.getSession()).data.session?.access_token as string
    return { ...dana, token }
  }
  const backInTime = () => site.forward(-LATER_MS)

  test('dana confirms it’s her before she changes her password or address, or ends other sessions', async () => {
    const { client, email } = await danaLater()
    const needed = { status: 400, code: 'reauthentication_needed' }
    const change = { password: 'a better horse 10' }
    expect((await client.updateUser(change)).error).toMatchObject(needed)
    expect((await client.updateUser({ email: site.newAddress() })).error).toMatchObject(needed)
    for (const scope of ['others', 'global'] as const)
      expect((await client.signOut({ scope })).error).toMatchObject(needed)
    expect((await client.updateUser({ data: { tea: 'green' } })).error).toBeNull()

    const wrong = await client.updateUser({ ...change, current_password: 'wrong horse 9' })
    expect(wrong.error).toMatchObject({ code: 'invalid_credentials' })
    expect((await client.updateUser({ ...change, current_password: PASSWORD })).error).toBeNull()
    const again = await site.client().signInWithPassword({ email, ...change })
    expect(again.error).toBeNull()
    expect((await client.signOut({ scope: 'local' })).error).toBeNull()
    await site.post()
    backInTime()
  })

  test('dana’s password gives her a new session, in which she can make her change', async () => {
    const { client, token } = await danaLater()
    const prove = (password: string) =>
      site.call('/auth/v1/reauthenticate', { json: { password }, token })
    const refused = await prove('wrong horse 9')
    expect(refused.status).toBe(400)
    expect((await refused.json()).msg).toBe('That’s not your password')
    const answer = await prove(PASSWORD)
    expect(answer.status).toBe(200)
    await client.setSession(await answer.json())
    expect((await client.updateUser({ password: 'a better horse 10' })).error).toBeNull()
    expect((await me(token, site)).status).toBe(401)
    await site.post()
    backInTime()
  })

  test('dana confirms it’s her before she deletes her account', async () => {
    const { client, token } = await danaLater()
    const { profile } = await (await me(token, site)).json()
    const json = { confirmation: profile.username, posts: 'keep' }
    const refused = await site.call('/api/v1/me/deletion', { json, token })
    expect(refused.status).toBe(403)
    expect((await refused.json()).error).toEqual({
      code: 'reauthentication-needed',
      message: 'Please confirm it’s you first',
    })
    const proved = await site.call('/auth/v1/reauthenticate', {
      json: { password: PASSWORD },
      token,
    })
    const { access_token } = await proved.json()
    const answer = await site.call('/api/v1/me/deletion', { json, token: access_token })
    expect(answer.status).toBe(200)
    await client.signOut({ scope: 'local' })
    await site.post()
    backInTime()
  })

  test('a reset link changes the password without the old one, and does nothing else', async () => {
    const { link } = await forgetful(site)
    const fragment = new URLSearchParams((await pressLink(link, site)).hash.slice(1))
    site.forward(LATER_MS)
    const second = site.client({ flowType: 'implicit' })
    await second.setSession({
      access_token: fragment.get('access_token') as string,
      refresh_token: fragment.get('refresh_token') as string,
    })
    const { error } = await second.updateUser({
      email: site.newAddress(),
      password: 'other horse 11',
    })
    expect(error?.code).toBe('reauthentication_needed')
    expect((await second.updateUser({ password: 'a better horse 10' })).error).toBeNull()
    await site.post()
    backInTime()
  })

  test('someone at dana’s browser can’t try her password as often as they like', async () => {
    const limited = await openAuthSite(outside(), { hasRateLimits: true })
    const { session } = await newMember(site)
    const attempt = (password: string) =>
      limited.call('/auth/v1/reauthenticate', { json: { password }, token: session.access_token })
    const change = (current_password: string) =>
      limited.call('/auth/v1/user', {
        method: 'PUT',
        json: { data: {}, current_password },
        token: session.access_token,
      })
    for (let i = 0; i < 10; i++) {
      expect((await attempt('wrong horse 9')).status).toBe(400)
      expect((await change('wrong horse 9')).status).toBe(400)
    }
    expect((await attempt(PASSWORD)).status).toBe(429)
    expect((await change(PASSWORD)).status).toBe(429)
  })

  test('a wrong password is refused, however recent dana’s session is', async () => {
    const { client, email, session } = await newMember(site)
    const token = session.access_token
    const wrong = { current_password: 'wrong horse 9' }
    const refused = {
      status: 400,
      code: 'invalid_credentials',
      message: 'That’s not your password',
    }
    const changes = [
      { password: 'a better horse 10' },
      { email: site.newAddress() },
      { data: { tea: 'green' } },
      {},
    ]
    for (const change of changes) {
      expect((await client.updateUser({ ...change, ...wrong })).error).toMatchObject(refused)
      const empty = await client.updateUser({ ...change, current_password: '' })
      expect(empty.error).toMatchObject(refused)
      // No code for confirming was ever mailed, so each is wrong.
      const byCode = await client.updateUser({ ...change, nonce: '123456' })
      expect(byCode.error).toMatchObject({ status: 422, code: 'reauthentication_not_valid' })
    }
    const json = JSON.stringify(wrong)
    const headers = { 'content-type': 'application/json' }
    for (const [method, path] of [
      ['POST', '/factors'],
      ['POST', '/factors/recovery-codes'],
      ['DELETE', `/factors/${randomUUID()}`],
      ['POST', '/logout?scope=global'],
      ['DELETE', `/admin/users/${randomUUID()}`],
    ] as const) {
      const answer = await site.call(`/auth/v1${path}`, { method, token, body: json, headers })
      expect([path, (await answer.json()).msg]).toEqual([path, refused.message])
    }
    const form = new URLSearchParams({ password: 'a better horse 10', ...wrong })
    const byForm = await site.call('/auth/v1/user', {
      method: 'PUT',
      token,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    })
    expect((await byForm.json()).msg).toBe(refused.message)

    expect((await site.client().signInWithPassword({ email, password: PASSWORD })).error).toBeNull()
    const right = { password: 'a better horse 10', current_password: PASSWORD }
    expect((await client.updateUser(right)).error).toBeNull()
    await site.post()
  })

  test('a mailed link is refused if the password beside it is wrong', async () => {
    const { link } = await forgetful(site)
    const { hash } = await pressLink(link, site)
    const token = new URLSearchParams(hash.slice(1)).get('access_token') as string
    const change = (body: object) =>
      site.call('/auth/v1/user', {
        method: 'PUT',
        token,
        json: { password: 'a better horse 10', ...body },
      })
    const refused = await change({ current_password: 'wrong horse 9' })
    expect((await refused.json()).msg).toBe('That’s not your password')
    expect((await change({})).status).toBe(200)
    await site.post()
  })

  test('both of two proofs in one request are checked', async () => {
    const { session } = await newMember(site)
    const ask = async (path: string, json: object) =>
      (await site.call(path, { json, token: session.access_token })).json()
    const both = { token: 'one', token_hash: 'another', type: 'recovery' }
    expect((await ask('/auth/v1/verify', both)).msg).toBe(
      'Send either token or token_hash, not both',
    )
    const answer = { type: 'request', credential_response: {} }
    const factor = { challenge_id: 'x', code: '123456', webauthn: answer }
    expect((await ask(`/auth/v1/factors/${randomUUID()}/verify`, factor)).msg).toBe(
      'Send either a code or a passkey response',
    )
  })

  test('ada confirms it’s her before her program deletes or suspends an account', async () => {
    const { token, user } = await danaLater()
    const { user: other } = await newMember(site)
    await site.db.query(sql`insert into admin_users (id) values (${user.id})`)
    const act = (method: string, body?: object) =>
      site.call(`/auth/v1/admin/users/${other.id}`, {
        method,
        token,
        ...(body && {
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
      })
    for (const answer of [await act('DELETE'), await act('PUT', { ban_duration: '24h' })])
      expect((await answer.json()).error_code).toBe('reauthentication_needed')
    backInTime()
  })
})
