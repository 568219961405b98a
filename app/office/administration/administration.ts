/** What administrators see and do, in words. Runs in the browser too: no I/O here. */
import type { AdminAction } from '#app/identity/accounts/administrators/admin-action.ts'

/** Spec §2.10. */
export const ADMIN_PANEL = {
  title: 'Admin Panel',
  subtitle: 'Manage your platform with comprehensive admin tools',
  badge: 'Administrator Access',
} as const

/** Spec §8: whoever may not open the panel. */
export const UNAUTHORIZED = {
  id: 'unauthorized',
  title: 'Unauthorized',
  variant: 'destructive',
} as const

/** Spec §8. */
export const STATS_FAILED = {
  id: 'admin-stats',
  title: 'Error',
  description: 'Failed to load admin statistics',
  variant: 'destructive',
} as const

/** The four cards, in their order. Spec §2.10. */
export const STAT_NAMES = {
  users: 'Total Users',
  companies: 'Companies',
  discussions: 'Discussions',
  pendingRequests: 'Pending Requests',
} as const
export type StatKey = keyof typeof STAT_NAMES

/** What mails are about, by the kind of job that sends them. */
export const MAIL_NAMES: Record<string, string> = {
  'account-mail': 'about an account',
  'badge-link': 'to confirm a work email for a badge',
  'claim-decided': 'with a decision on a claim',
  'claim-link': 'to confirm a work email',
  'company-news': 'about new threads and notes to companies',
  'company-request-approved': 'that a company is there now',
  'company-request-notice': 'to you about a request',
  'contact-answer': 'with an answer to a message',
  'digest-mail': 'about news',
  'waiting-mail': 'about what waits',
  'seat-invitation': 'to act for a company',
}

/** Why they could not be delivered, in the words of the queue. */
const UNDELIVERED_WORDS: Record<string, string> = {
  'not-an-address': 'the address is not valid',
  'refused-sender': 'the mail server refused our sender: look at MAIL_FROM, SPF and DKIM',
  'refused-address': 'the address was refused',
  'refused-message': 'the mail was refused: look at SPF and DKIM',
  'may-have-arrived': 'three times the connection was lost at the end, so it may have arrived',
}
export const undeliveredText = (reason: string) =>
  UNDELIVERED_WORDS[reason] ?? 'no server took it for three days'

/** What a card says while it loads. Spec §2.10. */
export const STAT_LOADING = '...'

/** What can be done to somebody's account. */
export const USER_ACTS = [
  'grant',
  'revoke',
  'grant-moderator',
  'revoke-moderator',
  'suspend',
  'unsuspend',
  'delete',
] as const
export type UserAct = (typeof USER_ACTS)[number]

/** Which accounts a list shows. */
export const USER_LISTS = ['all', 'administrators', 'moderators', 'suspended'] as const
export type UserList = (typeof USER_LISTS)[number]

export const USER_LIST_NAMES: Record<UserList, string> = {
  all: 'All',
  administrators: 'Administrators',
  moderators: 'Moderators',
  suspended: 'Suspended',
}

/** In which order, and of equals by username. */
export const USER_SORTS = ['name', 'role', 'status'] as const
export type UserSort = (typeof USER_SORTS)[number]

export const USER_SORT_NAMES: Record<UserSort, string> = {
  name: 'By name',
  role: 'By role: administrators first',
  status: 'By status: suspended first',
}

export const CONFIRMED = ['any', 'yes', 'no'] as const
export type Confirmed = (typeof CONFIRMED)[number]

export const CONFIRMED_NAMES: Record<Confirmed, string> = {
  any: 'Confirmed or not',
  yes: 'Confirmed',
  no: 'Not confirmed',
}

/** An address or a part of a username: nothing that is looked for is longer. */
export const USER_SEARCH_MAX = 254

/** What an administrator is asked before, and told after. `name` is the username. */
export const USER_ACT_WORDS: Record<
  UserAct,
  {
    button: string
    title: (name: string) => string
    text: string
    confirm: string
    busy: string
    done: (name: string) => string
  }
> = {
  grant: {
    button: 'Make administrator',
    title: (name) => `Make ${name} an administrator?`,
    text: 'An administrator sees every tool on this panel, edits companies and moderates. Only you can take it back.',
    confirm: 'Make administrator',
    busy: 'Granting...',
    done: (name) => `${name} is an administrator now`,
  },
  revoke: {
    button: 'Take back administrator',
    title: (name) => `Take ${name}’s administrator role back?`,
    text: 'The account stays. What was decided under this name stays too.',
    confirm: 'Take back',
    busy: 'Taking back...',
    done: (name) => `${name} is no longer an administrator`,
  },
  'grant-moderator': {
    button: 'Make moderator',
    title: (name) => `Make ${name} a moderator?`,
    text: 'A moderator decides about reported posts and appeals, under the own name. No accounts, no companies, no claims, no messages.',
    confirm: 'Make moderator',
    busy: 'Granting...',
    done: (name) => `${name} is a moderator now`,
  },
  'revoke-moderator': {
    button: 'Take back moderator',
    title: (name) => `Take ${name}’s moderator role back?`,
    text: 'The account stays. What was decided under this name stays too.',
    confirm: 'Take back',
    busy: 'Taking back...',
    done: (name) => `${name} is no longer a moderator`,
  },
  suspend: {
    button: 'Suspend',
    title: (name) => `Suspend ${name}?`,
    text: 'Every device is signed out, and nobody can sign in to this account until you lift it. What was written stays.',
    confirm: 'Suspend',
    busy: 'Suspending...',
    done: (name) => `${name} is suspended`,
  },
  unsuspend: {
    button: 'Lift suspension',
    title: (name) => `Let ${name} in again?`,
    text: 'Signing in works again at once.',
    confirm: 'Lift suspension',
    busy: 'Lifting...',
    done: (name) => `${name} can sign in again`,
  },
  delete: {
    button: 'Delete account',
    title: (name) => `Delete the account of ${name}?`,
    text: 'This cannot be undone. What was written stays, without author.',
    confirm: 'Delete for good',
    busy: 'Deleting...',
    done: (name) => `The account of ${name} is deleted`,
  },
}

/** After the administrator's name and before what it was done to: "Ada suspended Dana". */
export const ADMIN_ACTION_WORDS: Record<AdminAction, string> = {
  'grant-administrator': 'made an administrator of',
  'revoke-administrator': 'took the administrator role back from',
  'grant-moderator': 'made a moderator of',
  'revoke-moderator': 'took the moderator role back from',
  'change-account': 'changed the account of',
  'suspend-account': 'suspended',
  'unsuspend-account': 'lifted the suspension of',
  'delete-account': 'deleted the account of',
  'approve-request': 'approved the request for',
  'decline-request': 'declined the request for',
  'delete-request': 'deleted the request for',
  'add-company': 'added the company',
  'import-companies': 'imported',
  'undo-import': 'took an import back:',
  'approve-claim': 'approved the claim on',
  'decline-claim': 'declined the claim on',
  'revoke-claim': 'revoked the claim on',
  'remove-company-reply': 'removed the reply of',
  'delete-company': 'deleted the company',
  'merge-companies': 'merged',
  'undo-merge': 'undid the merge of',
}

/** The same as choices of a filter. */
export const ADMIN_ACTION_NAMES = Object.fromEntries(
  Object.entries(ADMIN_ACTION_WORDS).map(([action, words]) => [
    action,
    `${words[0]?.toUpperCase()}${words.slice(1)} …`,
  ]),
)
