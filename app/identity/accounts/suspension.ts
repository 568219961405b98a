/** Why people report or remove a post or suspend its author, and for how many days. */

/** Why a post is reported or removed. "It isn't true" isn't a reason, because we can't know. */
export const REASONS = [
  'private-data',
  'harassment',
  'threat',
  'spam',
  'off-topic',
  'illegal',
  'other',
] as const
export type Reason = (typeof REASONS)[number]

export const REASON_NAMES: Record<Reason, string> = {
  'private-data': 'Someone’s private data',
  harassment: 'Harassment or hate',
  threat: 'Threat or violence',
  spam: 'Spam or advertising',
  'off-topic': 'Has nothing to do with work',
  illegal: 'Against the law',
  other: 'Something else',
}

export const REASON_HINTS: Record<Reason, string> = {
  'private-data': 'A name, an address, a number, or anything else that points to one person.',
  harassment: 'Attacks people for who they are, or hounds someone.',
  threat: 'Threatens, wishes or celebrates harm.',
  spam: 'Sells something, or posts the same text everywhere.',
  'off-topic': 'Not about a workplace, and not meant to be.',
  illegal: 'Tell us below which law it breaks, and how.',
  other: 'Tell us below what’s wrong.',
}

export const reasonName = (reason: string | null): string =>
  REASON_NAMES[(reason ?? 'other') as Reason] ?? REASON_NAMES.other

export const SUSPENSION_DAYS = [1, 7, 30, 90] as const
export type SuspensionDays = (typeof SUSPENSION_DAYS)[number]

export const suspendedSentence = (
  act: string,
  { endsOn, reason }: { endsOn: string; reason: string },
) => `You can’t ${act} until the end of ${endsOn}. Reason: ${reasonName(reason)}`
