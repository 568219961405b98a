/** What the site's key opens in a stolen copy, and what it doesn't. */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { ACCOUNT_EMAIL, mailboxOf } from '#app/api/auth/addresses.server.ts'
import { newRoot, openAccountRoot } from '#app/api/auth/roots.server.ts'
import { randomScalar, serializeElement, serializeScalar } from '#app/api/credential/group.ts'
import { holderKeyOf, keyHashOf, roomKeyOf } from '#app/api/credential/holder-keys.ts'
import { createCredentialRequest, tagOf } from '#app/api/credential/profile.ts'
import {
  payContextOf,
  ratingContextOf,
  requestContextOf,
  roomThreadContextOf,
} from '#app/api/credential/purposes.ts'
import { sealAuthor, threadKey } from '#app/community/discussions/posts/own-posts.server.ts'
import { sealContext } from '#app/platform/database/sealed-columns.server.ts'
import { createSecrets } from '#app/platform/database/secrets.server.ts'
import { paySubject } from '#app/ratings/pay/pay.ts'
import { ratingTag } from '#app/ratings/rating-tag.server.ts'
import { readEvidence } from './unmask/evidence.ts'
import { asToken, badgeRow, hashAsToken, openedWith, PAY_YEAR } from './unmask/keys.ts'
import type { Loot, Row } from './unmask/loot.ts'
import type { Truth } from './unmask/truth.ts'

const KEY = 'a key of the site'
const secrets = createSecrets(KEY)
const idOf = (n: number) => `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`
const [DANA, ADA, COMPANY, THREAD, OLD, PRESENTED, IN_ROOM, PAID] = [
  ...[1, 2, 3, 4, 5, 6, 7, 10].map(idOf),
] as [string, string, string, string, string, string, string, string]
const QUARTER = '2026-Q1'
const badgeOf = (email: string) => badgeRow(secrets, QUARTER, email)

const emailOf = (id: string) => (id === ADA ? 'ada@acme.example' : 'dana@mail.example')

let xid = 0
const row = (table: string, values: Row['values']): Row => ({ table, values, xid: ++xid, place: 0 })

/**
 * Dana wrote a thread, rated under her account once, and now rates and gives her pay with a credential. She has a badge
 * through a work address, and wrote in the room. Ada's account has her work address, and she has a badge, too.
 */
function stolen() {
  const accounts = [DANA, ADA].map((id) =>
    row('accounts', {
      id,
      root_sealed: newRoot(secrets, id),
      email_sealed: secrets.seal(emailOf(id), sealContext(ACCOUNT_EMAIL, id)),
    }),
  )
  const root = openAccountRoot(secrets, DANA, String(accounts[0]?.values.root_sealed))
  const m1 = randomScalar()
  const quarter = requestContextOf({ kind: 'ratings', quarter: QUARTER })
  const { m1Enc } = createCredentialRequest(m1, quarter, randomScalar).request
  const tagIn = (context: Uint8Array) =>
    Buffer.from(serializeElement(tagOf(m1, context))).toString('base64url')
  const rows = [
    ...accounts,
    row('threads', {
      id: THREAD,
      company_id: COMPANY,
      author_key: asToken(threadKey(root, THREAD)),
      person_sealed: asToken(sealAuthor(secrets, THREAD, { root })),
    }),
    row('credential_commitments', {
      account_id: DANA,
      commitment: asToken(serializeElement(m1Enc)),
    }),
    row('ratings', { id: OLD, company_id: COMPANY, tag: ratingTag({ secrets }, DANA, COMPANY) }),
    row('ratings', {
      id: PRESENTED,
      company_id: COMPANY,
      tag: secrets.hash('presented rating', tagIn(ratingContextOf(COMPANY))),
      holder_key_hash: asToken(keyHashOf(holderKeyOf(serializeScalar(m1), COMPANY))),
    }),
    row('pay_entries', {
      id: PAID,
      company_id: COMPANY,
      tag: secrets.hash('presented pay', tagIn(payContextOf(COMPANY, PAY_YEAR))),
      holder_key_hash: asToken(
        keyHashOf(holderKeyOf(serializeScalar(m1), paySubject(COMPANY, PAY_YEAR))),
      ),
    }),
    row('badge_holders', { address_hash: badgeOf('dana@acme.example') }),
    row('badge_holders', { address_hash: badgeOf(emailOf(ADA)) }),
    row('credential_mailboxes', {
      mailbox: hashAsToken(secrets.hash('credential mailbox', QUARTER, mailboxOf(emailOf(DANA)))),
    }),
    row('room_posts', {
      id: IN_ROOM,
      thread_id: IN_ROOM,
      thread_key: hashAsToken(secrets.hash('room author', tagIn(roomThreadContextOf(IN_ROOM)))),
      holder_key_hash: asToken(keyHashOf(roomKeyOf(serializeScalar(m1), IN_ROOM))),
    }),
  ]
  // A key in half of all rows is no one's, so there have to be others.
  for (let n = 0; n < 20; n++) rows.push(row('threads', { id: idOf(100 + n) }))
  return { rows, sightings: new Map(), papers: [] } satisfies Loot
}

const evidenceIn = (loot: Loot) => {
  const none = new Map()
  const rows = { posts: none, ratings: none, pays: none, badges: none, roomPosts: none }
  const truth = { companies: [COMPANY], accounts: none, ...rows }
  return readEvidence(loot, truth as unknown as Truth)
}

const ownersIn = (loot: Loot) => {
  const { traceOf } = evidenceIn(loot)
  return (id: string) => traceOf(id).owner
}

describe('the key of the site', () => {
  test('the site’s key opens whose a thread is, and computes whose an old rating is', () => {
    const ownerOf = ownersIn(openedWith(KEY, stolen(), '2026-03-14'))
    expect(ownerOf(THREAD)).toBe(ownerOf(DANA))
    expect(ownerOf(OLD)).toBe(ownerOf(DANA))
    expect(ownerOf(ADA)).not.toBe(ownerOf(DANA))
  })

  test('the site’s key leads from no account to a rating by a credential', () => {
    const ownerOf = ownersIn(openedWith(KEY, stolen(), '2026-03-14'))
    expect(ownerOf(PRESENTED)).not.toBe(ownerOf(DANA))
  })

  test('the site’s key leads from no account or rating to pay, unless its secret follows from the account', () => {
    const loot = stolen()
    const secret = createHash('sha256').update(ADA).digest()
    const following = idOf(11)
    loot.rows.push(
      row('pay_entries', {
        id: following,
        company_id: COMPANY,
        holder_key_hash: asToken(keyHashOf(holderKeyOf(secret, paySubject(COMPANY, PAY_YEAR)))),
      }),
    )
    const ownerOf = ownersIn(openedWith(KEY, loot, '2026-03-14'))
    expect(ownerOf(PAID)).not.toBe(ownerOf(DANA))
    expect(ownerOf(PAID)).not.toBe(ownerOf(PRESENTED))
    expect(ownerOf(following)).toBe(ownerOf(ADA))
  })

  test('the site’s key leads from no account to a room’s posts, and from them to no rating', () => {
    const ownerOf = ownersIn(openedWith(KEY, stolen(), '2026-03-14'))
    expect(ownerOf(IN_ROOM)).not.toBe(ownerOf(DANA))
    expect(ownerOf(IN_ROOM)).not.toBe(ownerOf(PRESENTED))
  })

  test('the site’s key finds the badge of an address it knows, and of no other one', () => {
    const ownerOf = ownersIn(openedWith(KEY, stolen(), '2026-03-14'))
    expect(ownerOf(badgeOf(emailOf(ADA)))).toBe(ownerOf(ADA))
    expect(ownerOf(badgeOf('dana@acme.example'))).not.toBe(ownerOf(DANA))
  })

  test('the site’s key finds which account’s mailbox got a credential', () => {
    const tablesOf = (loot: Loot, id: string) => [
      ...evidenceIn(loot).traceOf(id).rows.byTable.keys(),
    ]
    const opened = openedWith(KEY, stolen(), '2026-03-14')
    expect(tablesOf(opened, DANA)).toContain('credential_mailboxes')
    expect(tablesOf(opened, ADA)).not.toContain('credential_mailboxes')
    expect(tablesOf(stolen(), DANA)).not.toContain('credential_mailboxes')
  })

  test('the attack would find a post in a room whose secret follows from the account', () => {
    const loot = stolen()
    const secret = createHash('sha256').update(DANA).digest()
    const thread = idOf(8)
    loot.rows.push(
      row('room_posts', {
        id: thread,
        thread_id: thread,
        holder_key_hash: asToken(keyHashOf(roomKeyOf(secret, thread))),
      }),
    )
    const ownerOf = ownersIn(openedWith(KEY, loot, '2026-03-14'))
    expect(ownerOf(thread)).toBe(ownerOf(DANA))
  })

  test('both attacks need the site’s key', () => {
    const ownerOf = ownersIn(stolen())
    expect(ownerOf(THREAD)).not.toBe(ownerOf(DANA))
    expect(ownerOf(OLD)).not.toBe(ownerOf(DANA))
  })

  test('the attack would find a rating whose secret follows from the account', () => {
    const loot = stolen()
    const secret = Buffer.from(secrets.hash('holder', DANA), 'base64url')
    loot.rows.push(
      row('ratings', {
        id: idOf(9),
        company_id: COMPANY,
        holder_key_hash: asToken(keyHashOf(holderKeyOf(secret, COMPANY))),
      }),
    )
    const ownerOf = ownersIn(openedWith(KEY, loot, '2026-03-14'))
    expect(ownerOf(idOf(9))).toBe(ownerOf(DANA))
  })
})

test('a log line that names an account and a rating ties them', () => {
  const loot: Loot = {
    ...stolen(),
    papers: [{ source: 'log', text: `{"a":"${ADA}","r":"${OLD}"}` }],
  }
  const ownerOf = ownersIn(loot)
  expect(ownerOf(OLD)).toBe(ownerOf(ADA))
})
