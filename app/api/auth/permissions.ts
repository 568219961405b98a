/**
 * Who may do what: the table of Spec §6, a question per row. Commands ask here before they write,
 * screens are told the answers.
 */
import type { Actor } from './actor.ts'

const anybody = () => true
const signedIn = (actor: Actor) => actor.role !== 'visitor'
export const administrator = (actor: Pick<Actor, 'role'>) =>
  actor.role === 'admin' || actor.role === 'owner'
/** Decides about posts, and about nothing else. D58. */
export const moderator = (actor: Pick<Actor, 'role'>) =>
  actor.role === 'moderator' || administrator(actor)
const owner = (actor: Actor) => actor.role === 'owner'
/** Menus believe what a person says of itself; rights do not. S10. */
const looksLikeEmployer = (actor: Actor) =>
  actor.role === 'employer' || (actor.role === 'member' && actor.userType === 'employer')

/** What can be asked without naming a thing. `GET /api/v1/me` answers those that are true. */
export const general = {
  browseCompanies: anybody,
  seeCompanySearch: (actor: Actor) => !looksLikeEmployer(actor),
  sendContactMessage: anybody,
  requestCompany: anybody,
  seeDiscussionsLink: (actor: Actor) => !looksLikeEmployer(actor),
  readContactMessages: administrator,
  addCompany: administrator,
  /** The page opens for anyone with a profile; running what is on it does not. S11. */
  openAdminTools: signedIn,
  runAdminTools: administrator,
  manageCompanyRequests: owner,
  /** "Admin plus that same e-mail": every administrator, the owner among them. S29. */
  openAdminPanel: administrator,
  openTracking: administrator,
  manageAccounts: administrator,
  /** At once, and decide on what members suggest. S14. */
  editCompanies: administrator,
  /** With all that was said about them. S14. */
  deleteCompanies: administrator,
  /** On cards off the home page. Spec §2.6. */
  seeViewCounts: administrator,
  moderate: moderator,
  /** Members whose address is confirmed: one person, one rating. Employers do not rate. */
  rate: (actor: Actor) => actor.account?.isEmailConfirmed === true && actor.role !== 'employer',
  /** At all their posts of some days: about a person, not about a post. D58. */
  suspendAuthors: administrator,
  /** For good; moderators hide them. */
  removeReplies: administrator,
} satisfies Record<string, (actor: Actor) => boolean>

export type Permission = keyof typeof general

export const may = {
  ...general,
  /** Members, and visitors whose browser has an anonymous id. Employers read. */
  write: (actor: Actor) => actor.authorKey !== null && actor.role !== 'employer',
  /** Everybody with an account, once it is certain whose: an administrator looks at it first. */
  suggestEdit: (actor: Actor) => actor.account?.isEmailConfirmed === true || administrator(actor),
  /** One's own words only: nobody puts words into another's mouth. */
  edit: (_actor: Actor, post: { isMine: boolean }) => post.isMine,
  deleteComment: (actor: Actor, comment: { isMine: boolean }) =>
    administrator(actor) || comment.isMine,
  /** `isMine`: the author by account or by anonymous id, as the server worked it out. */
  deleteThread: (actor: Actor, thread: { isMine: boolean }) =>
    administrator(actor) || thread.isMine,
  /** Not even an administrator: this way is for one's own posts. */
  deleteByTitle: (_actor: Actor, thread: { isMine: boolean }) => thread.isMine,
}

/** The names of what this person may do. */
export const permissionsOf = (actor: Actor): Permission[] =>
  (Object.keys(general) as Permission[]).filter((name) => general[name](actor))
