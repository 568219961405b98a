/**
 * Permissions: the table of Spec §6. `ALLOWS` is what a contract's `access` asks, and the permissions that screens receive
 * are made of the same functions, so that a button shows where its endpoint lets people in (tests/permissions.test.ts).
 * Contact and company requests are for everyone, so they have none. `seeCompanySearch` and `seeDiscussionsLink` only
 * choose menus, and nothing asks for `browseCompanies` and `openAdminTools`.
 */
import type { Access } from '../contract.ts'
import type { Actor } from './actor.ts'

export const administrator = (actor: Pick<Actor, 'role'>) =>
  actor.role === 'admin' || actor.role === 'owner'
/** Decides on posts only. D58. */
export const moderator = (actor: Pick<Actor, 'role'>) =>
  actor.role === 'moderator' || administrator(actor)
const confirmed = ({ account }: Actor) => account?.isEmailConfirmed === true

/** Who gets past each access. What depends on a row, its command checks. */
export const ALLOWS: Record<Access, (actor: Actor) => boolean> = {
  anyone: () => true,
  /** Whose a row is, its command checks: without one there's nothing to refuse. */
  own: () => true,
  /** Members, and visitors with an anonymous id. Employers only read. */
  author: (actor) => actor.authorKey !== null && actor.role !== 'employer',
  member: ({ account }) => account !== null,
  confirmed,
  /** Members with a confirmed address: one person, one rating. Not employers. */
  rater: (actor) => confirmed(actor) && actor.role !== 'employer',
  employer: ({ account }) => account?.isEmployer === true,
  moderator,
  admin: administrator,
  owner: ({ role }) => role === 'owner',
}

/** Menus rely on what people say of themselves. Rights don't. S10. */
const looksLikeEmployer = (actor: Actor) =>
  actor.role === 'employer' || (actor.role === 'member' && actor.userType === 'employer')

/** Permissions that don't depend on an object. `GET /api/v1/me` returns those that hold. */
export const general = {
  browseCompanies: ALLOWS.anyone,
  seeCompanySearch: (actor: Actor) => !looksLikeEmployer(actor),
  seeDiscussionsLink: (actor: Actor) => !looksLikeEmployer(actor),
  readContactMessages: ALLOWS.admin,
  addCompany: ALLOWS.admin,
  /** The page opens for anyone with a profile, but only administrators may run the tools. S11. */
  openAdminTools: (actor: Actor) => actor.role !== 'visitor',
  runAdminTools: ALLOWS.admin,
  manageCompanyRequests: ALLOWS.owner,
  /** "Admin plus that same e-mail": every administrator, including the owner. S29. */
  openAdminPanel: ALLOWS.admin,
  openTracking: ALLOWS.admin,
  manageAccounts: ALLOWS.admin,
  /** Directly, and decide on members' suggestions. S14. */
  editCompanies: ALLOWS.admin,
  /** Deletes their posts and ratings too. S14. */
  deleteCompanies: ALLOWS.admin,
  /** They appear on cards off the home page. Spec §2.6. */
  seeViewCounts: ALLOWS.admin,
  moderate: ALLOWS.moderator,
  rate: ALLOWS.rater,
  /** Affects a person, not a post. D58. */
  suspendAuthors: ALLOWS.admin,
  /** Permanently. Moderators can hide them. */
  removeReplies: ALLOWS.admin,
} satisfies Record<string, (actor: Actor) => boolean>

export type Permission = keyof typeof general

export const may = {
  ...general,
  write: ALLOWS.author,
  /** Everyone with a confirmed account, as administrators review it. */
  suggestEdit: (actor: Actor) => confirmed(actor) || administrator(actor),
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
