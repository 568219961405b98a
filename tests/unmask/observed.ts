/**
 * The live observer's question: who sent this rating, which came without a token? Candidates are the accounts that were
 * online in the pause before it. Nothing else may point at one of them.
 */
import { createHash } from 'node:crypto'
import type { Attack } from './attacks.ts'
import { payRow } from './keys.ts'
import type { Seen } from './observer.ts'
import { type Question, severalOf } from './questions.ts'
import type { Truth } from './truth.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60_000
/** The longest time between rating and its request: PAUSE_MS in rated.data.ts. */
export const PAUSE_MAX_MS = 2 * MINUTE_MS
/** People who read a page are online without a request. */
const READING_MS = 5 * MINUTE_MS
/** The account requested its first credential while rating: that's a separate question. */
const JUST_MS = PAUSE_MAX_MS + MINUTE_MS / 6
/** People who write about a company are likelier to rate it in the same visit. Anyone can guess that. */
const VISIT_MS = 20 * MINUTE_MS

export const CONNECTIONS = 'connections'
export const JUST_ISSUED = 'rating → account just issued'

/** What a page sends together. */
const AT_ONCE_MS = 5 * SECOND_MS

type Kind = 'rating' | 'badge' | 'pay' | 'room post'

/** A request without a token: a rating, one with a badge, pay, or a post in a room. */
interface Shown {
  kind: Kind
  seen: Seen
  place: number
  person: number
  company: string
}

export const PRESENTED = /^\/api\/v1\/companies\/([^/]+)\/presented-rating$/
const PRESENTED_PAY = /^\/api\/v1\/companies\/([^/]+)\/presented-pay$/
const FIRST_ISSUING = '/api/v1/my/credential'
const ISSUING = /^\/api\/v1\/my\/(credential(\/renewal)?|badge\/credential)$/
export const isIssuing = ({ method, path }: Seen) => method === 'POST' && ISSUING.test(path)
/** Pages send these by themselves. The rest is sent by hand. */
const BY_ITSELF = /^\/api\/v1\/(views|my\/credential)|^\/auth\//
const isByHand = ({ method, path }: Seen) => method !== 'GET' && !BY_ITSELF.test(path)
const isRefusedRating = ({ path, status }: Seen) => PRESENTED.test(path) && status >= 400

export interface Observed {
  questions: Question[]
  attacks: Attack[]
}

export function observedIn(seen: Seen[], truth: Truth): Observed {
  const log = seen.toSorted((one, other) => one.at - other.at)
  const { accounts, companies, posts, ratings, pays, roomPosts } = truth
  const accountOf = new Map([...accounts].map(([id, person]) => [person, id]))
  const shown = new Map<string, Shown>()
  const ofAccount = new Map<string, { seen: Seen; place: number }[]>(
    [...accounts.keys()].map((id) => [id, []]),
  )
  log.forEach((seen, place) => {
    if (seen.account) ofAccount.get(seen.account)?.push({ seen, place })
    const one = shownBy(seen)
    if (one && accountOf.has(one.person)) shown.set(`seen ${place}`, { ...one, seen, place })
  })
  /** IDs that are public. */
  const open = new Set([...companies, ...posts.keys(), ...ratings.keys(), ...roomPosts.keys()])
  const holdersOf = new Map<string, Set<string>>()
  const valuesOf = new Map<string, Set<string>>()
  for (const [account, all] of ofAccount) {
    const values = new Set(all.flatMap(({ seen: { said, told } }) => [...said, ...told]))
    for (const value of [...values]) values.add(hashOf(value))
    for (const value of values)
      if (!open.has(value)) holdersOf.set(value, (holdersOf.get(value) ?? new Set()).add(account))
    valuesOf.set(account, values)
  }

  function shownBy({ account, method, path, status, hasBadge, said, told }: Seen) {
    if (account || status >= 300) return undefined
    if (method === 'PUT' && PRESENTED.test(path)) {
      const rating = told.map((id) => ratings.get(id)).find(Boolean)
      const kind: Kind = hasBadge ? 'badge' : 'rating'
      return rating && { kind, ...rating }
    }
    if (method === 'PUT' && PRESENTED_PAY.test(path)) {
      const pay = said.map((holder) => pays.get(payRow(holder))).find(Boolean)
      return pay && { kind: 'pay' as Kind, ...pay }
    }
    if (path !== '/api/v1/room/posts') return undefined
    const post = said.map((id) => roomPosts.get(id)).find(Boolean)
    return post && { kind: 'room post' as Kind, ...post }
  }

  const targetOf = (id: string) => shown.get(id) as Shown
  const isOnline = (at: number) => (account: string) =>
    ofAccount
      .get(account)
      ?.some(
        ({ seen }) => seen.at >= at - PAUSE_MAX_MS - READING_MS && seen.at <= at + READING_MS,
      ) === true
  const crowds = new Map<string, string[]>()
  const crowdOf = (id: string) => {
    const known = crowds.get(id) ?? [...accounts.keys()].filter(isOnline(targetOf(id).seen.at))
    crowds.set(id, known)
    return known
  }

  function gapsTo(moments: Iterable<number>, at: number) {
    let before = Number.POSITIVE_INFINITY
    let after = Number.POSITIVE_INFINITY
    for (const moment of moments)
      if (moment <= at) before = Math.min(before, at - moment)
      else after = Math.min(after, moment - at)
    return [before, after]
  }
  const sized = (unit: number) => (ms: number) => Math.min(12, Math.log1p(ms / unit))

  /** When the account was online, to the minute, and what its person did by hand. */
  function guess(id: string, account: string) {
    const { kind, seen, company } = targetOf(id)
    const all = ofAccount.get(account) as { seen: Seen }[]
    const gaps = gapsTo(momentsIn(all.map((it) => it.seen)), seen.at)
    const byHand = all.filter((it) => isByHand(it.seen) && names(it.seen, company))
    const now = byHand.some((it) => Math.abs(it.seen.at - seen.at) < VISIT_MS)
    const hasBadge = byHand.some((it) => it.seen.path === '/api/v1/my/badge')
    return [
      ...gaps.map((gap) => sized(1)(Math.ceil(gap / MINUTE_MS))),
      ...[byHand.length > 0, now, kind !== 'rating' && hasBadge].map(Number),
    ]
  }

  const isJustIssued = (id: string) => {
    const { person, seen } = targetOf(id)
    return (ofAccount.get(accountOf.get(person) as string) ?? []).some(
      ({ seen: { method, path, at } }) =>
        method === 'POST' && path === FIRST_ISSUING && at <= seen.at && seen.at - at < JUST_MS,
    )
  }
  const about = (
    name: string,
    is: (id: string, it: Shown) => boolean,
    inBrowsers = false,
  ): Question => ({
    name,
    guess,
    targets: [...shown].filter(([id, it]) => is(id, it)).map(([id]) => id),
    candidatesOf: (id) => (inBrowsers ? crowdOf(id).filter(isInBrowser) : crowdOf(id)),
    personOf: (id) => targetOf(id).person,
    isRight: (id, account) => accounts.get(account) === targetOf(id).person,
  })
  const isInBrowser = (account: string) =>
    ofAccount.get(account)?.some(({ seen }) => seen.isHttp2) === true
  const isRating = ({ kind, seen }: Shown) => kind === 'rating' && !seen.isHttp2
  const raters = (it: Shown) => it.kind === 'rating' || it.kind === 'badge'
  const several = severalOf([...shown.values()].filter(raters).map(({ person }) => person))
  const ratingIds = [...shown].filter(([, it]) => raters(it)).map(([id]) => id)
  const questions: Question[] = [
    about('rating → account', (id, it) => isRating(it) && !isJustIssued(id)),
    about(JUST_ISSUED, (id, it) => isRating(it) && isJustIssued(id)),
    about('rating → account, in browsers', (_, { seen }) => seen.isHttp2, true),
    about('pay → account', (id, { kind }) => kind === 'pay' && !isJustIssued(id)),
    about('badge → account', (_, { kind }) => kind === 'badge'),
    about('room post → account', (_, { kind }) => kind === 'room post'),
    {
      name: 'rating → rating',
      targets: ratingIds.filter((id) => several.has(targetOf(id).person)),
      // A change names the rating that it changes, so the same company's are one person's by design.
      candidatesOf: (target) =>
        ratingIds.filter((id) => targetOf(id).company !== targetOf(target).company),
      personOf: (id) => targetOf(id).person,
      isRight: (one, other) => targetOf(one).person === targetOf(other).person,
      // People give several in one visit.
      guess: (one, other) => {
        const gap = Math.abs(targetOf(one).seen.at - targetOf(other).seen.at)
        return [sized(1)(Math.ceil(gap / MINUTE_MS)), Number(gap < VISIT_MS)]
      },
    },
  ]

  const seenOf = (id: string) => shown.get(id)?.seen
  /** A candidate is an account or another rating. */
  const requestsOf = (id: string) => {
    const one = shown.get(id)
    return one ? [one] : (ofAccount.get(id) as { seen: Seen; place: number }[])
  }
  const attack = (
    name: string,
    numbers: (target: Shown, candidate: string) => number[],
  ): Attack => ({
    name,
    featuresOf: () => (target, candidate) => numbers(targetOf(target), candidate),
  })
  const fine = sized(SECOND_MS / 10)
  const momentsOf = (candidate: string, is: (seen: Seen) => boolean) =>
    requestsOf(candidate).flatMap(({ seen }) => (is(seen) ? [seen.at] : []))
  const tokenless = new Map<number, Seen[]>()
  for (const one of log)
    if (!one.account) tokenless.set(one.connection, [...(tokenless.get(one.connection) ?? []), one])
  const beside = new Map<string, Seen[]>()
  function besideOf(candidate: string) {
    const connections = new Set(requestsOf(candidate).map((it) => it.seen.connection))
    const known = beside.get(candidate) ?? [...connections].flatMap((it) => tokenless.get(it) ?? [])
    beside.set(candidate, known)
    return known
  }
  const refusedRatings = log.filter(isRefusedRating)
  const attacks = [
    attack('values that both say', ({ seen }, candidate) => {
      const theirs = seenOf(candidate)
      const mine = [...new Set([...seen.said, ...seen.told])].filter((value) => !open.has(value))
      if (theirs) return [mine.filter((value) => theirs.said.includes(value)).length]
      const shared = mine.filter((value) => valuesOf.get(candidate)?.has(value))
      return [Math.max(0, ...shared.map((value) => 1 / (holdersOf.get(value)?.size ?? 1)))]
    }),
    attack('moments and order', ({ seen, place }, candidate) => {
      const all = requestsOf(candidate)
      const places = all.map((it) => it.place)
      return [
        ...gapsTo(
          momentsOf(candidate, () => true),
          seen.at,
        ).map(fine),
        ...gapsTo(places, place).map(sized(1)),
      ]
    }),
    attack('what pages ask by themselves', ({ seen, company }, candidate) => {
      const asked = momentsOf(candidate, (it) => !isByHand(it) && names(it, company))
      return gapsTo(asked, seen.at).map(fine)
    }),
    attack('what comes without a token over its connection', ({ seen, company }, candidate) => {
      // Two ratings share one, and what people open by hand names the company: see known-to-fail.ts.
      const all = shown.has(candidate) ? [] : besideOf(candidate)
      const others = all.filter((it) => it !== seen)
      const about = others.filter((it) => it.path.startsWith('/api/') && names(it, company))
      return [
        Number(all.includes(seen)),
        ...gapsTo(momentsIn(others), seen.at).map((gap) => fine(Math.min(gap, AT_ONCE_MS))),
        ...gapsTo(momentsIn(about), seen.at).map(fine),
      ]
    }),
    attack('credentials and refusals', ({ seen, company }, candidate) => {
      const issued = momentsOf(candidate, isIssuing)
      const refused = refusedRatings.filter(
        (it) => names(it, company) && seen.at - it.at < VISIT_MS && it.at <= seen.at,
      )
      const renewed = refused.map(({ at }) => gapsTo(issued, at)[1] as number)
      return [...gapsTo(issued, seen.at), Math.min(Number.POSITIVE_INFINITY, ...renewed)].map(fine)
    }),
    attack('sizes', ({ seen }, candidate) => {
      const near = requestsOf(candidate).filter(
        (it) => Math.abs(it.seen.at - seen.at) < PAUSE_MAX_MS,
      )
      return [Math.min(...near.map((it) => Math.abs(it.seen.up - seen.up)), 1e6)].map(sized(1))
    }),
    attack(CONNECTIONS, ({ seen }, candidate) => {
      const theirs = requestsOf(candidate)
      return [
        Number(theirs.some((it) => it.seen.connection === seen.connection)),
        ...gapsTo(
          theirs.map((it) => openedAt(it.seen.connection)),
          openedAt(seen.connection),
        ).map(fine),
      ]
    }),
  ]
  const opened = new Map<number, number>()
  for (const { connection, at } of log) if (!opened.has(connection)) opened.set(connection, at)
  function openedAt(connection: number) {
    return opened.get(connection) as number
  }
  return { questions: questions.filter(({ targets }) => targets.length > 0), attacks }
}

const momentsIn = (all: Seen[]) => all.map(({ at }) => at)

const names = ({ path, said }: Seen, company: string) =>
  path.toLowerCase().includes(company) || said.includes(company)

/** A holder's key as the site stores it. */
export const hashOf = (value: string) =>
  createHash('sha256').update(Buffer.from(value, 'base64url')).digest('base64url')
