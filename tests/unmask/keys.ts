/**
 * What a thief who also has the site's key can read: it opens everything sealed, computes every key, hash and tag that the
 * site can compute for an account, and looks for them. What it finds becomes part of the rows, and the attacks continue from
 * there.
 */

import { createHash } from 'node:crypto'
import { ACCOUNT_EMAIL, addressHash, mailboxOf } from '#app/api/auth/addresses.server.ts'
import { authorKeyOfAccount } from '#app/api/auth/author-keys.server.ts'
import { contextKey, numberKeys } from '#app/api/auth/context-keys.server.ts'
import { openAccountRoot, openPersonRoots } from '#app/api/auth/roots.server.ts'
import {
  deserializeElement,
  type Element,
  scalars,
  serializeElement,
} from '#app/api/credential/group.ts'
import { holderKeyOf, keyHashOf, roomKeyOf } from '#app/api/credential/holder-keys.ts'
import { deserializeServerPrivateKey, type ServerPrivateKey } from '#app/api/credential/issuing.ts'
import { quartersAround } from '#app/api/credential/quarter.ts'
import { departedKey, threadKey } from '#app/community/discussions/posts/own-posts.server.ts'
import { pollKey, voteKey } from '#app/community/discussions/votes/vote-counts.server.ts'
import { badgeAddressHash } from '#app/companies/badges/badge-request.server.ts'
import { DAY_KEY, pseudonym } from '#app/companies/tracking/visitor-marks.server.ts'
import { credKey } from '#app/identity/accounts/account-queries.server.ts'
import { ISSUER_KEY } from '#app/identity/credentials/issuer-keys.server.ts'
import { sealContext } from '#app/platform/database/sealed-columns.server.ts'
import { createSecrets, type Secrets } from '#app/platform/database/secrets.server.ts'
import { helpfulKey } from '#app/ratings/helpful-votes.server.ts'
import { paySubject } from '#app/ratings/pay/pay.ts'
import { ratingTag } from '#app/ratings/rating-tag.server.ts'
import type { Evidence } from './evidence.ts'
import { isToken, type Loot, type Row, tokensIn, wordsIn } from './loot.ts'
import type { Truth } from './truth.ts'

/** Rows that are found by the key of their number. */
const NUMBERED = [
  ...['thread', 'comment', 'saved-thread', 'muted-thread', 'follow', 'suggestion', 'suspension'],
  ...['saved-job', 'job-alert'],
]
/** No one in this town has more of one kind. */
const NUMBERS = 256
/** No account here ends all its sessions this often. */
const GENERATIONS = 4
/** The town's. */
export const PAY_YEAR = 2026
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

interface Account {
  id: string
  email: string
  root: Buffer
  commitment?: Buffer
  vault?: Buffer
}

/** What the town's rows are about. */
interface Subjects {
  threads: string[]
  /** Threads in rooms. */
  roomThreads: string[]
  companies: string[]
  cases: string[]
  /** The keys for a day's clicks. */
  dayKeys: string[]
  months: string[]
  quarters: string[]
  issuerKeys: ServerPrivateKey[]
}

/** @param day YYYY-MM-DD of the theft */
export function openedWith(secretKey: string, loot: Loot, day: string): Loot {
  const secrets = createSecrets(secretKey)
  const { rows } = loot
  const accounts = accountsIn(secrets, rows)
  const accountOf = new Map(accounts.map(({ id, root }) => [root.toString('hex'), id]))
  const subjects = subjectsOf(secrets, rows, day)
  const stolen = new Set(rows.flatMap(({ values }) => tokensIn(values)))
  const computed = new Map(
    accounts.map((account) => [
      account.id,
      [...computedOf(secrets, account, subjects)].filter((token) => stolen.has(token)),
    ]),
  )
  return {
    ...loot,
    rows: rows.map((row) => {
      const ofAccount = row.table === 'accounts' ? computed.get(String(row.values.id)) : []
      const opened = openedIn(secrets, row, accountOf)
      return { ...row, opened: [...(ofAccount ?? []), ...opened] }
    }),
  }
}

function accountsIn(secrets: Secrets, rows: Row[]): Account[] {
  const columnOf = (table: string, column: string) =>
    new Map(
      rows
        .filter((row) => row.table === table)
        .map(({ values }) => [String(values.account_id), bytesOf(values[column])]),
    )
  const commitments = columnOf('credential_commitments', 'commitment')
  const vaults = columnOf('credential_vaults', 'sealed')
  return rows
    .filter(({ table }) => table === 'accounts')
    .map(({ values }) => {
      const id = String(values.id)
      const root = openAccountRoot(secrets, id, String(values.root_sealed))
      const email = secrets.open(String(values.email_sealed), sealContext(ACCOUNT_EMAIL, id))
      return { id, email, root, commitment: commitments.get(id), vault: vaults.get(id) }
    })
}

function subjectsOf(secrets: Secrets, rows: Row[], day: string): Subjects {
  const valuesOf = (column: string, of?: string) => [
    ...new Set(
      rows
        .filter(({ table }) => of === undefined || table === of)
        .map(({ values }) => values[column])
        .filter(isToken),
    ),
  ]
  const dayKeys = rows
    .filter(({ table }) => table === DAY_KEY.table)
    .map(({ values }) =>
      secrets.open(
        String(values[DAY_KEY.column]),
        sealContext(DAY_KEY, String(values[DAY_KEY.key])),
      ),
    )
  return {
    threads: valuesOf('id', 'threads'),
    roomThreads: valuesOf('thread_id', 'room_posts'),
    companies: valuesOf('company_id'),
    cases: valuesOf('case_id'),
    dayKeys,
    months: [day.slice(0, 7)],
    quarters: quartersAround(day).slice(0, 2),
    issuerKeys: rows
      .filter(({ table, values }) => table === ISSUER_KEY.table && values.sealed)
      .map(({ values: { quarter, sealed } }) =>
        secrets.open(String(sealed), sealContext(ISSUER_KEY, String(quarter))),
      )
      .map((key) => deserializeServerPrivateKey(Buffer.from(key, 'base64url'))),
  }
}

/** Everything that the site can compute for an account. */
function* computedOf(secrets: Secrets, account: Account, subjects: Subjects): Iterable<string> {
  const { id, email, root } = account
  const { threads, companies, cases, dayKeys, months, quarters } = subjects
  yield authorKeyOfAccount(secrets, id)
  yield secrets.hash('digest', id)
  for (let generation = 0; generation < GENERATIONS; generation++)
    yield secrets.hash('ended generation', id, String(generation)).slice(0, 22)
  for (const key of dayKeys) yield pseudonym(key, id)
  for (const quarter of quarters) {
    yield badgeRow(secrets, quarter, email)
    yield hashAsToken(secrets.hash('credential mailbox', quarter, mailboxOf(email)))
  }
  for (const company of companies) yield ratingTag({ secrets }, id, company)
  const keys: Buffer[] = [credKey(root), departedKey(root)]
  for (const kind of [...NUMBERED, ...months.map((month) => `news ${month}`)])
    keys.push(...numberKeys(root, kind, 0, NUMBERS))
  for (const thread of threads)
    keys.push(threadKey(root, thread), voteKey(root, thread), pollKey(root, thread))
  for (const company of companies) keys.push(helpfulKey(root, company))
  for (const one of cases) keys.push(contextKey(root, 'report', one))
  for (const key of keys) yield asToken(key)
  yield* guessedOf(secrets, account, subjects)
}

/**
 * Ways to get from an account to a credential's tags or holders: if the secret were stored or could be computed, or if the
 * issuer's keys tied the tag to the commitment.
 */
function* guessedOf(secrets: Secrets, account: Account, subjects: Subjects): Iterable<string> {
  const { id, root, commitment, vault } = account
  /** A tag in the formats that ratings, pay and posts in rooms use. */
  const tagged = (bytes: Uint8Array) => {
    const tag = Buffer.from(bytes).toString('base64url')
    const hashes = ['presented rating', 'presented pay'].map((kind) => secrets.hash(kind, tag))
    return [...hashes, hashAsToken(secrets.hash('room author', tag))]
  }
  const sources = [id, root.toString('base64url'), authorKeyOfAccount(secrets, id)]
  for (const source of sources) yield* tagged(Buffer.from(source))
  const guesses: Buffer[] = sources.flatMap((source) => [
    createHash('sha256').update(source).digest(),
    Buffer.from(secrets.hash('holder', source), 'base64url'),
  ])
  for (const at of PLACES_IN_VAULT) if (vault) guesses.push(vault.subarray(at, at + 32))
  if (commitment) guesses.push(commitment.subarray(1))
  for (const company of subjects.companies) {
    yield secrets.hash('presented rating', id, company)
    for (const subject of [company, paySubject(company, PAY_YEAR)])
      for (const guess of guesses) yield asToken(keyHashOf(holderKeyOf(guess, subject)))
  }
  for (const thread of subjects.roomThreads)
    for (const guess of guesses) yield asToken(keyHashOf(roomKeyOf(guess, thread)))
  if (!commitment) return
  for (const element of withIssuerKeys(subjects.issuerKeys, deserializeElement(commitment)))
    yield* tagged(serializeElement(element))
}

/** Where an unsealed secret would be: after the version, the salt or the nonce. */
const PLACES_IN_VAULT = [1, 17, 29, 61]

function* withIssuerKeys(issuerKeys: ServerPrivateKey[], commitment: Element): Iterable<Element> {
  yield commitment
  for (const { x0, x1, x2, x0Blinding } of issuerKeys) {
    for (const key of [x0, x1, x2, x0Blinding])
      for (const factor of [key, scalars.inv(key)]) yield commitment.multiplyUnsafe(factor)
  }
}

/** Whose a row is, from what's sealed in it. */
function* openedIn(
  secrets: Secrets,
  { values }: Row,
  accountOf: Map<string, string>,
): Iterable<string> {
  const personSealed = bytesOf(values.person_sealed)
  const keys = tokensIn(values).flatMap((token) => keyIn(token) ?? [])
  if (personSealed?.length === 16)
    for (const { root } of openPersonRoots(
      secrets,
      keys.map((key) => ({ key, personSealed })),
    )) {
      const account = accountOf.get(root.toString('hex'))
      if (account) yield account
    }
  for (const token of tokensIn(values)) {
    const text = openedText(secrets, token)
    if (text === undefined) continue
    yield* wordsIn(text)
    if (text.includes('@')) yield addressHash(secrets, text)
  }
}

/** Sealed without a context: job payloads. */
function openedText(secrets: Secrets, token: string) {
  try {
    return secrets.open(token)
  } catch {
    return undefined
  }
}

/** Bytes in the format of the stolen data. */
export const asToken = (bytes: Uint8Array) => `\\x${Buffer.from(bytes).toString('hex')}`

/** The same for a hash that's stored as bytes. */
export const hashAsToken = (hash: string) => asToken(Buffer.from(hash, 'base64url'))

/** The row of pay with this hash of its key, in base64url. */
export const payRow = (holder: string) => asToken(Buffer.from(holder, 'base64url'))

/** The key of the row for this confirmed address. */
export const badgeRow = (secrets: Secrets, quarter: string, email: string) =>
  hashAsToken(
    badgeAddressHash(secrets, quarter, { email, domain: email.slice(email.lastIndexOf('@') + 1) }),
  )

const bytesOf = (value: unknown) =>
  typeof value === 'string' && value.startsWith('\\x')
    ? Buffer.from(value.slice(2), 'hex')
    : undefined

/** 16 bytes that may be an owner's tweak. */
function keyIn(token: string) {
  const key = UUID.test(token) ? Buffer.from(token.replaceAll('-', ''), 'hex') : bytesOf(token)
  return key?.length === 16 ? key : undefined
}

/** What opens by design: the share of posts whose account the key reveals. Reported, not judged. */
export function postsOpened({ traceOf }: Evidence, { accounts, posts }: Truth) {
  const ownerOf = new Map([...accounts].map(([id, person]) => [person, traceOf(id).owner]))
  const ofMembers = [...posts].filter(
    ([, { person }]) => person !== undefined && ownerOf.has(person),
  )
  const found = ofMembers.filter(
    ([id, { person }]) => traceOf(id).owner === ownerOf.get(person as number),
  )
  return found.length / Math.max(1, ofMembers.length)
}
