/** The cast of every test: vera visitor, dana member, erin employer, ada admin, olga owner. */
import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { type Actor, type Role, visitor } from '#app/api/auth/actor.ts'
import { sealedAddress } from '#app/api/auth/addresses.server.ts'
import { authorKeyOfAccount, authorKeyOfVisitor } from '#app/api/auth/author-keys.server.ts'
import { newRoot } from '#app/api/auth/roots.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import type { Secrets } from '#app/platform/database/secrets.server.ts'

const PEOPLE = {
  dana: { id: '00000000-0000-4000-8000-00000000da4a', username: 'Dana', role: 'member' },
  erin: { id: '00000000-0000-4000-8000-00000000e214', username: 'Erin', role: 'employer' },
  ada: { id: '00000000-0000-4000-8000-000000000ada', username: 'Ada', role: 'admin' },
  olga: { id: '00000000-0000-4000-8000-00000000019a', username: 'Olga', role: 'owner' },
} as const satisfies Record<string, { id: string; username: string; role: Role }>

export type Person = 'vera' | keyof typeof PEOPLE

/** Olga's address, which makes her the owner. */
export const OWNER_EMAIL = 'olga@kettle.example'
/** The secret of vera's browser. */
const VERAS_ID = `anon-${'7e4a'.repeat(8)}`
const MEMBER_SINCE = '2026-01'

const roots = new Map<string, string>()

/**
 * The sealed root of a made-up account, the same for each call. @param who distinguishes people whom a
 * test treats as one account
 */
export function testRoot(secrets: Secrets, id: string, who = id) {
  const root = roots.get(who) ?? newRoot(secrets, id)
  roots.set(who, root)
  return root
}

/** Dana's account as if each person had their own, for tests that aren't about accounts. */
export const sharing = (account: Actor['account'], secrets: Secrets, who: string) =>
  account && { ...account, rootSealed: testRoot(secrets, account.id, who) }

/** Adds the cast to an empty, migrated database. Returns who each of them is to a query or command. */
export async function settle(db: Database, secrets: Secrets): Promise<Record<Person, Actor>> {
  const verasKey = authorKeyOfVisitor(secrets, VERAS_ID) as string
  const cast: Partial<Record<Person, Actor>> = { vera: { ...visitor, authorKey: verasKey } }
  for (const [name, { id, username, role }] of Object.entries(PEOPLE)) {
    const email = sealedAddress(secrets, id, `${name}@kettle.example`)
    const rootSealed = testRoot(secrets, id)
    await db.query(sql`
      insert into accounts
        (id, email_hash, email_sealed, root_sealed, is_email_confirmed, made_in_month)
      values (${id}, ${email.hash}, ${email.sealed}, ${rootSealed}, true, ${`${MEMBER_SINCE}-01`})`)
    await db.query(sql`
      insert into profiles (account_id, username, username_key)
      values (${id}, ${username}, ${username.toLowerCase()})`)
    cast[name as Person] = {
      role,
      userType: role === 'employer' ? 'employer' : null,
      account: {
        id,
        sessionId: randomUUID(),
        generation: 0,
        username,
        memberSince: MEMBER_SINCE,
        isEmailConfirmed: true,
        isEmployer: role === 'employer',
        hasOwnersAddress: role === 'owner',
        authenticatedAt: Math.floor(Date.now() / 1000),
        isRecovering: false,
        emailSealed: email.sealed,
        newEmailSealed: null,
        rootSealed,
      },
      authorKey: authorKeyOfAccount(secrets, id),
    }
  }
  for (const admin of [PEOPLE.ada, PEOPLE.olga])
    await db.query(sql`insert into admin_users (id) values (${admin.id})`)
  return cast as Record<Person, Actor>
}

/** What makes erin an employer on the server: a company, and an approved claim on it. */
export async function giveErinHerCompany(db: Database) {
  const id = '00000000-0000-4000-8000-00000000c001'
  await db.query(sql`
    insert into companies (id, name, name_key, slug)
    values (${id}, 'Erin and Sons', 'erin and sons', 'erin-and-sons')`)
  await db.query(sql`
    insert into employer_claims (account_id, company_id, status)
    values (${PEOPLE.erin.id}, ${id}, 'approved')`)
  return id
}
