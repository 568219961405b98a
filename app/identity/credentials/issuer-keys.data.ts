/**
 * The issuer's keys, of the calendar's own quarter and its neighbours, as this browser saw them first: any other one
 * would tell its people apart.
 */
import { isQuarterAround, quartersBeside } from '#app/api/credential/quarter.ts'
import { storedValue } from '#app/kit/ui/stored-value.ts'
import { ISSUER_PATH } from './credential.ts'
import { todayHere } from './holder.data.ts'
import { ForeignIssuer, WrongClock } from './issuing-problem.data.ts'

/** Texts are in base64url. */
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
 * The key of the present quarter, which the site says, and may say for the neighbours of this browser's: clocks of
 * browsers are wrong by some days. It is asked without token, cookie or id, as everybody asks.
 * @throws ForeignIssuer where a key differs from the one of before, or three quarters do not follow each other
 * @throws WrongClock where they are not around this browser's own
 */
export async function presentIssuerKey(): Promise<IssuerKey> {
  const response = await fetch(ISSUER_PATH, { credentials: 'omit', cache: 'no-cache' })
  const told = (await response.json()) as { version?: unknown; keys?: IssuerKey[] }
  if (told.version !== 'KettleARCV1-P256' || !Array.isArray(told.keys)) throw unreadable()
  const keys = keysIn(
    Object.fromEntries(told.keys.map(({ quarter, publicKey }) => [quarter, publicKey])),
  )
  // The one of before, the present one, and the next.
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

/** For whoever was told why the site has other keys, and believes it. */
export const forgetIssuerKeys = () => known.change(() => ({}))

const keysIn = (told: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(told).filter(
      (entry): entry is [string, string] =>
        /^\d{4}-Q[1-4]$/.test(entry[0]) && /^[\w-]{132}$/.test(String(entry[1])),
    ),
  )

const unreadable = () => new Error('The keys of this site cannot be read')
