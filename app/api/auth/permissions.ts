/**
 * Permissions: the table of Spec §6, one function per row. Contact and company requests are for everyone, so they have none.
 * Commands check them before writing, and screens receive the results. `seeCompanySearch` and `seeDiscussionsLink` only choose
 * menus, and nothing asks for `browseCompanies` and `openAdminTools`.
 */
import type { Actor } from './actor.ts'

const anybody = () => true
const signedIn = (actor: Actor) => actor.role !== 'visitor'
export const administrator = (actor: Pick<Actor, 'role'>) =>
  actor.role === 'admin' || actor.role === 'owner'
/** Decides on posts only. D58. */
export const moderator = (actor: Pick<Actor, 'role'>) =>
  actor.role === 'moderator' || administrator(actor)
const owner = (actor: Actor) => actor.role === 'owner'
/** Menus rely on what people say of themselves. Rights don't. S10. */
const looksLikeEmployer = (actor: Actor) =>
  actor.role === 'employer' || (actor.role === 'member' && actor.userType === 'employer')

/** Permissions that don't depend on an object. `GET /api/v1/me` returns those that hold. */
export const general = {
  browseCompanies: anybody,
  seeCompanySearch: (actor: Actor) => !looksLikeEmployer(actor),
  seeDiscussionsLink: (actor: Actor) => !looksLikeEmployer(actor),
  readContactMessages: administrator,
  addCompany: administrator,
  /** The page opens for anyone with a profile, but only administrators may run the tools. S11. */
  openAdminTools: signedIn,
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
  /** They appear on cards off the home page. Spec §2.6. */
  seeViewCounts: administrator,
  moderate: moderator,
  /** Members with a confirmed address: one person, one rating. Not employers. */
  rate: (actor: Actor) => actor.account?.isEmailConfirmed === true && actor.role !== 'employer',
  /** Affects a person, not a post. D58. */
  suspendAuthors: administrator,
  /** Permanently. Moderators can hide them. */
  removeReplies: administrator,
} satisfies Record<string, (actor: Actor) => boolean>

export type Permission = keyof typeof general

export const may = {
  ...general,
  /** Members, and visitors with an anonymous id. Employers only read. */
  write: (actor: Actor) => actor.authorKey !== null && actor.role !== 'employer',
  /** Everyone with a confirmed account, as administrators review it. */
  suggestEdit: (actor: Actor) => actor.account?.isEmailConfirmed === true || administrator(actor),
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
