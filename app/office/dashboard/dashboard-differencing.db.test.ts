/**
 * Somebody keeps every answer of a dashboard, of any filter and any moment, and adds and subtracts them
 * as they like. A told number counts posts or ratings; whatever is added and subtracted gives the same
 * weight to two of them that stand in exactly the same told numbers. So nothing can be found out about
 * fewer people than wrote such a group. That is checked, group by group: it is not a search for attacks.
 */
import { createHash, randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { departedKey } from '#app/community/discussions/posts/own-posts.server.ts'
import { RATING_CATEGORIES } from '#app/companies/company.ts'
import { daysBefore } from '#app/companies/tracking/day-count.ts'
import { authored, madeUpPerson } from '#tests/support/authors.ts'
import { withDatabase } from '#tests/support/database.ts'
import type { DashboardView } from './dashboard.contract.ts'
import { RANGES } from './dashboard.ts'
import { companyDashboard, dashboardCsv } from './dashboard-queries.server.ts'
import { releaseDashboards } from './release-task.server.ts'

const keyOf = (text: string) => createHash('sha256').update(text).digest().subarray(0, 16)

const { as } = withDatabase()
const SEQUENCES = 10_000
const WEEKS = 40
const PEOPLE = 5
const KEYS = [...RATING_CATEGORIES.map(({ key }) => key), 'officeDays'] as const
const FILTERS = RANGES.flatMap((weeks) =>
  [undefined, ...RATING_CATEGORIES.map(({ key }) => key)].map((category) => ({ weeks, category })),
)

/** What someone wrote or rated, as the test knows it. */
interface Deed {
  kind: 'threads' | 'comments' | 'ratings' | 'looks'
  id: string
  owner: string
  day: string
  isShown: boolean
  has: readonly string[]
  /** One bit for each told number that counts it. */
  mask: bigint
}

/** How lively a company is: people, deeds between two moments, and how many ratings leave parts out. */
const COMPANIES = [
  { people: 7, deeds: 8, holes: 0.1 },
  { people: 14, deeds: 7, holes: 0.25 },
  { people: 60, deeds: 14, holes: 0.4 },
]

test(
  'Issue 7: no dashboard number can be differenced down to fewer than five people',
  () =>
    as('ada', async (ctx) => {
      const { deeds, answers, tellings } = await simulate(ctx)
      const random = randomNumbers(7)
      for (let i = 0; i < SEQUENCES; i++) {
        // The first ones keep everything that there ever was of a company.
        const company = i < COMPANIES.length ? i : random(COMPANIES.length)
        const all = answers[company] as bigint[]
        const looks =
          i < COMPANIES.length
            ? all
            : Array.from({ length: 2 + random(11) }, () => all[random(all.length)] as bigint)
        const seen = looks.reduce((all, look) => all | look, 0n)
        const groups = new Map<bigint, Set<string>>()
        for (const { mask, owner } of deeds[company] as Deed[]) {
          const group = mask & seen
          if (group === 0n) continue
          const owners = groups.get(group)
          if (owners) owners.add(owner)
          else groups.set(group, new Set([owner]))
        }
        const fewest = Math.min(...[...groups.values()].map(({ size }) => size), Infinity)
        if (fewest < PEOPLE) expect.fail(`sequence ${i} tells of ${fewest} people`)
      }
      // The test means something: much was told, and parts of ratings were left out.
      const told = tellings.flatMap((told) => [...told.keys()])
      const times = (key: string) => told.filter((it) => it.startsWith(key)).length
      for (const key of ['score', 'threads', 'comments', 'job-views', 'job-applies'])
        expect(times(key), key).toBeGreaterThan(10)
      expect(times('rto')).toBeGreaterThan(3)
      expect(times('rto')).toBeLessThan(times('score'))
    }),
  240_000,
)

async function simulate(ctx: Ctx) {
  const random = randomNumbers(2026)
  const deeds: Deed[][] = COMPANIES.map(() => [])
  /** Per company the numbers that were ever told, each with its bit. */
  const tellings = COMPANIES.map(() => new Map<string, bigint>())
  /** Per company, of each moment and filter, which numbers it tells. */
  const answers: bigint[][] = COMPANIES.map(() => [])
  const followers = COMPANIES.map(() => new Set<string>())
  const toldFollowers = COMPANIES.map(() => ({
    told: null as number | null,
    who: new Set<string>(),
  }))
  const ids: string[] = []
  for (const [i] of COMPANIES.entries()) ids.push(await addCompany(ctx, `Simulated ${i}`))
  for (let week = 0; week < WEEKS; week++)
    for (const weekday of [0, 1, 4]) {
      const day = daysBefore('2025-03-03', -(7 * week + weekday))
      const now = () => new Date(`${day}T12:00:00Z`)
      for (const [i, liveliness] of COMPANIES.entries()) {
        const company = {
          id: ids[i] as string,
          deeds: deeds[i] as Deed[],
          followers: followers[i] as Set<string>,
        }
        for (let n = random(liveliness.deeds + 1); n > 0; n--)
          await happen(ctx, company, liveliness, day, random)
      }
      await releaseDashboards({ ...ctx, now }, { minShown: 1, hasJobs: true })
      for (const [i, id] of ids.entries()) {
        for (const filter of weekday === 1 ? FILTERS : FILTERS.slice(-1 - random(3))) {
          const view = await companyDashboard({ ...ctx, now }, id, filter, {
            hasJobs: true,
            ratingsWait: false,
          })
          const told = toldIn(view)
          // The file tells what the screen tells, and nothing else.
          expect(toldInCsv(dashboardCsv(view)), 'CSV').toEqual(told)
          let answer = 0n
          for (const number of told)
            answer |= bitOf(number, {
              day,
              deeds: deeds[i] as Deed[],
              tellings: tellings[i] as Map<string, bigint>,
            })
          answers[i]?.push(answer)
          const { n } = view.followers
          const before = toldFollowers[i] as (typeof toldFollowers)[number]
          if (n !== before.told) {
            const who = followers[i] as Set<string>
            expect(who.size).toBeGreaterThanOrEqual(n ?? 0)
            expect(n === null || (n >= PEOPLE && n % PEOPLE === 0)).toBe(true)
            expect(
              Math.abs(who.size - before.who.size),
              'followers that came or went',
            ).toBeGreaterThanOrEqual(PEOPLE)
            toldFollowers[i] = { told: n, who: new Set(who) }
          }
        }
      }
    }
  return { deeds, answers, tellings }
}

/** What is told of how many: "what from to number". Sums of the range are those of its spans. */
function toldIn({ threads, comments, ratings, office, jobs }: DashboardView): string[] {
  const parts = ratings.spans.map(({ from, to, ratings, parts, officeDays }) => [
    { key: 'score', from, to, n: ratings },
    ...parts.map((part) => ({ key: part.key, from, to, n: part.ratings })),
    ...(officeDays ? [{ key: 'officeDays', from, to, n: officeDays.ratings }] : []),
  ])
  const inAll = (spans: { n: number }[]) =>
    spans.length > 0 ? spans.reduce((sum, { n }) => sum + n, 0) : null
  const inAllOf = (wanted: string) => inAll(parts.flat().filter(({ key }) => key === wanted))
  expect(threads.n).toBe(inAll(threads.spans))
  expect(comments.n).toBe(inAll(comments.spans))
  expect(ratings.inAll?.ratings ?? null).toBe(inAllOf('score'))
  expect(office.actual?.ratings ?? null).toBe(inAllOf('officeDays'))
  for (const { key, ratings: n } of ratings.parts) expect(n).toBe(inAllOf(key))
  expect(jobs?.views).toBe(inAll(jobs?.spans.map(({ views: n }) => ({ n })) ?? []))
  expect(jobs?.applies).toBe(inAll(jobs?.spans.map(({ applies: n }) => ({ n })) ?? []))
  return [
    ...parts.flat(),
    ...threads.spans.map((span) => ({ key: 'threads', ...span })),
    ...comments.spans.map((span) => ({ key: 'comments', ...span })),
    ...(jobs?.spans ?? []).flatMap(({ from, to, views, applies }) => [
      { key: 'job-views', from, to, n: views },
      { key: 'job-applies', from, to, n: applies },
    ]),
  ].map(({ key, from, to, n }) => `${key} ${from} ${to} ${n}`)
}

function toldInCsv(csv: string): string[] {
  return csv
    .trim()
    .split('\r\n')
    .map((row) => row.split(','))
    .filter(([what]) => !['what', 'followers', 'office days stated'].includes(what ?? ''))
    .map(([what, from, to, number, ratings]) => {
      const key = what === 'office days actual' ? 'officeDays' : what?.replace('job ', 'job-')
      return `${key} ${from} ${to} ${ratings || number}`
    })
}

/** The bit of a number. What it counts is settled when it is told first: it must be what it says. */
function bitOf(
  number: string,
  { day, deeds, tellings }: { day: string; deeds: Deed[]; tellings: Map<string, bigint> },
): bigint {
  const known = tellings.get(number)
  if (known !== undefined) return known
  const bit = 1n << BigInt(tellings.size)
  tellings.set(number, bit)
  const [key, from, to, n] = number.split(' ') as [string, string, string, string]
  expect(to < day, `${number} is over on ${day}`).toBe(true)
  const counted = deeds.filter(
    (deed) =>
      deed.isShown &&
      deed.day >= from &&
      deed.day <= to &&
      (deed.kind === key || deed.has.includes(key)),
  )
  for (const deed of counted) deed.mask |= bit
  expect(counted.length, `${number}, told on ${day}`).toBe(Number(n))
  return bit
}

interface Company {
  id: string
  deeds: Deed[]
  followers: Set<string>
}
type Random = (below: number) => number

/** Something happens at a company. Usually someone writes, and sometimes something is deleted. */
async function happen(
  ctx: Ctx,
  { id, deeds, followers }: Company,
  { people, holes }: { people: number; holes: number },
  day: string,
  random: Random,
) {
  const owner = `person ${random(people)}`
  const shown = (kind: Deed['kind']) => deeds.filter((deed) => deed.kind === kind && deed.isShown)
  const one = (kind: Deed['kind']) => shown(kind)[random(shown(kind).length)]
  const chance = random(26)
  if (chance < 3) deeds.push(await writeThread(ctx, id, owner, day))
  else if (chance < 9) {
    const thread = one('threads')
    if (thread) deeds.push(await writeComment(ctx, thread.id, owner, day, deeds.length))
  } else if (chance < 14) {
    const mine = shown('ratings').find((deed) => deed.owner === owner)
    if (mine) {
      mine.isShown = false
      await ctx.db.query(sql`delete from public_ratings where id = ${mine.id}`)
    }
    // Every other time it is only taken back.
    if (!mine || random(2) > 0) deeds.push(await rate(ctx, id, { owner, day, holes, random }))
  } else if (chance < 17) {
    const isFollowing = followers.has(owner)
    if (isFollowing && random(3) === 0) {
      followers.delete(owner)
      await ctx.db.query(
        sql`delete from follows where company_id = ${id} and key = ${keyOf(`${owner} ${id}`)}`,
      )
    } else if (!isFollowing) {
      followers.add(owner)
      await ctx.db.query(sql`
        insert into follows (key, own_row_key, person_sealed, company_id)
        values (${keyOf(`${owner} ${id}`)}, ${keyOf(`${owner} ${id}`)}, ${keyOf(owner)}, ${id})`)
    }
  } else if (chance > 19) {
    // A look counts once a day and person. The counting at noon has the looks of that morning.
    const hasApplied = random(4) === 0
    await ctx.db.query(sql`
      update job_postings set views = views + 1, applies = applies + ${hasApplied ? 1 : 0}
       where company_id = ${id}`)
    const has = ['job-views', ...(hasApplied ? ['job-applies'] : [])]
    const looker = `${owner} on ${day}, ${deeds.length}`
    deeds.push({
      ...{ kind: 'looks', id: '', owner: looker, day: daysBefore(day, 1), isShown: true, has },
      mask: 0n,
    })
  } else if (chance === 17) {
    const gone = one('comments')
    if (!gone) return
    gone.isShown = false
    await ctx.db.query(sql`update comments set is_deleted = true where id = ${gone.id}`)
  } else if (chance === 18) {
    const held = one('comments')
    if (!held) return
    held.isShown = false
    await ctx.db.query(sql`update comments set hidden = 'held' where id = ${held.id}`)
  } else {
    // Someone leaves. What they wrote stays, without an author. Here, a name is always the same person.
    await ctx.db.query(sql`
      insert into deleted_accounts (key) values (${departedKey(madeUpPerson(owner).root)})
      on conflict do nothing`)
  }
}

const minuteOf = (day: string) => Date.parse(day) / 60_000 + 600

async function writeThread(ctx: Ctx, companyId: string, owner: string, day: string): Promise<Deed> {
  const id = randomUUID()
  const its = authored(owner, id)
  await ctx.db.query(sql`
    insert into threads (id, company_id, key, own_row_key, person_sealed, author_name, is_visitor, title, body, html,
                         excerpt, posted_minute, idempotency_key)
    values (${id}, ${companyId}, ${its.key}, ${its.ownRowKey}, ${its.personSealed}, 'Calm heron', false, 'How is it there?', '', '', '',
            ${minuteOf(day)}, ${id})`)
  return { kind: 'threads', id, owner, day, isShown: true, has: [], mask: 0n }
}

async function writeComment(
  ctx: Ctx,
  threadId: string,
  owner: string,
  day: string,
  place: number,
): Promise<Deed> {
  const id = randomUUID()
  const its = authored(owner, threadId, id)
  await ctx.db.query(sql`
    insert into comments (id, thread_id, key, own_row_key, person_sealed, author_name, is_visitor, body, html,
                          posted_minute, place, idempotency_key)
    values (${id}, ${threadId}, ${its.key}, ${its.ownRowKey}, ${its.personSealed}, 'Calm heron', false, 'Fine.', '', ${minuteOf(day)},
            ${place + 1}, ${id})`)
  return { kind: 'comments', id, owner, day, isShown: true, has: [], mask: 0n }
}

/** A rating has no day, only its month. */
async function rate(
  ctx: Ctx,
  companyId: string,
  { owner, day, holes, random }: { owner: string; day: string; holes: number; random: Random },
): Promise<Deed> {
  const id = randomUUID()
  const month = `${day.slice(0, 7)}-01`
  // Who leaves something out leaves out the same as others do, or something else.
  const few = random(4) > 0 ? ['dei', 'culture'] : ['culture', KEYS[random(KEYS.length)] as string]
  const has: readonly string[] = random(100) < 100 * holes ? [...new Set(few)] : KEYS
  const stars = (key: string) => (has.includes(key) ? 1 + random(5) : null)
  await ctx.db.query(sql`
    insert into public_ratings (id, company_id, month, rto, dei, work_life, culture, office_days)
    values (${id}, ${companyId}, ${month}, ${stars('rto')}, ${stars('dei')},
            ${stars('workLife')}, ${stars('culture')}, ${stars('officeDays')})`)
  return { kind: 'ratings', id, owner, day: month, isShown: true, has: ['score', ...has], mask: 0n }
}

/** A company for which erin acts. */
async function addCompany({ db }: Ctx, name: string) {
  const id = randomUUID()
  await db.query(sql`
    insert into companies (id, name, name_key, slug)
    values (${id}, ${name}, ${name.toLowerCase()}, ${`company-${id}`})`)
  await db.query(sql`
    insert into employer_claims (account_id, company_id, status)
    select id, ${id}, 'approved' from accounts
     where id = '00000000-0000-4000-8000-00000000e214'`)
  await db.query(sql`
    insert into job_postings (company_id, company_name, title, description, html, excerpt,
                              remote_policy, employment_type, salary_minimum, salary_maximum,
                              salary_currency, salary_period, yearly_minimum, yearly_maximum,
                              salary_worth, apply_link, status, posted_date, valid_through, idempotency_key)
    values (${id}, ${name}, 'Baker', '', '', '', 'on-site', 'full-time', 1, 2, 'EUR', 'hour', 1, 2, 2,
            'https://example.com', 'open', '2025-03-03', '2026-03-03', ${id})`)
  return id
}

/** The same numbers in every run. */
function randomNumbers(seed: number): Random {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}
