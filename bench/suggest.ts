/** Suggestions at the database, one caller: what people type, and what would hurt. */
import { readFile } from 'node:fs/promises'
import sql from 'sql-template-tag'
import { visitor } from '../app/api/auth/actor.ts'
import type { Ctx } from '../app/api/auth/context.server.ts'
import { COMPANY_SORTS } from '../app/companies/company.ts'
import { insertCompanies } from '../app/companies/company-commands.server.ts'
import { listCompanies } from '../app/companies/company-queries.server.ts'
import { createSuggestions, suggestCompanies } from '../app/companies/search/suggestions.server.ts'
import { openPostgres } from '../app/platform/database/postgres.server.ts'
import { createSecrets } from '../app/platform/database/secrets.server.ts'
import { createJobs } from '../app/platform/jobs/jobs.server.ts'
import { unwantedFirsts } from '../tests/support/wanted-companies.ts'
import { type Bench, type Figure, latencyFigures, median, timesOf } from './measure.ts'
import { hostileTexts, slippedTexts, typedTexts } from './search-texts.ts'

const TYPED = 1_000
const SLIPPED = 300
const HOSTILE = 300
const NAIVE = 5
const CACHED_HITS = 10_000
const LISTED = 60
const INSERTED = 200

export const suggest: Bench = {
  name: 'suggest',
  async run({ databaseUrl, seed }) {
    const db = await openPostgres({ url: await databaseUrl(), connections: 2 })
    const ctx: Ctx = {
      db,
      now: () => new Date(),
      actor: visitor,
      network: '127.0.0.1',
      secrets: createSecrets('of no importance here'),
      jobs: createJobs(db),
    }
    const ask = (text: string) => suggestCompanies(ctx, text)
    try {
      // Other words than those that made the companies, drawn in the same way.
      const typed = typedTexts(seed + 1, TYPED)
      const slipped = slippedTexts(seed + 1, SLIPPED)
      const hostile = hostileTexts(seed + 1, HOSTILE)

      const first = await timesOf(['first of all'], ask)
      const typedTimes: number[] = []
      const slippedTimes: number[] = []
      const hostileTimes: number[] = []
      const naiveTimes: number[] = []
      // In turn, so that a busy moment of the machine falls on all of them.
      for (let part = 0; part < NAIVE; part++) {
        typedTimes.push(...(await timesOf(slice(typed, part), ask)))
        slippedTimes.push(...(await timesOf(slice(slipped, part), ask)))
        hostileTimes.push(...(await timesOf(slice(hostile, part), ask)))
        naiveTimes.push(...(await timesOf([slice(hostile, part)[0] as string], naively)))
      }
      const reference = median(naiveTimes)

      const listTimes: number[] = []
      const listed = [...hostile.slice(0, LISTED / 2), ...typed.slice(0, LISTED / 2)]
      for (const sort of COMPANY_SORTS)
        listTimes.push(
          ...(await timesOf(listed, (search) => listCompanies(ctx, { search, sort, limit: 24 }))),
        )

      return [
        ...latencyFigures('suggest, typed', typedTimes, { reference, p95: 5 }),
        ...latencyFigures('suggest, a slip', slippedTimes, { reference, p95: 20 }),
        ...latencyFigures('suggest, hostile', hostileTimes, { reference, p95: 100, most: 1_000 }),
        { name: 'suggest, first of a process', measured: first[0] ?? Number.NaN, unit: 'ms' },
        await cachedHits(ctx),
        ...latencyFigures('list, searched, any sort', listTimes, { most: 2_000 }),
        await insertCost(ctx),
        ...(await relevance(ctx)),
      ]
    } finally {
      await db.close()
    }

    /** The specification's sentence as one writes it without thinking of a million. */
    function naively(text: string) {
      const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
      return db.query(sql`
        select id, slug, name from companies
         where name ilike ${pattern} or description ilike ${pattern} or category ilike ${pattern}
         order by name limit 20`)
    }
  },
}

const slice = (texts: string[], part: number) =>
  texts.slice((texts.length * part) / NAIVE, (texts.length * (part + 1)) / NAIVE)

async function cachedHits(ctx: Ctx): Promise<Figure> {
  const suggestions = createSuggestions()
  await suggestions(ctx, 'smith')
  const began = performance.now()
  for (let hit = 0; hit < CACHED_HITS; hit++) await suggestions(ctx, 'Smith')
  const measured = (performance.now() - began) / CACHED_HITS
  return { name: 'suggest, from the cache', measured, unit: 'ms', budget: { most: 0.1 } }
}

/** So much is said about companies that everybody knows: of the invented ones, about 3 in 100. */
const SAID = 100

/** Of the texts, the share for which the wanted company stands first, among all others. */
async function relevance(ctx: Ctx): Promise<Figure[]> {
  const shares: number[] = []
  await undone(ctx, async (ctx) => {
    const file = new URL('../db/starter/companies.json', import.meta.url)
    const known = await insertCompanies(ctx, JSON.parse(await readFile(file, 'utf8')))
    const ids = known.map(({ id }) => id)
    for (const said of [0, SAID]) {
      await ctx.db.query(
        sql`update company_stats set comments = ${said} where company_id = any (${ids}::uuid[])`,
      )
      const { texts, wrong } = await unwantedFirsts(ctx)
      for (const line of wrong) console.error(`With ${said} comments not first: ${line}`)
      shares.push((100 * (texts - wrong.length)) / texts)
    }
  })
  const [unknown = 0, known = 0] = shares
  return [
    { name: 'wanted company first', measured: known, unit: '%', budget: { least: 95 } },
    { name: 'the same while nobody says anything about it', measured: unknown, unit: '%' },
  ]
}

/** What a company more costs, one at a time. */
async function insertCost(ctx: Ctx): Promise<Figure> {
  let times: number[] = []
  await undone(ctx, async (ctx) => {
    times = await timesOf(Array.from({ length: INSERTED }).keys(), (number) =>
      insertCompanies(ctx, [
        {
          name: `Bench Xylograph ${number} Zymurgy`,
          category: 'Other',
          description: 'A family-owned brewery of wood-cuts that binds, brews and prints at once.',
        },
      ]),
    )
  })
  return { name: 'one company added, p50', measured: median(times), unit: 'ms' }
}

/** Writes that nothing is left of. */
async function undone(ctx: Ctx, work: (ctx: Ctx) => Promise<void>) {
  const undo = new Error('undone on purpose')
  await ctx.db
    .transaction(async (db) => {
      await work({ ...ctx, db })
      throw undo
    })
    .catch((error) => {
      if (error !== undo) throw error
    })
}
