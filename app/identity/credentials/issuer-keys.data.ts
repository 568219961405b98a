import { isQuarterAround, quartersBeside } from '#app/api/credential/quarter.ts'
import { storedValue } from '#app/kit/ui/stored-value.ts'
import { ISSUER_PATH } from './credential.ts'
import { todayHere } from './holder.data.ts'
import { ForeignIssuer, WrongClock } from './issuing-problem.data.ts'

/**
 * The issuer's keys as this browser first saw them, for this quarter and its neighbours. Different
 * ones could tell people apart. Texts are base64url.
 */
export interface IssuerKey {
  quarter: string
  publicKey: string
}

const known = storedValue('kettle-issuer', (stored): Record<string, string> => {
  try {
    return keysIn(JSON.parse(stored ?? '{}'))
  } catch {
    return {}
  }
})

/**
 * The key of the site's current quarter, which may be next to this browser's: clocks can be days
 * off. Fetched without token, cookie or id, like everyone's.
 * @throws ForeignIssuer if a key changed, or the three quarters don't follow each other
 * @throws WrongClock if they aren't around this browser's quarter
 */
export async function presentIssuerKey(): Promise<IssuerKey> {
  const response = await fetch(ISSUER_PATH, { credentials: 'omit', cache: 'no-cache' })
  const json = (await response.json()) as { version?: unknown; keys?: IssuerKey[] }
  if (json.version !== 'KettleARCV1-P256' || !Array.isArray(json.keys)) throw unreadable()
  const keys = keysIn(
    Object.fromEntries(json.keys.map(({ quarter, publicKey }) => [quarter, publicKey])),
  )
  // Last quarter's, the current one, the next.
  const quarters = Object.keys(keys).sort()
  const [, quarter = ''] = quarters
  const publicKey = keys[quarter]
  if (!publicKey || quarters.length !== 3) throw unreadable()
  if (quarters.join() !== quartersBeside(quarter).join()) throw new ForeignIssuer('quarters')
  if (!isQuarterAround(quarter, todayHere())) throw new WrongClock(quarter)
  const before = known.current()
  if (Object.entries(keys).some(([it, key]) => before[it] !== undefined && before[it] !== key))
    throw new ForeignIssuer('key')
  known.change((before) => ({ ...before, ...keys }))
  return { quarter, publicKey }
}

/** For people who learned why the site has new keys, and trust that. */
export const forgetIssuerKeys = () => known.change(() => ({}))

const keysIn = (keys: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(keys).filter(
      (entry): entry is [string, string] =>
        /^\d{4}-Q[1-4]$/.test(entry[0]) && /^[\w-]{132}$/.test(String(entry[1])),
    ),
  )

const unreadable = () => new Error("This site's keys can't be read")
