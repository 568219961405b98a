/** Spec §1, §2.5, §9. */

export const HOME_TEXTS = {
  title: 'anonymous workplace community',
  tagline: 'Spill the tea and rate your company, anonymously.',
  request: "Can't find your company? Request it here",
  browse: 'Browse all companies',
  discussed: 'Being discussed now',
  allDiscussions: 'See all discussions',
  followed: 'From companies you follow',
} as const

/** What people can do here, depending on the flags, in Spec §1's words. */
export function homeCopy({ enableCompanies, enableDiscussions }: HomeFlags) {
  const ways = [
    enableCompanies && 'search for a company,',
    enableDiscussions && 'join anonymous discussions,',
    (enableCompanies || enableDiscussions) && 'and',
    'share honest insights about workplace culture with peers.',
  ]
  const copy = ways.filter(Boolean).join(' ')
  return copy.slice(0, 1).toUpperCase() + copy.slice(1)
}
type HomeFlags = { enableCompanies: boolean; enableDiscussions: boolean }

export const WELCOME_TOAST = {
  title: 'Join the conversation!',
  /** {n} is a number from `fewest` to `most`. */
  text: '{n} employees are mid-rant right now. Join the chaos.',
  delayMs: 2_500,
  durationMs: 6_000,
  fewest: 5,
  most: 23,
  /** How often to check whether a dialog is still open. */
  againMs: 500,
} as const

/** @param chance from 0 up to, but not including, 1 */
export function welcomeText(chance: number, text: string = WELCOME_TOAST.text) {
  const { fewest, most } = WELCOME_TOAST
  const n = fewest + Math.floor(chance * (most - fewest + 1))
  return text.replaceAll('{n}', String(n))
}
