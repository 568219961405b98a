/**
 * Permissions: the table of Spec §6. `ACCESS` is what a contract's `access` asks, and the permissions that screens receive
 * are made of the same functions, so that a button shows where its endpoint lets people in (tests/permissions.test.ts).
 * Contact and company requests are for everyone, so they have none. `seeCompanySearch` and `seeDiscussionsLink` only
 * choose menus, and nothing asks for `browseCompanies` and `openAdminTools`.
 */
import type { Actor } from './actor.ts'

export const administrator = (actor: Pick<Actor, 'role'>) =>
  actor.role === 'admin' || actor.role === 'owner'
/** Decides on posts only. D58. */
export const moderator = (actor: Pick<Actor, 'role'>) =>
  actor.role === 'moderator' || administrator(actor)
const owner = ({ role }: Pick<Actor, 'role'>) => role === 'owner'
const confirmed = ({ account }: Actor) => account?.isEmailConfirmed === true

const author = ({ authorKey, role }: Actor) => authorKey !== null && role !== 'employer'
/** One person, one rating. */
const rater = (actor: Actor) => confirmed(actor) && actor.role !== 'employer'

export interface AccessRule {
  allows: (actor: Actor) => boolean
  /** For the API's document. */
  who: string
  /** What signed-in people read, unless the contract says it better. */
  forbidden?: string
  /** A second factor may be all that someone lacks. */
  isStaff?: true
}

/**
 * What a contract's `access` asks: `who` says of each whom it lets in. Only `moderator`, `admin` and `owner` follow one
 * another, each with those after it. What depends on a row, its command checks.
 */
export const ACCESS = {
  anyone: { allows: () => true, who: 'For everyone.' },
  own: {
    // Whose a row is, its command checks: without one there's nothing to refuse.
    allows: () => true,
    who: 'For people with an account, and for visitors with an anonymous ID. They only reach their own data.',
  },
  author: {
    allows: author,
    who: 'For members, and for visitors with an anonymous ID. Employers can’t do this.',
  },
  member: { allows: ({ account }) => account !== null, who: 'For people with an account.' },
  confirmed: { allows: confirmed, who: 'For people with a confirmed email address.' },
  suggester: {
    allows: (actor) => confirmed(actor) || administrator(actor),
    who: 'For people with a confirmed email address, and for administrators.',
  },
  rater: {
    allows: rater,
    who: 'For people with a confirmed email address. Employers can’t do this.',
  },
  employer: {
    allows: ({ account }) => account?.isEmployer === true,
    who: 'For people who act for the company.',
    forbidden: 'You don’t act for this company',
  },
  moderator: {
    allows: moderator,
    who: 'For moderators and administrators.',
    forbidden: 'Only moderators can do this',
    isStaff: true,
  },
  admin: {
    allows: administrator,
    who: 'For administrators.',
    forbidden: 'Only an administrator can do this',
    isStaff: true,
  },
  owner: {
    allows: owner,
    who: 'For the site’s owner.',
    forbidden: 'Only the site’s owner can do this',
    isStaff: true,
  },
} satisfies Record<string, AccessRule>

export type Access = keyof typeof ACCESS

/** Menus rely on what people say of themselves. Rights don't. S10. */
const looksLikeEmployer = (actor: Actor) =>
  actor.role === 'employer' || (actor.role === 'member' && actor.userType === 'employer')

/** Permissions that don't depend on an object. `GET /api/v1/me` returns those that hold. */
export const general = {
  browseCompanies: ACCESS.anyone.allows,
  seeCompanySearch: (actor: Actor) => !looksLikeEmployer(actor),
  seeDiscussionsLink: (actor: Actor) => !looksLikeEmployer(actor),
  readContactMessages: administrator,
  addCompany: administrator,
  /** The page opens for anyone with a profile, but only administrators may run the tools. S11. */
  openAdminTools: (actor: Actor) => actor.role !== 'visitor',
  runAdminTools: administrator,
  manageCompanyRequests: owner,
  /** "Admin plus that same e-mail": every administrator, including the owner. S29. */
  openAdminPanel: administrator,
  openTracking: administrator,
  manageAccounts: administrator,
  /** Directly, and decide on members' suggestions. S14. */
  editCompanies: administrator,
  /** Deletes their posts and ratings too. S14. */
  deleteCompanies: administrator,
  mergeCompanies: administrator,
  /** They appear on cards off the home page. Spec §2.6. */
  seeViewCounts: administrator,
  moderate: moderator,
  rate: rater,
  /** Affects a person, not a post. D58. */
  suspendAuthors: administrator,
  /** Permanently. Moderators can hide them. */
  removeReplies: administrator,
} satisfies Record<string, (actor: Actor) => boolean>

export type Permission = keyof typeof general

export const may = {
  ...general,
  write: author,
  /** Also visitors whose browser makes its anonymous ID when they send something. */
  beginWriting: (actor: Actor) => author(actor) || actor.role === 'visitor',
  /** Everyone with a confirmed account, as administrators review it. */
  suggestEdit: ACCESS.suggester.allows,
  /** A company's dashboard, also without acting for the company: they can see all counts anyway. */
  openDashboards: administrator,
  /** Own posts only, so no one puts words into another's mouth. */
  edit: (_actor: Actor, post: { isMine: boolean }) => post.isMine,
  deleteComment: (actor: Actor, comment: { isMine: boolean }) =>
    administrator(actor) || comment.isMine,
  /** `isMine`: the author by account or anonymous id, as determined by the server. */
  deleteThread: (actor: Actor, thread: { isMine: boolean }) =>
    administrator(actor) || thread.isMine,
  /** Authors only, not even administrators. */
  deleteByTitle: (_actor: Actor, thread: { isMine: boolean }) => thread.isMine,
}

export const permissionsOf = (actor: Actor): Permission[] =>
  (Object.keys(general) as Permission[]).filter((name) => general[name](actor))
