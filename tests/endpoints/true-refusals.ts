/** What refusals claim about the person they refuse. Each sentence makes a claim, which must be true. */
import { expect } from 'vitest'

export interface Caller {
  /**
   * `signed-out` sends no token, `halfway` is waiting for the second step, and the token of `ended` is no longer
   * valid.
   */
  session: 'signed-out' | 'halfway' | 'ended' | 'signed-in'
  isUnconfirmed?: boolean
  isEmployer?: boolean
  /** A representative of Erin & Sons, and owner of its seats. */
  isErin?: boolean
  role?: 'moderator' | 'admin' | 'owner'
  /** Whether they're on the site's staff, but lack the required second factor. */
  lacksFactor?: boolean
  /** Whether they can't write for a week. */
  isSuspended?: boolean
}

const MEMBER: Caller = { session: 'signed-in' }
const ENDED: Caller = { session: 'ended' }
const CALLERS: Record<string, Caller> = {
  nobody: { session: 'signed-out' },
  vera: { session: 'signed-out' },
  vic: { session: 'signed-out' },
  dana: MEMBER,
  mona: MEMBER,
  uma: { ...MEMBER, isUnconfirmed: true },
  una: { ...MEMBER, isUnconfirmed: true, isEmployer: true },
  erin: { ...MEMBER, isEmployer: true, isErin: true },
  emil: { ...MEMBER, isEmployer: true },
  sid: { ...MEMBER, isSuspended: true },
  mila: { ...MEMBER, role: 'moderator' },
  ada: { ...MEMBER, role: 'admin' },
  olga: { ...MEMBER, role: 'owner' },
  hal: { session: 'halfway' },
  'ada without a factor': { ...MEMBER, lacksFactor: true },
  'mila without a factor': { ...MEMBER, lacksFactor: true },
  ...Object.fromEntries(
    ['late', 'sam', 'sue', 'seth', 'forged', 'notice'].map((who) => [who, ENDED]),
  ),
}

const isAdmin = ({ role }: Caller) => role === 'admin' || role === 'owner'

/** Later ones override earlier ones, such as the specification's own. */
const CLAIMS: [RegExp, (caller: Caller) => boolean][] = [
  [
    /\b(sign|log) in|anonymous id|bearer token|^authentication/i,
    (it) => it.session === 'signed-out',
  ],
  [/session has ended|session_id|^invalid JWT/i, (it) => it.session === 'ended'],
  [/take the second step|with your second step/i, (it) => it.session === 'halfway'],
  [/confirm (your|the)( account’s)? e-?mail/i, (it) => it.isUnconfirmed === true],
  [/^employers|whoever acts for|that act for a company/i, (it) => it.isEmployer === true],
  [/n['’]t act for this|only people who act|owner of this company/i, (it) => !it.isErin],
  [/second factor/i, (it) => it.lacksFactor === true],
  [/you can(not|’t) (write|report|suggest)\b.* until/i, (it) => it.isSuspended === true],
  [/moderators/i, (it) => !it.role],
  [/\badmin|permission to view|User not allowed/i, (it) => !isAdmin(it)],
  // Spec §8, to the letter. The only administrator it means is the owner.
  [
    /owner of the site|site['’]s owner|only (specific|authorized) admin/i,
    (it) => it.role !== 'owner',
  ],
  // A post's row says whose it is. The tests send these as someone who wrote none of it, or as the author where that's
  // refused.
  [/only (its author|delete your own)|Not authorized to delete|your own (post|note)/i, () => true],
  [
    /[Pp]lease set up two-step login|belong to a company request/,
    (it) => it.session !== 'signed-out',
  ],
]

export const isRefused = ({ status }: { status: number }) => status === 401 || status === 403

export function expectTruth(who: string, sentence: string, told: string) {
  const caller = CALLERS[who]
  if (!caller) throw new Error(`Who is ${who}?`)
  const claim = CLAIMS.findLast(([claim]) => claim.test(sentence))
  expect(claim, `says nothing that is known to be true: ${told}`).toBeDefined()
  expect(claim?.[1](caller), `is not true of ${who}: ${told}`).toBe(true)
}

/** If someone else may do it, the refusal must say why the caller may not. */
export const REASONS: [who: string, like: string, reason: RegExp][] = [
  ['uma', 'dana', /confirm/i],
  ['una', 'emil', /confirm/i],
  ['sid', 'dana', /until the end of/],
  ['hal', 'ada', /second step/],
  ['ada without a factor', 'ada', /set up two-step/],
  ['mila without a factor', 'mila', /set up two-step/],
]

/** What people see when a request is refused, in the format of the site, of `/auth/v1` or of Spec §7.3. */
export function sentenceIn(text: string): string {
  const { error, msg } = JSON.parse(text)
  return msg ?? error?.message ?? error
}
