/**
 * Permissions: the table of Spec §6. A contract's `access` asks `ACCESS`. The permissions that screens receive come from
 * the same functions, so people see a button only if its endpoint lets them in (tests/permissions.test.ts). Contact and
 * company requests are for everyone, so they have none. `seeCompanySearch` and `seeDiscussionsLink` only choose menus.
 * Nothing asks for `browseCompanies` and `openAdminTools`, but the specification has a row for each.
 */
import { forbidden, Refusal } from '#app/platform/http/refusal.ts'
import type { Actor } from './actor.ts'

export const isAdministrator = (actor: Pick<Actor, 'role'>) =>
  actor.role === 'admin' || actor.role === 'owner'
/** Decides on posts only. D58. */
export const isModerator = (actor: Pick<Actor, 'role'>) =>
  actor.role === 'moderator' || isAdministrator(actor)
const isOwner = ({ role }: Pick<Actor, 'role'>) => role === 'owner'
const isConfirmed = ({ account }: Actor) => account?.isEmailConfirmed === true

const isAuthor = ({ authorKey, role }: Actor) => authorKey !== null && role !== 'employer'
/** One person, one rating. */
const isRater = (actor: Actor) => isConfirmed(actor) && actor.role !== 'employer'

/** Sentences that a contract gives in place of the usual ones. */
export interface RefusalSentences {
  /** Unused for `author`, because visitors only ever lack an anonymous ID. */
  signedOut?: string
  forbidden?: string
  /** The caller has the owner's address, but no row in admin_users. S2. */
  unappointed?: string
}

type Refuse = (actor: Actor, sentences?: RefusalSentences) => Refusal

/** Signed out, or halfway through logging in. */
export const noAccount: Refuse = ({ secondFactor }, { signedOut = 'Please log in first' } = {}) =>
  secondFactor === 'awaited'
    ? new Refusal('second-step-needed', 'Please finish logging in with your second step first')
    : new Refusal('sign-in-required', signedOut)

export const noAnonymousId = (actor: Actor) =>
  noAccount(actor, {
    signedOut: 'Your browser didn’t send an anonymous ID. Reload the page or log in.',
  })

export const unconfirmed = withAccount(
  (_, { forbidden = 'Please confirm your email first. We’ve sent you a link.' } = {}) =>
    new Refusal('unconfirmed', forbidden),
)

/** The refusal for people whom `may.write` excludes. */
export const whyNotWrite: Refuse = (
  actor,
  { forbidden = 'Employers can’t post here. Your company can reply on its own page.' } = {},
) =>
  actor.authorKey === null ? noAnonymousId(actor) : new Refusal('employer-not-allowed', forbidden)

/** The refusal for people whom `may.rate` excludes. We don't ask employers to confirm, because that wouldn't help them. */
export const whyNotRate = withAccount((actor, { forbidden = 'Employers can’t rate here' } = {}) =>
  actor.role === 'employer' ? new Refusal('employer-not-allowed', forbidden) : unconfirmed(actor),
)

/** Tells people if a second factor would help. */
export const forbiddenFor = ({ secondFactor }: Actor, sentence: string) =>
  secondFactor === 'needed'
    ? new Refusal(
        'second-factor-needed',
        'Please set up two-step login in your settings before you help run this site',
      )
    : forbidden(sentence)

const onlyStaff = (sentence: string) =>
  withAccount((actor, { forbidden = sentence, unappointed = forbidden } = {}) =>
    forbiddenFor(actor, actor.account?.hasOwnersAddress ? unappointed : forbidden),
  )

/** @param refuse people with an account */
function withAccount(refuse: Refuse): Refuse {
  return (actor, sentences) =>
    actor.account ? refuse(actor, sentences) : noAccount(actor, sentences)
}

export const ACCESS_REFUSALS = {
  employer: 'You don’t act for this company',
  moderator: 'Only moderators can do this',
  admin: 'Only an administrator can do this',
  owner: 'Only the site’s owner can do this',
}

interface AccessRule {
  allows: (actor: Actor) => boolean
  /** Described in the API's document. */
  who: string
  /** Why everyone else is refused. */
  refuse: Refuse
}

/**
 * What a contract's `access` asks. `who` says who may call. Only `moderator`, `admin` and `owner` are ranks: each
 * also lets in the ones after it. If access depends on a row, the command checks it.
 */
export const ACCESS = {
  anyone: { allows: () => true, who: 'For everyone.', refuse: noAccount },
  /** The command checks whose row it is. The table in tests/endpoint-roles.db.test.ts calls each one as a stranger. */
  ownData: {
    allows: () => true,
    who: 'For people with an account, and for visitors with an anonymous ID. They can only access their own data.',
    refuse: noAccount,
  },
  /** As `ownData`, but the command also lets administrators access anyone's. The same table calls it as both. */
  ownDataOrAdmin: {
    allows: () => true,
    who: 'For people with an account, and for visitors with an anonymous ID. They can only access their own posts. Administrators can access all.',
    refuse: noAccount,
  },
  author: {
    allows: isAuthor,
    who: 'For members, and for visitors with an anonymous ID. Employers can’t do this.',
    refuse: whyNotWrite,
  },
  signedIn: {
    allows: ({ account }) => account !== null,
    who: 'For people with an account.',
    refuse: noAccount,
  },
  confirmed: {
    allows: isConfirmed,
    who: 'For people with a confirmed email address.',
    refuse: unconfirmed,
  },
  /** Administrators review what others suggest. */
  suggester: {
    allows: (actor) => isConfirmed(actor) || isAdministrator(actor),
    who: 'For people with a confirmed email address, and for administrators.',
    refuse: unconfirmed,
  },
  rater: {
    allows: isRater,
    who: 'For people with a confirmed email address. Employers can’t do this.',
    refuse: whyNotRate,
  },
  employer: {
    // The command checks for which company. See `requireToActFor`.
    allows: ({ account }) => account?.isEmployer === true,
    who: 'For people who act for a company. They can only access its data.',
    refuse: withAccount((_, { forbidden: sentence = ACCESS_REFUSALS.employer } = {}) =>
      forbidden(sentence),
    ),
  },
  /** Administrators see every company's numbers anyway. */
  employerOrAdmin: {
    // Whether the employer acts for this company, its query checks.
    allows: (actor) => actor.account?.isEmployer === true || isAdministrator(actor),
    who: 'For people who act for the company, and for administrators.',
    refuse: withAccount((actor, { forbidden: sentence = ACCESS_REFUSALS.employer } = {}) =>
      forbiddenFor(actor, sentence),
    ),
  },
  moderator: {
    allows: isModerator,
    who: 'For moderators and administrators.',
    refuse: onlyStaff(ACCESS_REFUSALS.moderator),
  },
  admin: {
    allows: isAdministrator,
    who: 'For administrators.',
    refuse: onlyStaff(ACCESS_REFUSALS.admin),
  },
  owner: {
    allows: isOwner,
    who: 'For the site’s owner.',
    refuse: onlyStaff(ACCESS_REFUSALS.owner),
  },
} satisfies Record<string, AccessRule>

export type Access = keyof typeof ACCESS

/** Menus rely on what people say about themselves. Rights don't. S10. */
const looksLikeEmployer = (actor: Actor) =>
  actor.role === 'employer' || (actor.role === 'member' && actor.userType === 'employer')

/** Permissions that don't depend on an object. `GET /api/v1/me` returns those that hold. */
export const GENERAL_PERMISSIONS = {
  browseCompanies: ACCESS.anyone.allows,
  seeCompanySearch: (actor: Actor) => !looksLikeEmployer(actor),
  seeDiscussionsLink: (actor: Actor) => !looksLikeEmployer(actor),
  readContactMessages: isAdministrator,
  addCompany: isAdministrator,
  /** The page opens for anyone with a profile, but only administrators may run the tools. S11. */
  openAdminTools: (actor: Actor) => actor.role !== 'visitor',
  runAdminTools: isAdministrator,
  manageCompanyRequests: isOwner,
  /** "Admin plus that same e-mail": every administrator, including the owner. S29. */
  openAdminPanel: isAdministrator,
  openTracking: isAdministrator,
  manageAccounts: isAdministrator,
  /** Administrators change companies directly, and decide on members' suggestions. S14. */
  editCompanies: isAdministrator,
  /** Deleting a company also deletes its posts and ratings. S14. */
  deleteCompanies: isAdministrator,
  mergeCompanies: isAdministrator,
  /** View counts appear on cards, but not on the home page. Spec §2.6. */
  seeViewCounts: isAdministrator,
  moderate: isModerator,
  rate: isRater,
  /** A suspension affects a person, not a post. D58. */
  suspendAuthors: isAdministrator,
  /** Deletes them permanently. Moderators can hide them. */
  removeReplies: isAdministrator,
} satisfies Record<string, (actor: Actor) => boolean>

export type Permission = keyof typeof GENERAL_PERMISSIONS

export const may = {
  ...GENERAL_PERMISSIONS,
  write: isAuthor,
  /** Includes visitors whose browser creates its anonymous ID only when they send something. */
  beginWriting: (actor: Actor) => isAuthor(actor) || actor.role === 'visitor',
  /**
   * Administrators can see a company's dashboard without acting for the company, because they can see all counts anyway.
   */
  openDashboards: isAdministrator,
  /** Own posts only, so no one puts words into another's mouth. */
  editPost: (post: { isMine: boolean }) => post.isMine,
  deleteComment: (actor: Actor, comment: { isMine: boolean }) =>
    isAdministrator(actor) || comment.isMine,
  /** `isMine`: the author by account or anonymous id, as determined by the server. */
  deleteThread: (actor: Actor, thread: { isMine: boolean }) =>
    isAdministrator(actor) || thread.isMine,
  /** Authors only, not even administrators. */
  deleteByTitle: (thread: { isMine: boolean }) => thread.isMine,
}

export const permissionsOf = (actor: Actor): Permission[] =>
  (Object.keys(GENERAL_PERMISSIONS) as Permission[]).filter((name) =>
    GENERAL_PERMISSIONS[name](actor),
  )
