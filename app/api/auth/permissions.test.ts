import { describe, expect, test } from 'vitest'
import { type Actor, ROLES, type Role, visitor } from './actor.ts'
import { ACCESS, type Access, GENERAL_PERMISSIONS, may, permissionsOf } from './permissions.ts'

const actor = (role: Role, userType: Actor['userType'] = null): Actor => ({
  ...visitor,
  role,
  userType,
})

/** Spec §6, a row per capability; the owner is the administrator with the one e-mail address. */
const TABLE = {
  //                      visitor member employer moderator admin owner
  browseCompanies: [true, true, true, true, true, true],
  seeCompanySearch: [true, true, false, true, true, true],
  seeDiscussionsLink: [true, true, false, true, true, true],
  readContactMessages: [false, false, false, false, true, true],
  addCompany: [false, false, false, false, true, true],
  openAdminTools: [false, true, true, true, true, true],
  // S11: anybody may open the page; an administrator runs what's on it.
  runAdminTools: [false, false, false, false, true, true],
  manageCompanyRequests: [false, false, false, false, false, true],
  openAdminPanel: [false, false, false, false, true, true],
  openTracking: [false, false, false, false, true, true],
  manageAccounts: [false, false, false, false, true, true],
  // S14: what a member changes is a suggestion.
  editCompanies: [false, false, false, false, true, true],
  deleteCompanies: [false, false, false, false, true, true],
  seeViewCounts: [false, false, false, false, true, true],
  // Not in the specification: the queue of reports and what is decided there. D58.
  moderate: [false, false, false, true, true, true],
  // Depends on the account, so it's tested below.
  rate: [false, false, false, false, false, false],
  suspendAuthors: [false, false, false, false, true, true],
  removeReplies: [false, false, false, false, true, true],
  mergeCompanies: [false, false, false, false, true, true],
} satisfies Record<keyof typeof GENERAL_PERMISSIONS, boolean[]>

describe.each(Object.entries(TABLE))('Spec §6: %s', (capability, row) => {
  test.each(ROLES.map((role, i) => [role, row[i] as boolean] as const))(
    '%s: %s',
    (role, answer) => {
      expect(GENERAL_PERMISSIONS[capability as keyof typeof GENERAL_PERMISSIONS](actor(role))).toBe(
        answer,
      )
    },
  )
})

describe('Spec §6: deleting', () => {
  test.each(ROLES)('can delete their own threads and comments: %s', (role) => {
    expect(may.deleteThread(actor(role), { isMine: true })).toBe(true)
    expect(may.deleteComment(actor(role), { isMine: true })).toBe(true)
  })
  test.each(ROLES)(
    'can delete others’ threads and comments only as an administrator: %s',
    (role) => {
      const isAdmin = role === 'admin' || role === 'owner'
      expect(may.deleteThread(actor(role), { isMine: false })).toBe(isAdmin)
      expect(may.deleteComment(actor(role), { isMine: false })).toBe(isAdmin)
    },
  )
  test('only the author deletes by title', () => {
    expect(may.deleteByTitle({ isMine: true })).toBe(true)
    expect(may.deleteByTitle({ isMine: false })).toBe(false)
  })
})

describe('Spec §6: writing and rating', () => {
  const account = { isEmailConfirmed: true } as Actor['account']
  test.each(ROLES)('%s can write with an author key, unless they act for a company', (role) => {
    expect(may.write({ ...actor(role), authorKey: 'k' })).toBe(role !== 'employer')
    expect(may.write(actor(role))).toBe(false)
  })
  test.each(ROLES)(
    '%s can rate with a confirmed address, unless they act for a company',
    (role) => {
      expect(may.rate({ ...actor(role), account })).toBe(role !== 'employer')
      expect(may.rate(actor(role))).toBe(false)
      const unconfirmed = { isEmailConfirmed: false } as Actor['account']
      expect(may.rate({ ...actor(role), account: unconfirmed })).toBe(false)
    },
  )
  test('people can edit their own posts and no one else’s', () => {
    expect(may.editPost({ isMine: true })).toBe(true)
    expect(may.editPost({ isMine: false })).toBe(false)
  })
})

describe('S14: suggesting a change of a company', () => {
  const account = { isEmailConfirmed: true } as Actor['account']
  test.each(ROLES)('with a confirmed address, %s can suggest a change', (role) => {
    const { allows } = ACCESS.suggester
    expect(allows({ ...actor(role), account })).toBe(true)
    const isAdmin = role === 'admin' || role === 'owner'
    expect(allows(actor(role))).toBe(isAdmin)
  })
})

test('S10: someone who only says they’re an employer gets the menus but no permissions', () => {
  const claims = actor('member', 'employer')
  expect(GENERAL_PERMISSIONS.seeDiscussionsLink(claims)).toBe(false)
  expect(GENERAL_PERMISSIONS.seeCompanySearch(claims)).toBe(false)
  const withheld = ['seeDiscussionsLink', 'seeCompanySearch']
  expect(permissionsOf(claims)).toEqual(
    permissionsOf(actor('member')).filter((name) => !withheld.includes(name)),
  )
  // And an administrator loses nothing by saying so.
  expect(permissionsOf(actor('admin', 'employer'))).toEqual(permissionsOf(actor('admin')))
})

test('the answer lists exactly what’s allowed', () => {
  expect(permissionsOf(visitor)).toEqual([
    'browseCompanies',
    'seeCompanySearch',
    'seeDiscussionsLink',
  ])
  // Whether someone may rate depends on the account.
  expect(permissionsOf(actor('owner'))).toEqual(
    Object.keys(GENERAL_PERMISSIONS).filter((name) => name !== 'rate'),
  )
})

describe('someone who can’t call an endpoint reads why', () => {
  const none: Actor = { ...visitor, account: null }
  const dana: Actor = { ...actor('member'), authorKey: 'k', account: {} as Actor['account'] }
  const erin: Actor = { ...dana, role: 'employer' }
  const halfway: Actor = { ...none, secondFactor: 'awaited' }
  const lacking: Actor = { ...dana, secondFactor: 'needed' }
  const olga: Actor = { ...dana, account: { hasOwnersAddress: true } as Actor['account'] }

  test.each<[Access, Actor, string, string]>([
    [
      'author',
      none,
      'sign-in-required',
      'Your browser didn’t send an anonymous ID. Reload the page or log in.',
    ],
    [
      'author',
      halfway,
      'second-step-needed',
      'Please finish logging in with your second step first',
    ],
    [
      'author',
      erin,
      'employer-not-allowed',
      'Employers can’t post here. Your company can reply on its own page.',
    ],
    ['signedIn', none, 'sign-in-required', 'Please log in first'],
    [
      'signedIn',
      halfway,
      'second-step-needed',
      'Please finish logging in with your second step first',
    ],
    ['confirmed', none, 'sign-in-required', 'Please log in first'],
    ['confirmed', dana, 'unconfirmed', 'Please confirm your email first. We’ve sent you a link.'],
    ['suggester', dana, 'unconfirmed', 'Please confirm your email first. We’ve sent you a link.'],
    ['rater', none, 'sign-in-required', 'Please log in first'],
    ['rater', dana, 'unconfirmed', 'Please confirm your email first. We’ve sent you a link.'],
    ['rater', erin, 'employer-not-allowed', 'Employers can’t rate here'],
    ['employer', none, 'sign-in-required', 'Please log in first'],
    ['employer', dana, 'forbidden', 'You don’t act for this company'],
    ['employer', lacking, 'forbidden', 'You don’t act for this company'],
    ['employerOrAdmin', none, 'sign-in-required', 'Please log in first'],
    ['employerOrAdmin', dana, 'forbidden', 'You don’t act for this company'],
    [
      'employerOrAdmin',
      lacking,
      'second-factor-needed',
      'Please set up two-step login in your settings before you help run this site',
    ],
    ['moderator', dana, 'forbidden', 'Only moderators can do this'],
    ['admin', none, 'sign-in-required', 'Please log in first'],
    ['admin', dana, 'forbidden', 'Only an administrator can do this'],
    [
      'admin',
      lacking,
      'second-factor-needed',
      'Please set up two-step login in your settings before you help run this site',
    ],
    ['owner', olga, 'forbidden', 'Only the site’s owner can do this'],
  ])('%s', (access, asker, code, message) => {
    expect(ACCESS[access].allows(asker)).toBe(false)
    expect(ACCESS[access].refuse(asker)).toMatchObject({ code, message })
  })

  test('the refusal is the contract’s own sentence, if it has one', () => {
    const own = { signedOut: 'Log in to see it', forbidden: 'Not you', unappointed: 'Not yet' }
    const said = (access: Access, asker: Actor) => ACCESS[access].refuse(asker, own).message
    for (const access of ['signedIn', 'confirmed', 'rater', 'employer', 'owner'] as const)
      expect(said(access, none)).toBe(own.signedOut)
    for (const access of ['author', 'rater', 'employer', 'owner'] as const)
      expect(said(access, erin)).toBe(own.forbidden)
    expect(said('confirmed', dana)).toBe(own.forbidden)
    expect(said('owner', olga)).toBe(own.unappointed)
  })
})
