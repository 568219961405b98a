/** "Works at Acme", beside what somebody gives or writes: proven by a mail to a work address. No I/O here. */
import { mailboxProblem } from '#app/identity/accounts/sign-in/credential.ts'

/** From so many holders of one quarter on, the badges of a domain are shown. */
export const BADGE_HOLDERS_MIN = 10
/** From so many on their company has a room. */
export const ROOM_HOLDERS_MIN = 30
/** From so many raters with a badge on, their score stands beside the other one. */
export const VERIFIED_MIN = 10
export const BADGE_LINK_HOURS = 24

/** Where one is asked for, and where the link of the mail leads. */
export const BADGE_PATH = '/settings/badge'

/** Bytes of a domain's name at most. */
export const DOMAIN_MAX = 253

/** Sentences that say no. */
export const BADGE_REFUSALS = {
  employer: 'Whoever acts for a company has no badge',
  noWebsite:
    'This company has no website here, so nobody can show that they work there. Suggest its website on the company’s page first.',
  noDomain: 'The website of this company has no domain of its own, so it has no badge.',
  freeMail: (domain: string) =>
    `Anybody can have an address at ${domain}. Use one at the company’s own domain.`,
  otherDomain: (domain: string) => `Your work e-mail must be at ${domain}`,
  link: 'This link does not work any more: it is older than a day, or of another quarter. Ask for another one.',
  otherAccount: 'This link is for another account. Sign in as the one that asked for it.',
  used: 'This address has a badge of this quarter already. It can have another one next quarter.',
  noSecret: 'Your browser has no secret of your account yet. Reload the page and try again.',
  otherSecret: 'This account has another secret. Bring it here from the other device.',
  companyChanged:
    'The website of this company has changed, so this badge is not its badge any more.',
  unproven: 'Your badge is not proven, or too old. Get another one, or send this without it.',
} as const

/** What is wrong with a work address but for its domain, which the server compares. */
export const badgeEmailProblem = (email: string) =>
  email.trim() === '' ? 'Please enter your work email' : mailboxProblem(email)
