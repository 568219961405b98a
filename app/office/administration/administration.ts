/** Texts and choices of the Admin Panel. Spec §2.10, §8. No I/O here. */
import type { AdminAction } from '#app/identity/accounts/administrators/admin-action.ts'

export const ADMIN_PANEL = {
  title: 'Admin Panel',
  subtitle: 'Manage your platform with comprehensive admin tools',
  badge: 'Administrator Access',
} as const

export const UNAUTHORIZED = {
  id: 'unauthorized',
  title: 'Unauthorized',
  variant: 'destructive',
} as const

export const STATS_FAILED = {
  id: 'admin-stats',
  title: 'Error',
  description: 'Failed to load admin statistics',
  variant: 'destructive',
} as const

/** Ordered as displayed. */
export const STAT_NAMES = {
  users: 'Total Users',
  companies: 'Companies',
  discussions: 'Discussions',
  pendingRequests: 'Pending Requests',
} as const
export type StatKey = keyof typeof STAT_NAMES

export const MAIL_NAMES: Record<string, string> = {
  'account-mail': 'about an account',
  'backup-mail': 'that the last backup is old',
  'badge-code': 'with a code for a badge',
  'claim-decided': 'with a decision on a claim',
  'claim-link': 'to confirm a work email',
  'company-news': 'about new threads and notes to companies',
  'company-request-approved': 'that a company was added',
  'company-request-notice': 'to you about a request',
  'contact-answer': 'with a reply to a message',
  'digest-mail': 'with notifications',
  'job-feed-paused': 'that a job feed is paused',
  'waiting-mail': 'about open tasks',
  'seat-invitation': 'to act for a company',
}

const UNDELIVERED_TEXTS: Record<string, string> = {
  'not-an-address': 'the address isn’t valid',
  'refused-sender': 'the mail server refused our sender. Check MAIL_FROM, SPF and DKIM',
  'refused-address': 'the address was refused',
  'refused-message': 'the email was refused. Check SPF and DKIM',
  'may-have-arrived':
    'the connection was lost at the end of three attempts, so it may have arrived',
}
export const undeliveredText = (reason: string) =>
  UNDELIVERED_TEXTS[reason] ?? 'no server accepted it for three days'

export const STAT_LOADING = '...'

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

export const USER_LISTS = ['all', 'administrators', 'moderators', 'suspended'] as const
export type UserList = (typeof USER_LISTS)[number]

export const USER_LIST_NAMES: Record<UserList, string> = {
  all: 'All',
  administrators: 'Administrators',
  moderators: 'Moderators',
  suspended: 'Suspended',
}

/** Accounts in the same group are sorted by username. */
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

/** Fits any email address. */
export const USER_SEARCH_MAX = 254

/** `name` is the username. */
export const USER_ACT_TEXTS: Record<
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
    text: 'Administrators can use every tool on this panel, edit companies and moderate. Only you can revoke this.',
    confirm: 'Make administrator',
    busy: 'Granting...',
    done: (name) => `${name} is now an administrator`,
  },
  revoke: {
    button: 'Remove administrator',
    title: (name) => `Remove ${name} as an administrator?`,
    text: 'The account stays, and so do the decisions made under this name.',
    confirm: 'Remove',
    busy: 'Removing...',
    done: (name) => `${name} is no longer an administrator`,
  },
  'grant-moderator': {
    button: 'Make moderator',
    title: (name) => `Make ${name} a moderator?`,
    text: 'Moderators decide on reported posts and appeals, under their own name. They can’t manage accounts, companies, claims or messages.',
    confirm: 'Make moderator',
    busy: 'Granting...',
    done: (name) => `${name} is now a moderator`,
  },
  'revoke-moderator': {
    button: 'Remove moderator',
    title: (name) => `Remove ${name} as a moderator?`,
    text: 'The account stays, and so do the decisions made under this name.',
    confirm: 'Remove',
    busy: 'Removing...',
    done: (name) => `${name} is no longer a moderator`,
  },
  suspend: {
    button: 'Suspend',
    title: (name) => `Suspend ${name}?`,
    text: 'This signs out every device and blocks logins until you lift it. Posts stay.',
    confirm: 'Suspend',
    busy: 'Suspending...',
    done: (name) => `${name} is suspended`,
  },
  unsuspend: {
    button: 'Lift suspension',
    title: (name) => `Lift ${name}’s suspension?`,
    text: 'They can log in again right away.',
    confirm: 'Lift suspension',
    busy: 'Lifting...',
    done: (name) => `${name} can log in again`,
  },
  delete: {
    button: 'Delete account',
    title: (name) => `Delete ${name}’s account?`,
    text: 'You can’t undo this. Posts stay up, without an author.',
    confirm: 'Delete permanently',
    busy: 'Deleting...',
    done: (name) => `${name}’s account was deleted`,
  },
}

/** Between the administrator's name and the subject: "Ada suspended Dana". */
export const ADMIN_ACTION_TEXTS: Record<AdminAction, string> = {
  'grant-administrator': 'gave the administrator role to',
  'revoke-administrator': 'took the administrator role from',
  'grant-moderator': 'gave the moderator role to',
  'revoke-moderator': 'took the moderator role from',
  'change-account': 'changed the account of',
  'suspend-account': 'suspended',
  'unsuspend-account': 'lifted the suspension of',
  'delete-account': 'deleted the account of',
  'approve-request': 'approved the request for',
  'decline-request': 'declined the request for',
  'delete-request': 'deleted the request for',
  'add-company': 'added the company',
  'import-companies': 'imported',
  'undo-import': 'undid an import:',
  'approve-claim': 'approved the claim on',
  'decline-claim': 'declined the claim on',
  'revoke-claim': 'revoked the claim on',
  'remove-company-reply': 'removed the reply from',
  'delete-company': 'deleted the company',
  'add-job-feed': 'added the job feed',
  'remove-job-feed': 'removed the job feed',
  'merge-companies': 'merged',
  'undo-merge': 'undid the merge of',
  'change-setting': 'changed the setting',
  'make-invitation': 'made an invitation to',
  'revoke-invitation': 'revoked an invitation to',
}

/** What the log's filter offers. */
export const ADMIN_ACTION_NAMES = Object.fromEntries(
  Object.entries(ADMIN_ACTION_TEXTS).map(([action, text]) => [
    action,
    `${text[0]?.toUpperCase()}${text.slice(1)} …`,
  ]),
)

export const SET_UP_STEPS = [
  'address',
  'mail',
  'mailboxes',
  'backup',
  'factor',
  'companies',
  'terms',
  'rules',
] as const
export type SetUpStep = (typeof SET_UP_STEPS)[number]

/** The site can't know these, so the owner confirms them. */
export const CONFIRMABLE_STEPS = ['backup', 'mailboxes', 'terms', 'rules'] as const
export type ConfirmableStep = (typeof CONFIRMABLE_STEPS)[number]

export const SET_UP_TEXTS: Record<
  SetUpStep,
  {
    title: string
    text: string
    /** A fragment leads to the person's settings, wherever those are. */
    href: string
    link: string
    say?: string
  }
> = {
  address: {
    title: 'Address',
    text: 'The site has its own domain name, with https.',
    href: '/admin-panel?section=data#set-address',
    link: 'How to set the address',
  },
  mail: {
    title: 'Mail',
    text: 'Email delivery works.',
    href: '/admin-panel?section=data#set-mail',
    link: 'How to set up mail',
  },
  mailboxes: {
    title: 'Contact addresses',
    text: 'Someone reads every address that the pages name.',
    href: '/admin/settings#addresses',
    link: 'See or change the addresses',
    say: 'Someone reads them',
  },
  backup: {
    title: 'Backup',
    text: 'All data is copied to another machine every day.',
    href: '/admin-panel?section=data#set-backup',
    link: 'How to make one',
    say: 'We do it another way',
  },
  factor: {
    title: 'Second factor',
    text: 'Your account needs more than its password to log in.',
    href: '#two-step',
    link: 'Set it up',
  },
  companies: {
    title: 'Companies',
    text: 'The site has real companies and no made-up ones.',
    href: '/admin-tools',
    link: 'Add companies',
  },
  terms: {
    title: 'Legal pages',
    text: 'The Terms of Service and the Privacy Policy are right for your site, and say who runs it.',
    href: '/admin/settings#pages',
    link: 'See or change the pages',
    say: 'They’re right',
  },
  rules: {
    title: 'Rules',
    text: 'You’ve read the community rules and agree to follow them.',
    href: '/community-rules',
    link: 'Read them',
    say: 'I’ve read them',
  },
}
