/** Writes and sends emails about an account. We create the link here, so nothing in the queue opens anything. */
import { addressHash, newAddressOf } from '#app/api/auth/addresses.server.ts'
import { groupedMailCode } from '#app/kit/writing/mail-code.ts'
import { mailOf } from '#app/platform/mail/mail-layout.server.ts'
import type { MailSender } from '#app/platform/mail/mail-tasks.server.ts'
import { type AccountRow, accountByAddress, accountById } from '../account-queries.server.ts'
import type { FactorEvent, LinkKind, MailPayload } from './account-mail.server.ts'
import type { AuthCtx } from './auth-context.server.ts'
import { codeOfToken, makeLink } from './link-commands.server.ts'
import { siteOf } from './link-page.server.ts'

/** Purposes that anyone can trigger by typing an address. */
const OPEN_TO_STRANGERS: MailPayload['purpose'][] = ['signup', 'recovery', 'email_change']

/**
 * Sends the email if it's still wanted. We check the limit per address here, not in the request, so neither the
 * answer nor its timing reveals whether an account exists.
 */
export async function sendAccountMail(ctx: AuthCtx, mailer: MailSender, payload: MailPayload) {
  const email = ctx.secrets.open(payload.sealedEmail)
  if (OPEN_TO_STRANGERS.includes(payload.purpose) && !(await mailer.hasRoomFor(email))) return
  const mail = await mailFor(ctx, email, payload)
  if (mail) await mailer.send({ to: email, ...mail })
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
      return letter(ctx, factorMail(ctx.auth.siteName, payload.purpose))
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
  return { href: `${siteOf(ctx.auth, redirectTo)}/auth/v1/verify?${query}`, token }
}

type Link = Awaited<ReturnType<typeof linkFor>>

const notYou = (without = 'the link') =>
  `If this wasn’t you, ignore this email. Nothing happens without ${without}.`
const ONCE = 'The link works once and expires in an hour.'

const letter = (ctx: AuthCtx, text: Parameters<typeof mailOf>[1]) => mailOf(ctx.auth, text)

const confirmAddress = (ctx: AuthCtx, { href, token }: Link) =>
  letter(ctx, {
    subject: `Confirm your email for ${ctx.auth.siteName}`,
    heading: 'Is this your email?',
    paragraphs: [
      `Someone signed up for ${ctx.auth.siteName} with this address. If it was you, confirm it so you can always get back into your account.`,
      `Where ${ctx.auth.siteName} asks you to confirm your email, you can also enter the code ${groupedMailCode(codeOfToken(ctx, token))}. ${ONCE}`,
    ],
    action: { label: 'Confirm my email', href },
    note: notYou('the link or the code'),
  })

const haveAccount = (ctx: AuthCtx) =>
  letter(ctx, {
    subject: `You already have an account at ${ctx.auth.siteName}`,
    heading: 'You already have an account',
    paragraphs: [
      'Someone tried to sign up with this address, but it already has an account. If it was you, just log in. If you don’t remember your password, use "Forgot your password?" to choose a new one.',
    ],
    action: { label: `Go to ${ctx.auth.siteName}`, href: ctx.auth.siteUrl() },
    note: 'If this wasn’t you, ignore this email. We didn’t tell anyone that this address has an account.',
  })

const resetPassword = (ctx: AuthCtx, { href }: Link) =>
  letter(ctx, {
    subject: `Reset your ${ctx.auth.siteName} password`,
    heading: 'Choose a new password',
    paragraphs: [
      'Someone asked to reset the password for the account with this address.',
      `${ONCE} Your old password works until you choose a new one.`,
    ],
    action: { label: 'Choose a new password', href },
    note: notYou(),
  })

const confirmNewAddress = (ctx: AuthCtx, { href }: Link) =>
  letter(ctx, {
    subject: `Confirm your new email for ${ctx.auth.siteName}`,
    heading: 'Confirm your new email',
    paragraphs: [
      `Someone wants to use this address for their ${ctx.auth.siteName} account. If it’s you, confirm it.`,
      ONCE,
    ],
    action: { label: 'Confirm my new email', href },
    note: notYou(),
  })

const passwordChanged = (ctx: AuthCtx) =>
  letter(ctx, {
    subject: `Your ${ctx.auth.siteName} password was changed`,
    heading: 'Your password was changed',
    paragraphs: ['Your account has a new password. We signed out all your other devices.'],
    note: CHOOSE_NEW_PASSWORD,
  })

const addressChanged = (ctx: AuthCtx) =>
  letter(ctx, {
    subject: `Your ${ctx.auth.siteName} email was changed`,
    heading: 'Your email was changed',
    paragraphs: [
      'Your account now uses a different address. This is the last email we send to this one.',
    ],
    note: 'If this wasn’t you, write to us. Someone else may be using your account.',
  })

/** Emails about second steps say what happened, but not who did it, when or where. */
const CHOOSE_NEW_PASSWORD =
  'If this wasn\'t you, choose a new password right away. Use "Forgot your password?" on the site to get a link at this address.'

const FACTOR_MAILS: Record<
  FactorEvent,
  (siteName: string) => { subject: string; heading: string; text: string; note: string }
> = {
  factor_added: (siteName) => ({
    subject: `A second step was added to your ${siteName} account`,
    heading: 'A second step was added',
    text: 'Your account now asks for a second step when you log in. We signed out all your other devices.',
    note: CHOOSE_NEW_PASSWORD,
  }),
  factor_removed: (siteName) => ({
    subject: `A second step was removed from your ${siteName} account`,
    heading: 'A second step was removed',
    text: 'A second step was removed from your account. We signed out all your other devices.',
    note: CHOOSE_NEW_PASSWORD,
  }),
  recovery_codes_replaced: (siteName) => ({
    subject: `Your ${siteName} recovery codes were replaced`,
    heading: 'You have new recovery codes',
    text: 'Your account has new recovery codes. The old ones no longer work.',
    note: CHOOSE_NEW_PASSWORD,
  }),
  recovery_code_used: (siteName) => ({
    subject: `A recovery code for your ${siteName} account was used`,
    heading: 'A recovery code was used',
    text: 'Someone logged in to your account with your password and one of your recovery codes. That code no longer works.',
    note: CHOOSE_NEW_PASSWORD,
  }),
}

function factorMail(siteName: string, event: FactorEvent) {
  const { text, ...rest } = FACTOR_MAILS[event](siteName)
  return { ...rest, paragraphs: [text] }
}
