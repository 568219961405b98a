/**
 * The job that writes and sends the mails about an account. The link is made while the mail is
 * written: nothing in the queue opens anything.
 */
import { addressHash, newAddressOf } from '#app/api/auth/addresses.server.ts'
import { mailOf } from '#app/platform/mail/mail-layout.server.ts'
import type { Post } from '#app/platform/mail/mail-post.server.ts'
import { type AccountRow, accountByAddress, accountById } from '../account-queries.server.ts'
import type { FactorNews, LinkKind, MailPayload } from './account-mail.server.ts'
import type { AuthCtx } from './auth-context.server.ts'
import { makeLink } from './link-commands.server.ts'

/** What anybody can ask for by typing an address. */
const STRANGERS_ASK: MailPayload['purpose'][] = ['signup', 'recovery', 'email_change']

/**
 * Writes the mail that a request asked for, if it is still wanted, and sends it. Whether an address has
 * had too many is looked at here and not in the request: no answer and no delay tells.
 */
export async function sendAccountMail(ctx: AuthCtx, post: Post, payload: MailPayload) {
  const email = ctx.secrets.open(payload.sealedEmail)
  if (STRANGERS_ASK.includes(payload.purpose) && !(await post.hasRoomFor(email))) return
  const mail = await mailFor(ctx, email, payload)
  if (mail) await post.send({ to: email, ...mail })
}

async function mailFor(ctx: AuthCtx, email: string, payload: MailPayload) {
  switch (payload.purpose) {
    case 'signup': {
      const account = await accountByAddress(ctx, email)
      if (!account) return undefined
      return account.isEmailConfirmed
        ? haveAccount(ctx)
        : confirmAddress(ctx, await linkFor(ctx, account, 'signup', payload))
    }
    case 'recovery': {
      const account = await accountByAddress(ctx, email)
      if (!account) return undefined
      return resetPassword(ctx, await linkFor(ctx, account, 'recovery', payload))
    }
    case 'email_change': {
      if (await accountByAddress(ctx, email)) return haveAccount(ctx)
      const account = await accountById(ctx, payload.accountId ?? '')
      const wanted = account && newAddressOf(ctx.secrets, account)
      if (!account || wanted !== email) return undefined
      return confirmNewAddress(ctx, await linkFor(ctx, account, 'email_change', payload))
    }
    case 'password_changed':
      return passwordChanged(ctx)
    case 'email_changed':
      return addressChanged(ctx)
    default:
      return letter(ctx, factorWords(ctx.auth.siteName, payload.purpose))
  }
}

async function linkFor(ctx: AuthCtx, { id }: AccountRow, kind: LinkKind, payload: MailPayload) {
  const { redirectTo = ctx.auth.siteUrl(), codeChallenge, codeChallengeMethod } = payload
  const token = await makeLink(ctx, {
    accountId: id,
    kind,
    codeChallenge,
    codeChallengeMethod,
    ...(kind === 'email_change' && {
      addressHash: addressHash(ctx.secrets, ctx.secrets.open(payload.sealedEmail)),
    }),
  })
  const query = new URLSearchParams({ token, type: kind, redirect_to: redirectTo })
  return `${ctx.auth.siteUrl()}/auth/v1/verify?${query}`
}

const NOT_YOU = 'If this was not you, you can ignore this mail: without the link nothing happens.'
const ONCE = 'The link works once, for an hour.'

/** The site's own frame around the words of one mail. */
const letter = (ctx: AuthCtx, words: Omit<Parameters<typeof mailOf>[0], 'siteName' | 'siteUrl'>) =>
  mailOf({ siteName: ctx.auth.siteName, siteUrl: ctx.auth.siteUrl(), ...words })

const confirmAddress = (ctx: AuthCtx, href: string) =>
  letter(ctx, {
    subject: `Confirm your e-mail for ${ctx.auth.siteName}`,
    heading: 'Is this your address?',
    paragraphs: [
      `Somebody signed up to ${ctx.auth.siteName} with this address. If it was you, confirm it: then you can always get back into your account.`,
      ONCE,
    ],
    action: { label: 'Confirm my e-mail', href },
    note: NOT_YOU,
  })

const haveAccount = (ctx: AuthCtx) =>
  letter(ctx, {
    subject: `You already have an account at ${ctx.auth.siteName}`,
    heading: 'You are already here',
    paragraphs: [
      'Somebody wanted to use this address for an account, but it has one. If it was you, sign in; if you forgot the password, "Forgot your password?" helps you choose a new one.',
    ],
    action: { label: `Go to ${ctx.auth.siteName}`, href: ctx.auth.siteUrl() },
    note: 'If this was not you, you can ignore this mail. Nobody was told that this address has an account.',
  })

const resetPassword = (ctx: AuthCtx, href: string) =>
  letter(ctx, {
    subject: `Reset your ${ctx.auth.siteName} password`,
    heading: 'Choose a new password',
    paragraphs: [
      'Somebody asked for a new password for the account of this address.',
      `${ONCE} Until you choose a new password, the old one stays.`,
    ],
    action: { label: 'Choose a new password', href },
    note: NOT_YOU,
  })

const confirmNewAddress = (ctx: AuthCtx, href: string) =>
  letter(ctx, {
    subject: `Confirm your new e-mail for ${ctx.auth.siteName}`,
    heading: 'Your new address',
    paragraphs: [
      `An account at ${ctx.auth.siteName} is to use this address from now on. Confirm that it is yours.`,
      ONCE,
    ],
    action: { label: 'Confirm my new e-mail', href },
    note: NOT_YOU,
  })

const passwordChanged = (ctx: AuthCtx) =>
  letter(ctx, {
    subject: `Your ${ctx.auth.siteName} password was changed`,
    heading: 'Your password was changed',
    paragraphs: [
      'The password of your account is a new one now. All other devices were signed out.',
    ],
    note: 'If this was not you, choose a new password at once: "Forgot your password?" on the site sends a link to this address.',
  })

const addressChanged = (ctx: AuthCtx) =>
  letter(ctx, {
    subject: `Your ${ctx.auth.siteName} e-mail was changed`,
    heading: 'Your e-mail was changed',
    paragraphs: [
      'Your account uses another address from now on. This is the last mail to this one.',
    ],
    note: 'If this was not you, write to us: somebody else may be using your account.',
  })

/** The mails about an account's second step: what happened, and nothing of who, when and where. */
const CHANGE_PASSWORD =
  'If this was not you, choose a new password at once: "Forgot your password?" on the site sends a link to this address.'

const WORDS: Record<
  FactorNews,
  (siteName: string) => { subject: string; heading: string; text: string; note: string }
> = {
  factor_added: (siteName) => ({
    subject: `A second step was added to your ${siteName} account`,
    heading: 'A second step was added',
    text: 'Your account asks for a second step at sign-in that was set up just now. All other devices were signed out.',
    note: CHANGE_PASSWORD,
  }),
  factor_removed: (siteName) => ({
    subject: `A second step was removed from your ${siteName} account`,
    heading: 'A second step was removed',
    text: 'One of the ways to take the second step at sign-in is gone from your account. All other devices were signed out.',
    note: CHANGE_PASSWORD,
  }),
  recovery_codes_replaced: (siteName) => ({
    subject: `Your ${siteName} recovery codes were replaced`,
    heading: 'You have new recovery codes',
    text: 'New recovery codes were made for your account. The former ones do not work any more.',
    note: CHANGE_PASSWORD,
  }),
  recovery_code_used: (siteName) => ({
    subject: `A recovery code of your ${siteName} account was used`,
    heading: 'A recovery code was used',
    text: 'Somebody signed in to your account with its password and one of its recovery codes. That code does not work any more.',
    note: CHANGE_PASSWORD,
  }),
}

function factorWords(siteName: string, news: FactorNews) {
  const { text, ...words } = WORDS[news](siteName)
  return { ...words, paragraphs: [text] }
}
