/**
 * Takes the site's key for this quarter if it's the same for everyone. We request the list as any stranger would. It must
 * continue the list this browser saw before, and public pages and witnesses elsewhere must confirm it. D68.
 */
import {
  digestsOf,
  isOneChain,
  type ListedKey,
  readIssuerList,
} from '#app/api/credential/issuer-list.ts'
import { isQuarterAround } from '#app/api/credential/quarter.ts'
import { storedValue } from '#app/kit/ui/stored-value.ts'
import { ISSUER_META, ISSUER_PATH } from './credential.ts'
import { todayHere } from './holder.data.ts'
import { ForeignIssuer, WitnessesSilent, WrongClock } from './issuing-problem.data.ts'

interface Known {
  /** Digests of the longest list seen. */
  digests: string[]
  /** Keys by quarter, as Kettle 0.1 stored them. */
  keys: Record<string, string>
}

const known = storedValue('kettle-issuer', (stored): Known => {
  try {
    const read = JSON.parse(stored ?? '{}')
    return Array.isArray(read.digests) ? read : { digests: [], keys: read }
  } catch {
    return { digests: [], keys: {} }
  }
})

/** Called for people who know why the site has new keys, and trust them. */
export const forgetIssuerKeys = () => known.change(() => ({ digests: [], keys: {} }))

const WITNESS_MS = 10_000

/**
 * The key of the site's current quarter, which may be one off from this browser's, because clocks can be days off.
 * @throws ForeignIssuer if the list isn't everyone's, as far as this browser can tell
 * @throws WrongClock if the site's quarter isn't this browser's or a neighbor
 * @throws WitnessesSilent if there are witnesses and none answers
 */
export async function presentIssuerKey(): Promise<ListedKey> {
  const list = readIssuerList(await textAt(ISSUER_PATH))
  const at = list?.keys.findIndex(({ quarter }) => quarter === list.quarter) ?? -1
  const key = list?.keys[at]
  if (!list || !key) throw new Error('This site’s keys can’t be read')
  const { quarter, keys } = list
  if (new Set(keys.map((key) => key.quarter)).size < keys.length) throw new ForeignIssuer('doubled')
  if (!isQuarterAround(quarter, todayHere())) throw new WrongClock(quarter)
  const digests = digestsOf(keys)
  if (!continuesKnown(keys, digests)) throw new ForeignIssuer('key')
  // An older page is fine, as long as its list had this quarter's key.
  if (digests.indexOf(digestIn(await textAt('/'))) < at) throw new ForeignIssuer('page')
  await askWitness(list.witnesses, digests[at] as string)
  known.change((it) => (it.digests.length > digests.length ? it : { digests, keys: {} }))
  return key
}

/** A list can be longer than the last one we saw. A cached one can be slightly shorter. */
function continuesKnown(keys: ListedKey[], digests: string[]) {
  const before = known.current()
  return (
    isOneChain(before.digests, digests) &&
    keys.every(({ quarter, publicKey }) => (before.keys[quarter] ?? publicKey) === publicKey)
  )
}

const META = `<meta name="${ISSUER_META}" content="`
const digestIn = (page: string) => page.split(META)[1]?.slice(0, 64) ?? ''

/** The first witness that answers decides. We ask in random order, so the site can't know which one it is. */
async function askWitness(witnesses: string[], digest: string) {
  for (const witness of inRandomOrder(witnesses)) {
    const signal = AbortSignal.timeout(WITNESS_MS)
    const list = await textAt(witness, { redirect: 'error', signal }).then(
      readIssuerList,
      () => undefined,
    )
    if (!list) continue
    if (!digestsOf(list.keys).includes(digest)) throw new ForeignIssuer('witness')
    return
  }
  if (witnesses.length > 0) throw new WitnessesSilent()
}

function inRandomOrder<One>(all: One[]): One[] {
  const left = [...all]
  return all.flatMap(() => left.splice(Math.floor(Math.random() * left.length), 1))
}

/** Requests it as anyone would, without a token, cookie or id. */
async function textAt(url: string, how: RequestInit = {}) {
  const response = await fetch(url, { credentials: 'omit', cache: 'no-cache', ...how })
  return response.ok ? response.text() : ''
}
