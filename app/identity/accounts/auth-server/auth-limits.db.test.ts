/** How often one may try, by the real `@supabase/auth-js` client. */

import { beforeAll, describe, expect, test } from 'vitest'
import { slow } from '#tests/support/amounts.ts'
import { type AuthSite, newMember, openAuthSite, PASSWORD } from '#tests/support/auth-site.ts'
import { withDatabase } from '#tests/support/database.ts'

const { outside } = withDatabase()
let site: AuthSite
beforeAll(async () => {
  site = await openAuthSite(outside())
})

describe('limits', () => {
  test('20 failed sign-ins lock a network out of an account for a while, even with the right password', async () => {
    const limited = await openAuthSite(outside(), { hasRateLimits: true })
    const { email } = await newMember(site)
    const attempt = (password: string) =>
      limited.call('/auth/v1/token?grant_type=password', { json: { email, password } })
    for (let i = 0; i < 20; i++) expect((await attempt('wrong horse 9')).status).toBe(400)
    const refused = await attempt(PASSWORD)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await refused.json()).error_code).toBe('over_request_rate_limit')
  })

  test('mallory’s guesses don’t lock dana out, whose browser solves a spam check', async () => {
    const limited = await openAuthSite(outside(), { hasRateLimits: true, proofOfWork: 20 })
    const { email } = await newMember(site)
    const attempt = async (password: string, from: string, captcha_token?: string) => {
      const json = { email, password, gotrue_meta_security: { captcha_token } }
      const answer = await limited.call('/auth/v1/token?grant_type=password', { json, from })
      return { status: answer.status, code: (await answer.json()).error_code }
    }
    const [mallory, dana] = ['203.0.113.7', '198.51.100.4']
    const wrong = { status: 400, code: 'invalid_credentials' }
    const unchecked = { status: 400, code: 'captcha_failed' }
    for (let i = 0; i < 10; i++) expect(await attempt('wrong horse 9', mallory)).toEqual(wrong)
    expect(await attempt('wrong horse 9', mallory)).toEqual(unchecked)
    for (let i = 0; i < 10; i++)
      expect(await attempt('wrong horse 9', mallory, await limited.proof())).toEqual(wrong)
    expect((await attempt(PASSWORD, mallory, await limited.proof())).status).toBe(429)

    expect(await attempt(PASSWORD, dana)).toEqual(unchecked)
    const proof = await limited.proof()
    expect((await attempt(PASSWORD, dana, proof)).status).toBe(200)
    expect(await attempt(PASSWORD, dana, proof)).toEqual(unchecked)
  })

  test('only 20 of 40 simultaneous wrong passwords are checked', async () => {
    const limited = await openAuthSite(outside(), { hasRateLimits: true })
    const { email } = await newMember(site)
    const attempt = (password: string) =>
      limited.call('/auth/v1/token?grant_type=password', { json: { email, password } })
    const tries = await Promise.all(Array.from({ length: 40 }, () => attempt('wrong horse 9')))
    expect(tries.filter(({ status }) => status === 400)).toHaveLength(20)
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(20)
  })

  slow.test('signing in with the right password doesn’t count toward the limit', async () => {
    const limited = await openAuthSite(outside(), { hasRateLimits: true })
    const { email } = await newMember(site)
    const attempt = (password: string) =>
      limited.call('/auth/v1/token?grant_type=password', { json: { email, password } })
    for (let i = 0; i < 19; i++) expect((await attempt('wrong horse 9')).status).toBe(400)
    for (let i = 0; i < 3; i++) expect((await attempt(PASSWORD)).status).toBe(200)
    expect((await attempt('wrong horse 9')).status).toBe(400)
    expect((await attempt(PASSWORD)).status).toBe(429)
  })

  test('dana can sign up at once with another password after one is refused', async () => {
    const limited = await openAuthSite(outside(), { hasRateLimits: true, autoconfirm: false })
    const email = limited.newAddress()
    const signUp = (password: string) =>
      limited.call('/auth/v1/signup', { json: { email, password } })
    expect((await signUp('Password123!')).status).toBe(422)
    expect((await signUp(PASSWORD)).status).toBe(200)
    expect((await signUp(PASSWORD)).status).toBe(429)
    await limited.post()
  })

  test('a network can ask 30 times in 5 minutes, and an address gets one mail a minute', async () => {
    const limited = await openAuthSite(outside(), { hasRateLimits: true })
    const ask = (email: string) => limited.call('/auth/v1/recover', { json: { email } })
    const email = limited.newAddress('nobody')
    expect((await ask(email)).status).toBe(200)
    const tooSoon = await ask(email)
    expect(tooSoon.status).toBe(429)
    expect((await tooSoon.json()).msg).toMatch(
      /^For security purposes, you can only request this after \d+ seconds\.$/,
    )
    for (let i = 0; i < 28; i++) expect((await ask(limited.newAddress('nobody'))).status).toBe(200)
    const refused = await ask(limited.newAddress('nobody'))
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(200)
  })
})
