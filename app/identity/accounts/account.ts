import { firstLetter } from '#app/kit/writing/text.ts'

/** Spec §5, §9. */
export const PASSWORD_MIN = 6
/** Longer for administrators and moderators, who could harm everyone. */
export const PASSWORD_MIN_ADMIN = 12
/** Longer than anything a password manager generates. */
export const PASSWORD_MAX = 1_000
export const EMAIL_MAX = 254

/** The name of people without an account, and of profiles without a username. Spec §3. */
export const ANONYMOUS_NAME = 'Anonymous'
export const UNNAMED = 'User'

/** One or two letters for an avatar: `CandidTeapot4711` is CT, `dana` is D. */
export function initialsOf(username: string): string {
  const words = username.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? []
  const letters = words.filter((word) => /[A-Za-z]/.test(word)).map((word) => firstLetter(word))
  return (letters.length > 0 ? letters.slice(0, 2).join('') : firstLetter(username)).toUpperCase()
}

export const ACCOUNT_REFUSALS = {
  usernameTaken: 'This username is taken',
  typeUsername: 'To delete the account, type your username exactly as shown',
} as const

/** What happens to a person's posts when the account is deleted. */
export const POSTS_CHOICES = ['keep', 'remove'] as const
export type PostsChoice = (typeof POSTS_CHOICES)[number]
