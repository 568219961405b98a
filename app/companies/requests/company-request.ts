/** Requests for missing companies. Spec §2.8, §3, §5, §8. Runs in the browser too: no I/O here. */

import { mailboxProblem } from '#app/identity/accounts/sign-in/email-and-password.ts'
import { cleanText, lengthProblem } from '#app/kit/writing/text.ts'
import { tidyWebsite, websiteProblem } from '../web-address.ts'

export const REQUEST_NAME_MAX = 120

/** The first is from Spec §4, the others from S15. */
export const REQUEST_STATUSES = ['pending', 'approved', 'declined'] as const
export type RequestStatus = (typeof REQUEST_STATUSES)[number]

/** Storage key of a visitor's address. Spec §3. */
export const REMEMBERED_EMAIL = 'userRequestEmail'

/** How long the success panel stays. Spec §9. */
export const REQUEST_PANEL_MS = 3_000

/** Sent in place of a missing website. Spec §7.3. */
export const NO_WEBSITE = 'Not provided'

export const REQUEST_TEXTS = {
  title: 'Request a Company',
  text: "Don't see the company you're looking for? Submit a request and we'll review it.",
  name: 'Company Name *',
  website: 'Website (optional)',
  notify: 'Notify me when this company is added',
  email: 'Your Email',
  cancel: 'Cancel',
  submit: 'Submit',
  submitting: 'Submitting...',
  sentTitle: 'Request Submitted!',
  sentText: "Thanks for your request. We'll review and add the company when approved.",
} as const

/** Toasts. Spec §5, §8. */
export const REQUEST_TOASTS = {
  noName: 'Please enter a company name',
  noEmail: 'Please enter your email to be notified',
  failed: 'Failed to submit company request. Please try again.',
  sent: 'Company request submitted successfully!',
} as const

export interface RequestForm {
  companyName: string
  companyWebsite: string
  isNotify: boolean
  notifyEmail: string
}

export const EMPTY_REQUEST: RequestForm = {
  companyName: '',
  companyWebsite: '',
  isNotify: false,
  notifyEmail: '',
}

/** Removes invisible characters and extra spaces, and adds https://. */
export const tidyRequest = (form: RequestForm) => ({
  companyName: cleanText(form.companyName)
    .replace(/[^\S\n]+/g, ' ')
    .trim(),
  companyWebsite: tidyWebsite(form.companyWebsite),
  isNotify: form.isNotify,
  notifyEmail: form.notifyEmail.trim(),
})

/** @param name from `tidyRequest` */
function requestNameProblem(name: string): string | undefined {
  if (name === '') return REQUEST_TOASTS.noName
  if (name.includes('\n')) return 'A company name must be on one line'
  return lengthProblem(name, REQUEST_NAME_MAX, 'company name')
}

const requestEmailProblem = (email: string) =>
  email === '' ? REQUEST_TOASTS.noEmail : mailboxProblem(email)

/** Problems by field. Spec §5. @param isSignedIn we don't ask members for an address */
export function requestProblems(form: RequestForm, { isSignedIn }: { isSignedIn: boolean }) {
  const { companyName, companyWebsite, isNotify, notifyEmail } = tidyRequest(form)
  return {
    companyName: requestNameProblem(companyName),
    companyWebsite: websiteProblem(companyWebsite, 'website'),
    notifyEmail: isNotify && !isSignedIn ? requestEmailProblem(notifyEmail) : undefined,
  }
}
