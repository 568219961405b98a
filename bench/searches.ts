/** Searches and lists in the database, with one caller: what people type, and what would be slow. */
import { readFile } from 'node:fs/promises'
import sql from 'sql-template-tag'
import type { AuthSettings } from '../app/api/auth/actor.server.ts'
import type { Ctx } from '../app/api/auth/context.server.ts'
import { commentsPage } from '../app/community/discussions/comments/comment-queries.server.ts'
import type { ThreadSearch } from '../app/community/discussions/search/found-posts.server.ts'
import { searchThreads } from '../app/community/discussions/search/thread-search.server.ts'
import {
  listThreads,
  type ThreadListQuery,
  threadById,
} from '../app/community/discussions/threads/thread-queries.server.ts'
import { COMPANY_SORTS } from '../app/companies/company.ts'
import { insertCompanies } from '../app/companies/company-commands.server.ts'
import { listCompanies } from '../app/companies/company-queries.server.ts'
import { searchKey } from '../app/companies/search/company-keys.ts'
import { suggestCompanies } from '../app/companies/search/company-search.server.ts'
import { unwantedFirsts } from '../app/companies/search/wanted-companies.fixture.ts'
import { managedAccounts } from '../app/identity/accounts/administrators/managed-accounts.server.ts'
import { EMPLOYMENT_TYPES, JOB_SORTS, POSTED_WITHIN, REMOTE_POLICIES } from '../app/jobs/job.ts'
import type { JobListQuery } from '../app/jobs/search/job-lookup.server.ts'
import { listJobs } from '../app/jobs/search/job-search.server.ts'
import { foldText, slugOf } from '../app/kit/writing/text.ts'
import { adminStats } from '../app/office/administration/administration-queries.server.ts'
import {
  contactMessages,
  type InboxQuery,
  unreadMessages,
} from '../app/office/contact/contact-queries.server.ts'
import { companyId, companyRows } from './data/companies.ts'
import { createRandom, type Random } from './data/random.ts'
import { COMMENTS_PER_THREAD, largeThreads, threadId } from './data/threads.ts'
import { rareWord, SMALL_WORDS, TALKED_WORDS, wordOfAnyRank } from './data/words.ts'
import {
  type Figure,
  figure,
  latency,
  type Measurement,
  measure,
  median,
  over,
  timesOf,
} from './measure.ts'
import { type Entry, rolledBack, SMALL, YOUNG } from './world.ts'

export const suggest: Entry = {
  name: 'suggest',
  says: 'companies while typing, with typos, with hostile texts; lists of companies; whether the right one comes first',
  async run(bench) {
    const { ctx } = await bench.world(['companies'])
    const ask = (text: string) => suggestCompanies(ctx, text)
    // Words that aren't the companies', drawn the same way.
    const texts = textsOf(bench.seed + 1)
    const fifth = (texts: string[]) => ({ ...over(texts, ask), times: texts.length / 5 })
    const { typed, slipped, hostile } = await measure(
      { typed: fifth(texts.typed), slipped: fifth(texts.slipped), hostile: fifth(texts.hostile) },
      { rounds: 5 },
    )
    const some = [...texts.hostile.slice(0, 30), ...texts.typed.slice(0, 30)]
    const lists = COMPANY_SORTS.flatMap((sort) => some.map((search) => ({ search, sort })))
    const listed = await timesOf(lists, (query) => listCompanies(ctx, { ...query, limit: 24 }))
    return [
      latency('suggest, typed', typed.values, { max: 5 }),
      latency('suggest, a slip', slipped.values, { max: 20 }),
      latency('suggest, hostile', hostile.values, { max: 100 }),
      figure('suggest, hostile, slowest', Math.max(...hostile.values), 'ms', { max: 1_000 }),
      latency('list, searched, any sort', listed),
      figure('list, searched, slowest', Math.max(...listed), 'ms', { max: 2_000 }),
      figure('one company added, p50', median(await rolledBack(ctx, adding)), 'ms'),
      ...(await rolledBack(ctx, relevance)),
    ]
  },
}

function adding(ctx: Ctx) {
  const description = 'A family-owned brewery of wood-cuts that binds, brews and prints at once.'
  const company = { category: 'Other', description }
  return timesOf([...Array(200).keys()], (n) =>
    insertCompanies(ctx, [{ ...company, name: `Bench Xylograph ${n} Zymurgy` }]),
  )
}

/** The share of texts for which the wanted company comes first, among all others. */
async function relevance(ctx: Ctx): Promise<Figure[]> {
  const file = new URL('../db/starter/companies.json', import.meta.url)
  const added = await insertCompanies(ctx, JSON.parse(await readFile(file, 'utf8')))
  const ids = added.map(({ id }) => id)
  const shares: number[] = []
  // People say this much about well-known companies. Among the invented ones, that's about 3 in 100.
  for (const said of [0, 100]) {
    await ctx.db.query(
      sql`update company_stats set comments = ${said} where company_id = any (${ids}::uuid[])`,
    )
    const { texts, wrong } = await unwantedFirsts(ctx)
    for (const line of wrong) console.error(`With ${said} comments not first: ${line}`)
    shares.push((100 * (texts - wrong.length)) / texts)
  }
  const [unknown = 0, known = 0] = shares
  return [
    figure('right company first', known, '%', { min: 95 }),
    figure('the same while nobody says anything about it', unknown, '%'),
  ]
}

/** How people search for companies. The same for the same seed. */
function textsOf(seed: number) {
  const random = createRandom(seed, 'typed')
  const rows = [...companyRows(seed, 2_000).rows()] as string[][]
  const names = rows.map(([, name = '']) => name)
  const letters = (length: number) =>
    Array.from({ length }, () => String.fromCharCode(97 + random.below(26))).join('')
  const COMMON =
    'company in that services technology of and london the inc with smith global'.split(' ')
  /** Texts that are expensive to look up: rare pairs, parts of words, many common words, no match. */
  const hostile = [
    () => letters(2),
    () => `${random.pick([...'qxzjkvw'])}${random.pick([...'qxzjkvw'])}`,
    (text: string) => {
      const start = random.below(text.length - 8)
      return text.slice(start, start + 3 + random.below(6)).trim()
    },
    (text: string) => text.split(/\s/).slice(-5, -2).join(' '),
    () => `${random.pick(COMMON)} ${random.pick(COMMON)}`,
    () => `${random.pick(COMMON).slice(1)} ${random.pick(COMMON).slice(0, 3)}`,
    () => letters(3 + random.below(6)),
    () =>
      random.pick(['%', '_', '\\\\', '.*', '日本', '🚀', 'at&t', 'łódź', 'a_b', '  ']) + letters(1),
  ]
  return {
    /** What people type: the first 2 to 6 letters of names, and whole words from names. */
    typed: names
      .map((name) => {
        const folded = foldText(name)
        const word = random.pick(folded.split(' '))
        return random.chance(0.75) ? folded.slice(0, 2 + random.below(5)).trim() : word
      })
      .filter((text) => text.length >= 2 && slugOf(text) !== '')
      .slice(0, 1_000),
    /** Beginnings with one typo. */
    slipped: names
      .map((name) => searchKey(name).slice(0, 5 + random.below(9)))
      .filter(({ length }) => length >= 5)
      .map((text) => slipped(random, text))
      .slice(0, 300),
    hostile: rows.slice(0, 300).map(([, , key, , category, description], n) => {
      const text =
        hostile[n % hostile.length]?.(foldText(`${key} ${description} ${category}`)) ?? ''
      return text.length >= 2 ? text : letters(2)
    }),
  }
}

const DEEPEST_PAGE = 500
/** How many pages at each end of a list we compare, for "flat". */
const END_PAGES = 50

export const discussions: Entry = {
  name: 'discussions',
  says: 'lists of threads up to page 500, long threads, searches; compared with a small site',
  async run(bench) {
    const large = await bench.world(['threads'])
    const many = large.ctx
    const few = (await bench.world(['threads'], YOUNG)).ctx
    const figures: Figure[] = []
    for (const [name, query] of Object.entries(listsOf(bench.seed)))
      figures.push(...(await list(many, few, name, query)))
    for (const { index, comments } of largeThreads(large.threads)) {
      const id = threadId(bench.seed, index)
      const read = async () => {
        await threadById(many, id)
        await commentsPage(many, id, { sort: 'best' })
      }
      const max = comments === 2_000 ? 60 : undefined
      const times = await timesOf(Array(100).fill(0), read, 3)
      figures.push(latency(`a thread of ${comments} comments`, times, { max }))
    }
    return [...figures, ...(await searching(many, bench.seed))]
  },
}

type ListQuery = Omit<ThreadListQuery, 'after'>

const listsOf = (seed: number): Record<string, ListQuery> => ({
  hot: { sort: 'hot', period: 'week' },
  new: { sort: 'new', period: 'week' },
  'top of a week': { sort: 'top', period: 'week' },
  'top of a year': { sort: 'top', period: 'year' },
  'top of all time': { sort: 'top', period: 'all' },
  unanswered: { sort: 'unanswered', period: 'week' },
  // The most discussed company has enough pages.
  'of a company, hot': { sort: 'hot', period: 'week', company: companyId(seed, 0) },
  'of a company, top': { sort: 'top', period: 'all', company: companyId(seed, 0) },
  'of a common topic, hot': { sort: 'hot', period: 'week', topic: 'work-life-balance' },
  'of a rare topic, hot': { sort: 'hot', period: 'week', topic: 'starting' },
  'of a rare topic, top of a week': { sort: 'top', period: 'week', topic: 'starting' },
})

async function list(many: Ctx, few: Ctx, name: string, query: ListQuery): Promise<Figure[]> {
  const random = createRandom(1, `pages ${name}`)
  const markers = await markersOf(many, query)
  const fewMarkers = await markersOf(few, query)
  const near = () => random.below(Math.min(END_PAGES, markers.length, fewMarkers.length))
  const far = () => Math.max(0, markers.length - 1 - random.below(END_PAGES))
  const page = (ctx: Ctx, after: string | undefined) => listThreads(ctx, { ...query, after })
  const { any, first, last, young } = await measure(
    {
      any: { times: 3, run: () => page(many, markers[random.below(markers.length)]) },
      first: { run: () => page(many, markers[near()]) },
      last: { run: () => page(many, markers[far()]) },
      young: { run: () => page(few, fewMarkers[near()]) },
    },
    { rounds: 100 },
  )
  const beside = (what: string, measured: Measurement, reference: number) =>
    figure(`list ${name}, ${what}`, measured.median, 'ms', { reference, maxRatio: 1.5 })
  return [
    latency(`list ${name}, any of ${markers.length} pages`, any.values, { max: 15 }),
    beside('last pages beside the first', last, first.median),
    beside(`beside ${2_000 * COMMENTS_PER_THREAD} comments`, first, young.median),
  ]
}

/** The cursor of each page, found by reading from the first. */
async function markersOf(ctx: Ctx, query: ListQuery) {
  const markers: (string | undefined)[] = [undefined]
  while (markers.length < DEEPEST_PAGE) {
    const { next } = await listThreads(ctx, { ...query, after: markers.at(-1) })
    if (!next) break
    markers.push(next)
  }
  return markers
}

const HOSTILE = [
  `-${TALKED_WORDS[0]}`,
  SMALL_WORDS.join(' '),
  '!&|'.repeat(60),
  TALKED_WORDS.slice(0, 25).join(' or '),
  `${TALKED_WORDS[0]} -${TALKED_WORDS[1]} -${TALKED_WORDS[2]}`,
]
/** How many of twenty searches are of each kind. */
const KINDS: [count: number, kind: string, text: (random: Random) => string][] = [
  [7, 'a word', wordOfAnyRank],
  [4, 'two words', (random) => `${wordOfAnyRank(random)} ${wordOfAnyRank(random)}`],
  [2, 'a common word', (random) => common(random)],
  [2, 'a rare word', rareWord],
  [2, 'a slip of the keys', (random) => slipped(random, wordOfAnyRank(random))],
  [1, 'a phrase', (random) => `"${common(random)} ${common(random)}"`],
  [1, 'one or another', (random) => `${wordOfAnyRank(random)} or ${wordOfAnyRank(random)}`],
  [1, 'hostile', (random) => random.pick(HOSTILE)],
]
const common = (random: Random) => TALKED_WORDS[random.below(30)] as string

/** A missing letter, a wrong one, or two swapped. */
function slipped(random: Random, word: string) {
  const at = 1 + random.below(Math.max(1, word.length - 2))
  const [one = '', other = ''] = word.slice(at, at + 2)
  return word.slice(0, at) + random.pick([other, other + one, `x${other}`]) + word.slice(at + 2)
}

/** Most people keep the default order. */
const SORTS = 'relevance relevance relevance relevance hot new top unanswered'.split(' ')

/** How people search discussions, and what would be slow. */
function searchesOf(seed: number, count: number) {
  const random = createRandom(seed + 1, 'thread searches')
  const deck = KINDS.flatMap((kind) => Array.from({ length: kind[0] }, () => kind))
  return Array.from({ length: count }, () => {
    const [, kind, textOf] = random.pick(deck)
    const sort = random.pick(SORTS) as ThreadSearch['sort']
    const period = sort === 'top' ? random.pick(['week', 'month', 'year', 'all'] as const) : 'all'
    const query: ThreadSearch = { search: textOf(random), sort, period }
    if (random.chance(0.1)) query.company = companyId(seed, random.below(50))
    if (random.chance(0.15)) query.topic = random.pick(['pay', 'culture', 'starting'])
    return { kind, query }
  })
}

async function searching(ctx: Ctx, seed: number): Promise<Figure[]> {
  const asked = searchesOf(seed, 600)
  // People read a search's first page more than once.
  for (const { query } of asked.slice(0, 150)) await searchThreads(ctx, query)
  const further: ThreadSearch[] = []
  const times = await timesOf(asked, async ({ query }) => {
    const { next } = await searchThreads(ctx, query)
    if (next) further.push({ ...query, after: next } as ThreadSearch)
  })
  const furtherTimes = await timesOf(further, (query) => searchThreads(ctx, query))
  const ofKind = (wanted: string) => times.filter((_, n) => asked[n]?.kind === wanted)
  return [
    latency('search, all kinds', times, { max: 120 }),
    ...KINDS.map(([, kind]) => latency(`search, ${kind}`, ofKind(kind))),
    latency('search, second pages', furtherTimes, { max: 120 }),
    figure('search, slowest', Math.max(...times, ...furtherTimes), 'ms'),
  ]
}

/** What people type into the boxes: common, less common and rare words, and some without a match. */
const JOB_WORDS =
  'engineer,nurse,barista,senior software engineer,sommelier,sql,cobol,manager,kubernetes,team77,team41234,night nurse,remote salary,pension,nobodywrotethis'
const JOB_PLACES =
  'Berlin,New York,Germany,United States,India,Zürich,Jakarta,Town 77,Munich,sao paulo,Dublin,Iceland'
const PAY = '50000 USD,150000 USD,300000 USD,450000 USD,90000 EUR,250000 CHF,1000000 INR,20000 GBP'

const FILTERS: Record<string, (random: Random) => Partial<JobListQuery>> = {
  words: (random) => ({ search: random.pick(JOB_WORDS.split(',')) }),
  place: (random) => ({ place: random.pick(JOB_PLACES.split(',')) }),
  remote: (random) => ({ remote: random.pick(REMOTE_POLICIES) }),
  type: (random) => ({ type: random.pick(EMPLOYMENT_TYPES) }),
  within: (random) => ({ within: random.pick(POSTED_WITHIN) }),
  salary: (random) => {
    const [salary, currency] = random.pick(PAY.split(',')).split(' ') as [string, string]
    return { salary: Number(salary), currency }
  },
}
const ALL_FILTERS = Object.keys(FILTERS)
const COMBINED: [name: string, filters: string[]][] = [
  ['no filters', []],
  ...`remote+type place salary within words words+place words+remote+type words+salary
  place+remote+type place+salary salary+remote+type`
    .split(/\s+/)
    .map((names): [string, string[]] => [names.replaceAll('+', ', '), names.split('+')]),
  ['any of all filters', ALL_FILTERS],
]

export const jobs: Entry = {
  name: 'jobs',
  says: 'lists of jobs with all kinds of filters, several pages deep',
  async run(bench) {
    const { ctx } = await bench.world(['jobs'])
    const fourPages = async (query: JobListQuery) => {
      const times: number[] = []
      for (let after: string | undefined; times.length < 4; ) {
        const began = performance.now()
        const { next } = await listJobs(ctx, { ...query, after })
        times.push(performance.now() - began)
        if (next === null) break
        after = next
      }
      return times
    }
    const figures: Figure[] = []
    for (const [name, filters] of COMBINED) {
      const random = createRandom(bench.seed, `jobs ${name}`)
      const chance = filters === ALL_FILTERS ? 0.5 : 1
      const lists = Array.from({ length: 60 }, (): JobListQuery => {
        const some = filters.filter(() => random.chance(chance))
        const given = some.map((filter) => FILTERS[filter]?.(random))
        return Object.assign({ sort: random.pick(JOB_SORTS), limit: 20 }, ...given)
      })
      // Prepares the statements, and caches their pages.
      for (const list of lists.slice(0, 10)) await listJobs(ctx, list)
      const times: number[] = []
      for (const list of lists) times.push(...(await fourPages(list)))
      figures.push(latency(`jobs by ${name}`, times, { max: 20 }))
    }
    return figures
  },
}

const INBOX_MS = 50

export const contact: Entry = {
  name: 'contact',
  says: 'an inbox of 100,000 messages: opening it, paging, searching',
  async run(bench) {
    const { ctx } = await bench.world(['messages'])
    const admin: Ctx = { ...ctx, actor: { ...ctx.actor, role: 'admin' } }
    const page = (query: InboxQuery) =>
      contactMessages(admin, query, {
        siteUrl: () => 'https://kettle.example',
      })
    const figures: Figure[] = []
    for (const filter of ['all', 'unread', 'archived'] as const) {
      const open = () => Promise.all([page({ filter }), unreadMessages(admin)])
      const times = await timesOf(Array(200).fill(0), open)
      figures.push(
        latency(`the inbox opens, ${filter}`, times),
        figure(`the inbox opens, ${filter}, slowest`, Math.max(...times), 'ms', { max: INBOX_MS }),
      )
    }
    const pages: InboxQuery[] = [{ filter: 'all' }]
    while (pages.length < 200) {
      const { next } = await page(pages.at(-1) as InboxQuery)
      pages.push({ filter: 'all', after: next ?? undefined })
    }
    const random = createRandom(bench.seed, 'searches')
    const searches = Array.from({ length: 400 }, (): InboxQuery => {
      const word = wordOfAnyRank(random)
      const others = [word.slice(0, 3), word.slice(0, 1), `${word} ${random.pick(TALKED_WORDS)}`]
      const search = random.pick([word, ...others, 'someone@example.org', 'nobodywrotethis'])
      return { filter: random.pick(['all', 'unread', 'archived'] as const), search }
    })
    return [
      ...figures,
      latency('pages of the inbox', await timesOf(pages, page), { max: INBOX_MS }),
      latency('searches in the inbox', await timesOf(searches, page), { max: INBOX_MS }),
    ]
  },
}

/** Just below the limit where counts become estimates, so this is the most that's ever counted. */
const COUNTED = 49_000

export const administration: Entry = {
  name: 'administration',
  says: "the panel's numbers, and searching for accounts by part of their name",
  async run(bench) {
    const { ctx, companies, accounts } = await bench.world(['accounts'])
    const few = await bench.world(['companies'], SMALL)
    const many = Array(200).fill(0)
    const admin = (ctx: Ctx): Ctx => ({ ...ctx, actor: { ...ctx.actor, role: 'admin' } })
    const stats = (ctx: Ctx) => timesOf(many, () => adminStats(admin(ctx)))
    const { naive } = await measure({ naive: { times: 5, run: () => counted(ctx) } })
    const there = await stats(ctx)
    const crowded = await rolledBack(few.ctx, async (ctx) => {
      await crowd(ctx)
      return stats(ctx)
    })
    const reference = naive.median
    const figures = [
      latency(`admin stats beside ${companies} companies`, there, { reference, max: 20 }),
      latency(`admin stats, ${COUNTED} members counted one by one`, crowded, { max: 20 }),
    ]
    const names = await ctx.db.query<{ name: string }>(
      sql`select username_key as name from profiles order by md5(username_key) limit 400`,
    )
    const random = createRandom(bench.seed, 'parts of names')
    // Parts of names as people type them. One in ten matches no one.
    const parts = names.map(({ name }) => {
      const whole = random.chance(0.1) ? 'nobodyhasthis' : name
      const start = random.below(whole.length - 1)
      return whole.slice(start, start + 1 + random.below(10))
    })
    const reading = await timesOf(parts.slice(0, 5), (part) =>
      ctx.db.query(sql`
        with named as materialized (select * from profiles where position(${part} in username_key) > 0)
        select * from named order by username_key limit 31`),
    )
    // Lists only need to know who the owner is.
    const { list } = managedAccounts({ ownerEmail: undefined } as AuthSettings)
    for (const sort of ['name', 'role', 'status'] as const) {
      const times = await timesOf(parts, (search) => list(admin(ctx), { sort, search }))
      const name = `search of ${accounts} accounts by part of a name, by ${sort}`
      figures.push(latency(name, times, { reference: median(reading), max: 50 }))
    }
    return figures
  },
}

const crowd = ({ db }: Ctx) =>
  db.script(`
    insert into accounts (email_hash, email_sealed, root_sealed, made_in_month)
    select 'bench ' || n, 'sealed', 'sealed', '2026-02-01' from generate_series(1, ${COUNTED}) n;
    insert into profiles (account_id, username, username_key)
    select id, replace(email_hash, ' ', '-'), replace(email_hash, ' ', '-')
      from accounts where email_hash like 'bench %';
    insert into company_requests (company_name, status, created_on)
    select 'Acme ' || n, case when n % 2 = 0 then 'pending' else 'approved' end, '2026-02-01'
      from generate_series(1, 20000) n`)

/** What the specification literally says: counts each table. */
const counted = ({ db }: Ctx) =>
  db.query(sql`
    select (select count(*) from profiles), (select count(*) from companies),
           (select count(*) from threads),
           (select count(*) from company_requests where status = 'pending')`)
