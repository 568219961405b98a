/** Texts of the list of requests. Spec §2.11, §8. No I/O here. */
import type { RequestStatus } from './company-request.ts'

export const REVIEW_TEXTS = {
  button: 'Company Requests',
  title: 'Company Requests Management',
  total: (count: number) => `Total requests: ${count}`,
  refresh: 'Refresh',
  refreshing: 'Refreshing requests...',
  tryAgain: 'Try Again',
  loading: 'Loading requests...',
  nothing: 'No company requests found',
  failed: (message: string) => `Error loading requests: ${message}`,
  requestedBy: (email: string) => `Requested by: ${email}`,
  remove: 'Delete',
  confirmation: (name: string) =>
    `Are you sure you want to permanently delete the request for "${name}"?`,
} as const

export const LIST_REFUSALS = {
  signedOut: 'Authentication required',
  notOwner: 'Access denied: Only specific admin can view company requests',
  /** The person has the owner's address, but no row in admin_users. */
  noAdminRow: 'Admin verification failed',
  failed: (message: string) => `Failed to fetch company requests: ${message}`,
} as const

export const DELETE_REFUSALS = {
  signedOut: 'Authentication error. Please log in again.',
  notOwner: 'Access denied. Only authorized admin can delete requests.',
  noAdminRow: "You don't have permission to delete requests",
} as const

export const DELETION_TEXTS = {
  failed: (message: string) => `Failed to delete request: ${message}`,
  already: 'Request was already deleted',
  reloadFailed: (message: string) => `Error reloading requests after deletion: ${message}`,
  stillThere:
    'Failed to remove company request: record still exists after deletion. This is a persistent database error.',
  deleted: (name: string | undefined) => `Successfully deleted "${name || 'request'}"`,
  unexpected: (message: string | undefined) =>
    `Unexpected error: ${message || 'Unknown error occurred'}`,
} as const

/** Spec §8, "Delete from dialog". */
export const DELETE_TOASTS = {
  deleting: (name: string) => `Deleting "${name}"...`,
  deleted: (name: string) => `"${name}" deleted successfully!`,
  failed: 'An unexpected error occurred',
} as const

export interface Deletion {
  outcome: 'deleted' | 'already' | 'failed' | 'unexpected'
  sentence: string
}

/** The list shows the sentence too. */
export function deletionToast({ outcome, sentence }: Deletion, name: string) {
  switch (outcome) {
    case 'deleted':
      return {
        title: DELETE_TOASTS.deleted(name),
        ...(sentence !== DELETION_TEXTS.deleted(name) && { description: sentence }),
      }
    case 'already':
      return { title: sentence }
    case 'failed':
      return { title: sentence, variant: 'destructive' as const }
    case 'unexpected':
      return {
        title: DELETE_TOASTS.failed,
        description: sentence,
        variant: 'destructive' as const,
      }
  }
}

/** Shown if there's no address. Spec §6. */
export const ANONYMOUS_REQUESTER = 'Anonymous'

export const REQUEST_REFUSALS = {
  notFound: 'This request no longer exists',
  /** A request goes from pending to approved or declined, and never back (S15). */
  decided: 'Someone has already decided on this request',
  noToken: 'This function requires a bearer token',
  notText: 'companyName, companyWebsite and requesterEmail must be text',
  otherToken: 'This token doesn’t belong to a company request',
} as const

export const STATUS_NAMES: Record<RequestStatus, string> = {
  pending: 'Pending',
  approved: 'Approved',
  declined: 'Declined',
}

/** Adds https:// if there's no scheme. Spec §2.11. */
export const websiteHref = (website: string) =>
  /^https?:\/\//i.test(website) ? website : `https://${website}`

export type Decision = 'approve' | 'link' | 'decline'

/** @param mails whether the requester gets an email */
export function decisionToast(decision: Decision, name: string, mails: boolean) {
  if (decision === 'decline') return { title: `The request for "${name}" was declined` }
  return {
    title:
      decision === 'approve' ? `"${name}" was added` : `The request is now linked to "${name}"`,
    ...(mails && { description: 'The person who requested it will get an email.' }),
  }
}
