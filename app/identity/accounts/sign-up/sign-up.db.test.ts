/** Who may sign up, over the real routes and a real database. */
import sql from 'sql-template-tag'
import { afterEach, describe, expect, test } from 'vitest'
import type { SignUpRule } from '#app/platform/operations/live-settings.ts'
import { openAuthSite, PASSWORD } from '#tests/support/auth-site.ts'
import { withDatabase } from '#tests/support/database.ts'
import { invitations, makeInvitation, revokeInvitation } from './invitations.server.ts'

const { as, outside } = withDatabase()
afterEach(() => outside().query(sql`delete from sign_up_invitations`))

const ada = () => as('ada', async (ctx) => ({ ...ctx, db: outside() }))

async function openSite(signUp: SignUpRule, autoconfirm = true) {
  const site = await openAuthSite(outside(), { signUp, autoconfirm })
  const join = async (email: string, invitation?: string) => {
    const answer = await site.call('/auth/v1/signup', {
      json: { email, password: PASSWORD, data: { username: 'Heron', invitation } },
    })
    const body = await answer.json()
    return { status: answer.status, msg: body.msg, metadata: body.user?.user_metadata }
  }
  return { site, join }
}

const refused = (msg: string) => expect.objectContaining({ status: 422, msg })

test('while sign-up is closed, nobody joins, invited or not, and members still log in', async () => {
  const open = await openSite({ mode: 'open', domains: [] })
  const email = open.site.newAddress()
  expect(await open.join(email)).toMatchObject({ status: 200 })
  const { site, join } = await openSite({ mode: 'closed', domains: [] })
  const closed = refused('Sign-up is closed for now. You can use the site without an account.')
  const { code } = await makeInvitation(await ada())
  expect(await join(site.newAddress())).toEqual(closed)
  expect(await join(site.newAddress(), code)).toEqual(closed)
  expect(await invitations({ db: outside() })).toHaveLength(1)
  const settings = await (await site.call('/auth/v1/settings')).json()
  expect(settings.disable_signup).toBe(true)
  const signedIn = await site.call('/auth/v1/token?grant_type=password', {
    json: { email, password: PASSWORD },
  })
  expect(signedIn.status).toBe(200)
})

describe('by invitation', () => {
  test('an invitation lets one person in, and nothing of it stays', async () => {
    const { site, join } = await openSite({ mode: 'invitation', domains: [] })
    expect(await join(site.newAddress())).toEqual(
      refused('You need an invitation to sign up. You can use the site without an account.'),
    )
    const { code } = await makeInvitation(await ada())
    const joined = await join(site.newAddress(), code)
    expect(joined).toMatchObject({ status: 200, metadata: { username: 'Heron' } })
    expect(joined.metadata).not.toHaveProperty('invitation')
    expect(await invitations({ db: outside() })).toEqual([])
    expect(await join(site.newAddress(), code)).toEqual(
      refused('This invitation was already used or revoked. Ask for another one.'),
    )
  })

  test('one of many people who use an invitation at once gets in', async () => {
    const { site, join } = await openSite({ mode: 'invitation', domains: [] })
    const { code } = await makeInvitation(await ada())
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => join(site.newAddress(), code)),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422])
  })

  test('whether an address has an account can’t be told from its invitation', async () => {
    const { site, join } = await openSite({ mode: 'invitation', domains: [] }, false)
    const email = site.newAddress()
    for (let times = 0; times < 2; times++) {
      const { code } = await makeInvitation(await ada())
      expect(await join(email, code)).toMatchObject({ status: 200 })
      expect(await invitations({ db: outside() })).toEqual([])
    }
  })

  test('a revoked invitation is worthless, and the log doesn’t say which it was', async () => {
    const { site, join } = await openSite({ mode: 'invitation', domains: [] })
    const ctx = await ada()
    const { id, code } = await makeInvitation(ctx)
    await revokeInvitation(ctx, id)
    await expect(revokeInvitation(ctx, id)).rejects.toMatchObject({ status: 404 })
    expect(await join(site.newAddress(), code)).toMatchObject({ status: 422 })
    const log = await outside().query<{ action: string; subject: string }>(sql`
      select action, subject from admin_log where action like '%-invitation' order by id desc limit 2`)
    expect(log).toEqual([
      { action: 'revoke-invitation', subject: 'sign up' },
      { action: 'make-invitation', subject: 'sign up' },
    ])
  })
})

test('by domain: those addresses join, however they’re typed, and others need an invitation', async () => {
  const { site, join } = await openSite({
    mode: 'domains',
    domains: ['acme.example', 'bolt.example'],
  })
  const name = site.newAddress().split('@')[0]
  expect(await join(`${name}@ACME.example`)).toMatchObject({ status: 200 })
  for (const domain of ['sub.acme.example', 'acme.example.evil.example', 'notacme.example'])
    expect(await join(`${name}@${domain}`)).toEqual(
      refused('To sign up, you need an invitation or an address at acme.example, bolt.example.'),
    )
  const { code } = await makeInvitation(await ada())
  expect(await join(site.newAddress(), code)).toMatchObject({ status: 200 })
})
