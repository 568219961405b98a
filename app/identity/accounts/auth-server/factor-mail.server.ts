/** The mails about an account's second step: what happened, and nothing of who, when and where. */
import type { FactorNews } from './account-mail.server.ts'

const CHOOSE_ANEW =
  'If this was not you, choose a new password at once: "Forgot your password?" on the site sends a link to this address.'

const WORDS: Record<
  FactorNews,
  (siteName: string) => { subject: string; heading: string; text: string; note: string }
> = {
  factor_added: (siteName) => ({
    subject: `A second step was added to your ${siteName} account`,
    heading: 'A second step was added',
    text: 'Your account asks for a second step at sign-in that was set up just now. All other devices were signed out.',
    note: CHOOSE_ANEW,
  }),
  factor_removed: (siteName) => ({
    subject: `A second step was removed from your ${siteName} account`,
    heading: 'A second step was removed',
    text: 'One of the ways to take the second step at sign-in is gone from your account. All other devices were signed out.',
    note: CHOOSE_ANEW,
  }),
  recovery_codes_replaced: (siteName) => ({
    subject: `Your ${siteName} recovery codes were replaced`,
    heading: 'You have new recovery codes',
    text: 'New recovery codes were made for your account. The former ones do not work any more.',
    note: CHOOSE_ANEW,
  }),
  recovery_code_used: (siteName) => ({
    subject: `A recovery code of your ${siteName} account was used`,
    heading: 'A recovery code was used',
    text: 'Somebody signed in to your account with its password and one of its recovery codes. That code does not work any more.',
    note: CHOOSE_ANEW,
  }),
}

export function factorWords(siteName: string, news: FactorNews) {
  const { text, ...words } = WORDS[news](siteName)
  return { ...words, paragraphs: [text] }
}
