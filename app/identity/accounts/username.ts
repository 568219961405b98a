/** Spec §5, §9. */
export const USERNAME_MIN = 3
export const USERNAME_MAX = 24
/** The longest name someone can type to confirm a deletion. */
export const TYPED_USERNAME_MAX = 100

/** Names that could be mistaken for the site, or for no one. Compared without case, `_` and `-`. */
const RESERVED_USERNAMES = new Set(
  `admin administrator adminteam owner kettle kettleteam kettlesupport root system staff team
   support help helpdesk moderator mod mods moderation official anonymous anon user users guest
   visitor member employer hr humanresources everyone here all me you null undefined none nobody
   deleted deleteduser removed unknown bot api security legal privacy press abuse postmaster
   webmaster noreply mailer info contact`.split(/\s+/),
)

/** Two usernames with the same key are the same. */
export const usernameKey = (username: string) => username.toLowerCase()

/** Why a username can't be used. Undefined if it can. */
export function usernameProblem(username: string): string | undefined {
  if (username.length < USERNAME_MIN || username.length > USERNAME_MAX)
    return `A username needs ${USERNAME_MIN} to ${USERNAME_MAX} characters`
  if (!/^[A-Za-z0-9_-]+$/.test(username))
    return 'A username can only have letters, digits, "_" and "-"'
  if (!/[A-Za-z0-9]/.test(username)) return 'A username needs a letter or a digit'
  if (RESERVED_USERNAMES.has(usernameKey(username).replace(/[_-]/g, '')))
    return 'This username is reserved'
  return undefined
}

/** Spec §5, §9: a mood, a noun and a number. */
export const MOODS = `Brewing Steeped Calm Candid Bold Sleepy Curious Witty Quiet Brave Gentle Zesty
  Mellow Cheeky Patient Sunny Stormy Tired Frank Honest Nimble Dapper Grumpy Jolly Lively Merry
  Restless Salty Sincere Wistful`.split(/\s+/)
export const NOUNS = `Teapot Kettle Teacup Saucer Biscuit Scone Crumpet Spoon Samovar Lantern Otter
  Badger Heron Falcon Sparrow Fox Hedgehog Lynx Walrus Panda Koala Ibis Marmot Puffin Raven Stapler
  Notebook Pencil Cactus Fern Maple Willow Comet Harbor Lighthouse Compass Anchor Bicycle Umbrella
  Typewriter Cardigan`.split(/\s+/)
export const USERNAME_NUMBER = { min: 100, max: 9999 } as const

/**
 * A random username such as `CandidTeapot4711`. Spec §5.
 * @param random from 0 up to, but not including, 1
 */
export function generateUsername(random: () => number = Math.random): string {
  const oneOf = (words: string[]) => words[Math.floor(random() * words.length)] ?? ''
  const { min, max } = USERNAME_NUMBER
  const number = min + Math.floor(random() * (max - min + 1))
  return `${oneOf(MOODS)}${oneOf(NOUNS)}${number}`
}
