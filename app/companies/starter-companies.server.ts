/** A new site's first companies. Real companies only have facts. We don't make up opinions about them. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import type { Database } from '#app/platform/database/database.server.ts'
import type { DataContext } from '#app/platform/database/server-context.server.ts'
import { projectFolder } from '#app/platform/folders.server.ts'
import { insertCompanies, type NewCompany } from './company-commands.server.ts'

/**
 * Only fills an empty database. @param starter `companies` adds real ones, `demo` adds real and made-up ones, `none`
 * adds nothing
 * @returns how many were added
 */
export async function loadStarterCompanies(
  ctx: DataContext,
  starter: 'demo' | 'companies' | 'none',
): Promise<number> {
  if (starter === 'none') return 0
  const real = await readStarter('companies.json')
  const invented: DemoCompany[] = starter === 'demo' ? await readStarter('demo.json') : []
  const companies = shuffled([
    ...real,
    ...invented.map((company) => ({ ...company, isDemo: true })),
  ])
  return ctx.db.transaction(async (db) => {
    // If two processes start at once, the second waits, and finds companies there.
    await db.query(sql`lock table companies in share row exclusive mode`)
    const [first] = await db.query(sql`select from companies limit 1`)
    if (first) return 0
    const now = ctx.now().getTime()
    await insertCompanies(
      { ...ctx, db },
      // An hour apart, so "Recently Added" has an order.
      companies.map((company, i) => ({ ...company, createdAt: new Date(now - i * 3_600_000) })),
    )
    await setViews(db, invented)
    return companies.length
  })
}

/** Demo companies have views, so "Trending" doesn't start with zeros. */
type DemoCompany = NewCompany & { views: number }

const setViews = (db: Database, companies: DemoCompany[]) =>
  db.query(sql`
    update company_stats set views = seen.views
      from json_to_recordset(${JSON.stringify(companies)}::json) as seen(name text, views bigint)
      join companies company on company.demo and company.name = seen.name
     where company_id = company.id`)

const readStarter = async <Company extends NewCompany>(file: string): Promise<Company[]> =>
  JSON.parse(await readFile(join(projectFolder, 'db/starter', file), 'utf8'))

/** Looks mixed, and is the same on every machine. */
function shuffled<Item>(items: Item[]) {
  const STEP = 137
  const order = items.map((item, i) => ({ item, at: (i * STEP) % items.length }))
  return order.sort((a, b) => a.at - b.at).map(({ item }) => item)
}
