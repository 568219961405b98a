/** What an evening's people ask of a forum: the mix of docs/scaling.md, and its addresses on this site. */
import { randomUUID } from 'node:crypto'
import { popularFirst, type Random } from './data/random.ts'
import { talk, wordOfAnyRank } from './data/words.ts'
import { headersOf, type Sent } from './site.ts'

/** How often one person does this, per minute. */
export const MIX = {
  'popular page': 1.8,
  'other page': 0.2,
  'own part of a page': 1,
  'list of discussions': 0.8,
  comments: 0.7,
  'company suggestions': 0.6,
  'counted view': 0.3,
  jobs: 0.3,
  'unread news': 0.3,
  'discussion search': 0.08,
  'company search': 0.02,
  vote: 0.035,
  comment: 0.012,
  'new thread': 0.003,
  /** Opens a live stream and closes the oldest one. */
  'live stream': 0.1,
}
/** How often the only employer, moderator and crawler do this, however many people there are. */
export const ALONE = { employer: 6, moderator: 12, crawler: 60 }
/** The part of the people who have a live stream open. */
export const LIVE = 0.3

export type Kind = keyof typeof MIX | keyof typeof ALONE
export const perMinuteOf = (kind: Kind, people: number) =>
  kind in MIX ? MIX[kind as keyof typeof MIX] * people : ALONE[kind as keyof typeof ALONE]

/** A kind that a forum doesn't have is missing. `live` is the thread of a stream or of a comment. */
export type Asked = Partial<Record<Kind, (random: Random) => Sent & { live?: string }>>

/** Some pages are far more popular than others. */
export const SKEW = 0.7

export interface KettleFacts {
  popular: string[]
  others: string[]
  /** Popular threads, and all. */
  busy: string[]
  threads: string[]
  companies: string[]
  names: string[]
  tokens: string[]
  employer: { token: string; company: string }
  moderator: { token: string; threads: string[] }
}

/** People come from networks of their own, because the site's limits are on. */
const networkOf = (n: number) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`
export const memberHeaders = (token: string | undefined, n: number) => ({
  ...headersOf(token),
  'x-forwarded-for': networkOf(n),
})
const NETWORKS = 2 ** 23

export function kettle(facts: KettleFacts): Asked {
  const { tokens, employer, moderator } = facts
  const popular = popularFirst(facts.popular, SKEW)
  const busy = popularFirst(facts.busy, SKEW)
  const visit = (random: Random, path: string): Sent => ({
    path,
    headers: {
      'user-agent': 'Mozilla/5.0',
      'accept-encoding': 'br',
      'x-forwarded-for': networkOf(NETWORKS + random.below(NETWORKS)),
    },
  })
  const as = (
    { token, n = 0 }: { token?: string; n?: number },
    path: string,
    method: Sent['method'] = 'GET',
    body?: object,
  ): Sent => ({
    ...{ method, path, headers: memberHeaders(token, n) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const member = (random: Random, path: string, method?: Sent['method'], body?: object) => {
    const n = random.below(tokens.length)
    return as({ token: tokens[n], n }, path, method, body)
  }
  let decisions = 0
  return {
    'popular page': (random) => visit(random, popular(random)),
    'other page': (random) => visit(random, random.pick(facts.others)),
    'own part of a page': (random) => member(random, `/api/v1/my-page?thread=${busy(random)}`),
    'list of discussions': (random) =>
      visit(
        random,
        `/api/v1/threads?${random.pick(['sort=hot', 'sort=new', 'sort=top', `company=${random.pick(facts.companies)}`])}`,
      ),
    comments: (random) => visit(random, `/api/v1/threads/${random.pick(facts.threads)}/comments`),
    'company suggestions'(random) {
      const typed = random.pick(facts.names).slice(0, 2 + random.below(5))
      return visit(random, `/api/v1/companies/suggest?text=${encodeURIComponent(typed)}`)
    },
    'counted view': (random) => ({
      ...visit(random, '/api/v1/views'),
      method: 'POST',
      headers: { ...visit(random, '').headers, ...headersOf() },
      body: JSON.stringify({ companyId: random.pick(facts.companies) }),
    }),
    jobs: (random) =>
      visit(
        random,
        `/api/v1/jobs?${random.pick(['sort=newest', 'remote=remote', 'place=Berlin'])}`,
      ),
    'unread news': (random) => member(random, '/api/v1/notifications/unread'),
    'discussion search': (random) =>
      visit(random, `/api/v1/threads?search=${encodeURIComponent(wordsOf(random))}`),
    'company search'(random) {
      const name = encodeURIComponent(random.pick(facts.names))
      return visit(random, `/api/v1/companies?search=${name}`)
    },
    vote: (random) =>
      member(random, `/api/v1/threads/${random.pick(facts.threads)}/vote`, 'PUT', {
        vote: random.chance(0.8) ? 1 : -1,
      }),
    comment(random) {
      const thread = random.chance(0.7) ? busy(random) : random.pick(facts.threads)
      const body = { body: talk(random, 12 + random.below(14)), idempotencyKey: randomUUID() }
      return { live: thread, ...member(random, `/api/v1/threads/${thread}/comments`, 'POST', body) }
    },
    'new thread': (random) =>
      member(random, '/api/v1/threads', 'POST', {
        ...{ title: titleOf(random), body: talk(random, 30), idempotencyKey: randomUUID() },
        companyId: random.pick(facts.companies),
      }),
    'live stream'(random) {
      const thread = busy(random)
      return { live: thread, ...visit(random, `/api/v1/threads/${thread}/live`) }
    },
    employer: (random) =>
      as(
        employer,
        random.pick([`/api/v1/companies/${employer.company}/dashboard`, '/api/v1/my/jobs']),
      ),
    moderator(random) {
      const { threads } = moderator
      const list = random.pick(['queue', 'queue', 'log'])
      if (random.chance(0.8)) return as(moderator, `/api/v1/moderation/${list}`)
      const isLocked = Math.floor(decisions / threads.length) % 2 === 1
      const path = `/api/v1/moderation/threads/${threads[decisions++ % threads.length]}`
      return as(moderator, `${path}/${isLocked ? 'unlock' : 'lock'}`, 'POST', {})
    },
    crawler(random) {
      const { path, headers } = visit(
        random,
        random.chance(0.9)
          ? random.pick(facts.others)
          : random.pick(['/sitemap.xml', '/robots.txt', '/feeds/discussions.atom']),
      )
      return { path, headers: { ...headers, 'user-agent': 'Examplebot/1.0' } }
    },
  }
}

/** One word or two. */
export const wordsOf = (random: Random) =>
  Array.from({ length: 1 + random.below(2) }, () => wordOfAnyRank(random)).join(' ')
export const titleOf = (random: Random) => talk(random, 8).replaceAll('.', '').slice(0, 120)
