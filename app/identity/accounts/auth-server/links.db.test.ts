/** Links of mails, by the real `@supabase/auth-js` client: whom they sign in, and where they lead. */

import { beforeAll, describe, expect, test } from 'vitest'
import {
  type AuthSite,
  forgetful,
  linkIn,
  me,
  newMember,
  openAuthSite,
  PASSWORD,
  pressLink,
  SITE,
} from '#tests/support/auth-site.ts'
import { withDatabase } from '#tests/support/database.ts'

const { outside } = withDatabase()
let site: AuthSite
beforeAll(async () => {
  site = await openAuthSite(outside())
})

describe('an address that’s confirmed in another browser than the one that signed up', () => {
  /** Mallory signs dana's address up and waits; dana opens the link of the mail. */
  async function signedUpBy(mallory: ReturnType<AuthSite['client']>, of = site) {
    const email = of.newAddress('dana')
    const { data } = await mallory.signUp({ email, password: PASSWORD })
    const [mail] = await of.post()
    return { email, data, link: linkIn(mail) }
  }

  async function expectTaken(target: URL, email: string, of = site) {
    expect(target.origin + target.pathname).toBe(`${SITE}/reset-password`)
    const fragment = new URLSearchParams(target.hash.slice(1))
    expect(fragment.get('type')).toBe('recovery')
    const [access_token, refresh_token] = ['access_token', 'refresh_token'].map((name) =>
      String(fragment.get(name)),
    ) as [string, string]
    const refused = await of.client().signInWithPassword({ email, password: PASSWORD })
    expect(refused.error?.code).toBe('invalid_credentials')
    const dana = of.client({ flowType: 'implicit' })
    await dana.setSession({ access_token, refresh_token })
    expect((await dana.updateUser({ password: 'a better horse 10' })).error).toBeNull()
    const signedIn = await of.client().signInWithPassword({ email, password: 'a better horse 10' })
    expect(signedIn.error).toBeNull()
    await of.post()
  }

  test('the stranger who signed up is signed out, and dana chooses the password', async () => {
    const mallory = site.client()
    const { email, data, link } = await signedUpBy(mallory)
    await expectTaken(await pressLink(link, site), email)
    expect((await me(data.session?.access_token as string, site)).status).toBe(401)
    expect((await mallory.refreshSession()).error).not.toBeNull()
  })

  test('the stranger is signed out even if sign-up waits for the mail or dana signed up later', async () => {
    const strict = await openAuthSite(outside(), { autoconfirm: false })
    const { email, link } = await signedUpBy(strict.client(), strict)
    await expectTaken(await pressLink(link, strict), email, strict)

    const second = await signedUpBy(strict.client(), strict)
    const dana = await strict.client().signUp({ email: second.email, password: 'another horse 11' })
    const [mail] = await strict.post()
    const target = await pressLink(linkIn(mail), strict, dana.data.user?.id)
    await expectTaken(target, second.email, strict)
  })

  test('mallory is signed out even if she moved to dana’s address or dana asked for a new password', async () => {
    const mallory = await newMember(site)
    const email = site.newAddress('dana')
    await mallory.client.updateUser({ email })
    await expectTaken(await pressLink(linkIn((await site.post())[0]), site), email)

    const waiting = await signedUpBy(site.client())
    await site.client({ flowType: 'implicit' }).resetPasswordForEmail(waiting.email, {
      redirectTo: `${SITE}/reset-password`,
    })
    await expectTaken(await pressLink(linkIn((await site.post())[0]), site), waiting.email)
  })

  test('a link with a redirect elsewhere leads to this site’s own page', async () => {
    const own = await openAuthSite(outside(), { redirectUrls: ['https://app.example/welcome'] })
    const email = own.newAddress('dana')
    await own.client().signUp({
      email,
      password: PASSWORD,
      options: { emailRedirectTo: 'https://app.example/welcome' },
    })
    const target = await pressLink(linkIn((await own.post())[0]), own)
    expect(target.origin).toBe(SITE)
  })

  test('a link requested at the onion address stays there, and so does its redirect', async () => {
    const onionUrl = `http://${'kettle'.repeat(9)}ad.onion`
    const own = await openAuthSite(outside(), { onionUrl })
    await own.client().signUp({
      email: own.newAddress('dana'),
      password: PASSWORD,
      options: { emailRedirectTo: onionUrl },
    })
    const link = linkIn((await own.post())[0])
    expect([new URL(link).origin, (await pressLink(link, own)).origin]).toEqual([
      onionUrl,
      onionUrl,
    ])
  })

  test('dana, who opens the link where she signed up, keeps her password and session', async () => {
    const { email, data, link } = await signedUpBy(site.client())
    const target = await pressLink(link, site, data.user?.id)
    expect(target.pathname).toBe('/')
    expect((await me(data.session?.access_token as string, site)).status).toBe(200)
    const again = await site.client().signInWithPassword({ email, password: PASSWORD })
    expect(again.error).toBeNull()
  })
})

describe('redirects', () => {
  test.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'http:evil.example',
    `${SITE}@evil.example/`,
    `http://user@kettle.test/`,
    `http://user:word@kettle.test/`,
    'http://kettle.test:8080/',
    'https://kettle.test/',
    'http://kettle.test.evil.example/',
    'http://evil.example#http://kettle.test',
    'http://kettle.test\t.evil.example/',
    '\thttp://evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
  ])('a redirect to %j leads to the site itself', async (wanted) => {
    const { email } = await newMember(site)
    await site.client({ flowType: 'implicit' }).resetPasswordForEmail(email, { redirectTo: wanted })
    const target = await pressLink(linkIn((await site.post())[0]), site)
    expect([target.origin, target.username, target.password]).toEqual([SITE, '', ''])
    // Changing the link afterwards doesn't help either.
    const second = await forgetful(site)
    second.link.searchParams.set('redirect_to', wanted)
    expect((await pressLink(second.link, site)).origin).toBe(SITE)
  })

  test('a redirect to the site’s paths and listed addresses is followed exactly', async () => {
    const own = await openAuthSite(outside(), { redirectUrls: ['https://app.example/welcome'] })
    const leadsTo = async (wanted: string) => {
      const { link } = await forgetful(own)
      link.searchParams.set('redirect_to', wanted)
      const target = await pressLink(link, own)
      return target.origin + target.pathname
    }
    expect(await leadsTo('https://app.example/welcome')).toBe('https://app.example/welcome')
    expect(await leadsTo('https://app.example/welcome/')).toBe(`${SITE}/`)
    expect(await leadsTo('/profile')).toBe(`${SITE}/profile`)
  })
})
