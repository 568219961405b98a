/** Moderators: appointed at the terminal, with the second factor and the twelve hours of administrators. */
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  addApp,
  good,
  newConfirmed,
  tokenOf,
} from '#app/identity/accounts/second-factors/factor-people.fixture.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { type AuthSite, openAuthSite, PASSWORD } from '#tests/support/auth-site.ts'
import { withDatabase } from '#tests/support/database.ts'
import {
  grantAdmin,
  grantModerator,
  listAdmins,
  listModerators,
  revokeAdmin,
  revokeModerator,
} from './admin-commands.server.ts'

const { as, outside } = withDatabase()
let strict: AuthSite
let lenient: AuthSite
beforeAll(async () => {
  strict = await openAuthSite(outside(), { adminSecondFactor: 'required' })
  lenient = await openAuthSite(outside(), { adminSecondFactor: 'offered' })
})

const HOUR_MS = 3_600_000

const appoint = (id: string) => outside().query(sql`insert into moderators (id) values (${id})`)
const dismiss = (id: string) => outside().query(sql`delete from moderators where id = ${id}`)
const me = async (site: AuthSite, token: string) =>
  (await site.call('/api/v1/me', { token })).json()

async function newMila(site: AuthSite) {
  const mila = await newConfirmed(site, 'mila')
  await appoint(mila.id)
  return mila
}

describe('a moderator', () => {
  test('mila moderates posts, and has no power over accounts, companies, claims or messages', async () => {
    const { client, id } = await newMila(lenient)
    const token = await tokenOf(client)
    const { role, can } = await me(lenient, token)
    expect(role).toBe('moderator')
    expect(can).toContain('moderate')
    for (const other of [
      'suspendAuthors',
      'removeReplies',
      'openAdminPanel',
      'manageAccounts',
      'editCompanies',
      'deleteCompanies',
      'mergeCompanies',
      'addCompany',
      'readContactMessages',
      'manageCompanyRequests',
      'openTracking',
    ])
      expect(can).not.toContain(other)
    expect((await lenient.call('/auth/v1/admin/users', { token })).status).toBe(403)
    // At once, with the same token.
    await dismiss(id)
    expect((await me(lenient, token)).role).toBe('member')
  })

  test('mila stays a member until she sets up a second factor, if administrators need one', async () => {
    const { client } = await newMila(strict)
    expect(await me(strict, await tokenOf(client))).toMatchObject({
      role: 'member',
      needsSecondFactor: true,
    })
    await addApp(strict, client)
    expect(await me(strict, await tokenOf(client))).toMatchObject({
      role: 'moderator',
      needsSecondFactor: false,
    })
  })

  test('mila signs in again after twelve hours, however she used her session', async () => {
    const { client, email } = await newMila(lenient)
    lenient.forward(11.5 * HOUR_MS)
    good(await client.refreshSession())
    const token = await tokenOf(client)
    expect((await me(lenient, token)).role).toBe('moderator')
    lenient.forward(HOUR_MS / 2)
    expect((await lenient.call('/api/v1/me', { token })).status).toBe(401)
    const { error } = await client.refreshSession()
    expect(error).toMatchObject({ code: 'session_expired' })
    good(await client.signInWithPassword({ email, password: PASSWORD }))
    lenient.forward(-12 * HOUR_MS)
  })

  test('mila moderates nothing while she acts for a company', async () => {
    const { client, id } = await newMila(lenient)
    const [company] = await outside().query<{ id: string }>(sql`
      insert into companies (name, name_key, slug)
      values ('Mila and Sons', 'mila and sons', 'mila-and-sons') returning id`)
    await outside().query(sql`
      insert into employer_claims (account_id, company_id, status)
      values (${id}, ${company?.id}, 'approved')`)
    const { role, can } = await me(lenient, await tokenOf(client))
    expect(role).toBe('employer')
    expect(can).not.toContain('moderate')
    await outside().query(
      sql`update employer_claims set status = 'revoked' where account_id = ${id}`,
    )
    expect((await me(lenient, await tokenOf(client))).role).toBe('moderator')
  })
})

test('npm run admin -- grant EMAIL --moderator takes a confirmed address that acts for no company', () =>
  as('dana', async (ctx) => {
    const moderators = async () =>
      (await listModerators(ctx)).filter((email) => email.endsWith('@kettle.example'))
    await giveErinHerCompany(ctx.db)
    await expect(grantModerator(ctx, 'nobody@kettle.example')).rejects.toThrow(/no account/)
    await expect(grantModerator(ctx, 'erin@kettle.example')).rejects.toThrow(/acts for a company/)
    await expect(grantModerator(ctx, 'ada@kettle.example')).rejects.toThrow(/is an administrator/)
    expect(await moderators()).toEqual([])
    expect(await grantModerator(ctx, 'Dana@kettle.example')).toMatch(/is now a moderator/)
    expect(await moderators()).toEqual(['dana@kettle.example'])
    expect(await listAdmins(ctx)).not.toContain('dana@kettle.example')
    // The higher role replaces the lower one.
    await grantAdmin(ctx, 'dana@kettle.example')
    expect(await moderators()).toEqual([])
    await revokeAdmin(ctx, 'dana@kettle.example')
    await grantModerator(ctx, 'dana@kettle.example')
    expect(await revokeModerator(ctx, 'dana@kettle.example')).toMatch(/no longer a moderator/)
    expect(await moderators()).toEqual([])
  }))
