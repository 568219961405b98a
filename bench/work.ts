/** Work that no page waits for: a start, the nightly run, an import, Markdown. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import type { TaskParts } from '../app/api/feature.server.ts'
import { following } from '../app/companies/following/feature.server.ts'
import { batchesAtOnceOf } from '../app/companies/importing/import-commands.server.ts'
import { importFile, surveyFile } from '../app/companies/importing/import-file-commands.server.ts'
import type { ImportReport } from '../app/companies/importing/import-report.ts'
import { accounts } from '../app/identity/accounts/feature.server.ts'
import { HOSTILE_MARKDOWN } from '../app/kit/writing/hostile-markdown.fixture.ts'
import { markdownHtml } from '../app/kit/writing/markdown.ts'
import { csvText } from '../app/platform/csv.server.ts'
import { ratings } from '../app/ratings/feature.server.ts'
import { companyRatings } from '../app/ratings/rating-queries.server.ts'
import { companyRows } from './data/companies.ts'
import { shownRatings } from './data/fill.ts'
import { createRandom } from './data/random.ts'
import { talk } from './data/words.ts'
import { cpuMsOf, figure, measure, over } from './measure.ts'
import { startSite } from './site.ts'
import type { Entry } from './world.ts'

export const start: Entry = {
  name: 'start',
  says: 'from the command to the first answer, with the embedded database',
  async run() {
    const DATA_DIR = await mkdtemp(join(tmpdir(), 'kettle-bench-'))
    const run = async () => {
      const site = await startSite({ DATA_DIR, STARTER: 'demo' })
      await site.stop()
      return site.startedInMs / 1000
    }
    try {
      const first = await run()
      const { later } = await measure({ later: { run } }, { rounds: 3 })
      return [
        figure('embedded start, first', first, 's'),
        figure('embedded start, with data', later.median, 's', { max: 8 }),
      ]
    } finally {
      await rm(DATA_DIR, { recursive: true, force: true })
    }
  },
}

const COMMENTS = 1_000

export const markdown: Entry = {
  name: 'markdown',
  says: 'rendering comments and hostile texts as HTML, on the server and in a preview',
  async run({ seed }) {
    const random = createRandom(seed, 'markdown')
    const words = () => talk(random, 10 + random.below(30))
    /** About 40 to 130 words. Most are plain. Every fifth has formatting, a quote, a list or an address. */
    const comments = Array.from({ length: COMMENTS }, (_, n) => {
      const plain = `${words()}\n\n${words()}`
      if (n % 5 > 0) return plain
      return random.pick([
        `**${words()}** ${words()} *So it is.*\n\n${plain}`,
        `> ${words()}\n\n${plain}`,
        `${words()}\n\n- ${words()}\n- ${words()}\n- \`pay\`\n\n${words()}`,
        `${words()} https://news.example/a/${n}?b=c\n\n[Here](https://other.example/d) ${words()}`,
        `|Year|Pay|\n|-|-:|\n|2025|~~100~~|\n|2026|90|\n\n${plain}`,
      ])
    })
    const cpuMs = () => cpuMsOf(process.pid)
    const html = (text: string) => void markdownHtml(text)
    const { all } = await measure({ all: { ...over(comments, html), cpuMs } }, { rounds: 9 })
    const texts = Object.fromEntries(
      HOSTILE_MARKDOWN.map(([, text], n) => [n, { run: () => html(text) }]),
    )
    const hostile = Object.values(await measure(texts, { rounds: 3 }))
    const dearest = Math.max(...hostile.map((it) => it.median))
    return [
      figure(`${COMMENTS} comments as HTML`, all.cpuMs * COMMENTS, 'CPU-ms'),
      figure(`the slowest of ${hostile.length} hostile texts as HTML`, dearest, 'ms', {
        max: 300,
      }),
    ]
  },
}

export const importing: Entry = {
  name: 'importing',
  says: 'importing a CSV file with half as many companies as the site has, twice, with all checks',
  async run(bench) {
    // No duplicate names or websites, and none that exist, which makes this the most expensive file of its
    // length.
    const size = Math.min(bench.size, 0.1)
    const { ctx, companies } = await bench.world(['companies'], size, {
      ownName: 'kettle_bench_importing',
    })
    const count = companies / 2
    const rows = [...companyRows(bench.seed + 1, count).rows()].map((row, i) => {
      const [, name, , , category, description] = row as string[]
      const website = `https://www.company-${i}.example.com/about`
      return [`${name} of ${i}`, category ?? '', website, '', description ?? '']
    })
    const folder = await mkdtemp(join(tmpdir(), 'kettle-bench-'))
    const path = join(folder, 'companies.csv')
    const columns = ['name', 'category', 'website', 'logo_url', 'description']
    const runOnce = async (isAgain: boolean, outcome: 'added' | 'skipped') => {
      const began = performance.now()
      const file = { path, format: 'csv' as const, ...(await surveyFile(path, 'csv')) }
      const settings = { isAgain, batchesAtOnce: batchesAtOnceOf(10) }
      let last: ImportReport | undefined
      for await (const report of importFile(ctx, file, settings)) last = report
      if (last?.[outcome] !== count) throw new Error(JSON.stringify(last))
      return (1000 * count) / (performance.now() - began)
    }
    try {
      await writeFile(path, csvText([columns, ...rows]))
      const first = await runOnce(false, 'added')
      const again = await runOnce(true, 'skipped')
      return [
        figure('importing, with all checks', first, 'rows/s', { min: 3_000 }),
        figure('importing the same file again, with all checks', again, 'rows/s'),
      ]
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

/** The share of ratings given or changed on the day before the night. */
const OF_THE_DAY = 1 / 150

export const night: Entry = {
  name: 'night',
  says: 'the nightly run with all accounts and ratings, step by step, while someone reads',
  async run(bench) {
    const world = await bench.world(['ratings', 'accounts'])
    const { db, ctx, client } = world
    await client.query(
      `update ratings set rto = 1 + (rto + 1) % 5
        where id in (select id from ratings order by company_id limit $1)`,
      [Math.round(world.ratings * OF_THE_DAY)],
    )
    const parts = { base: ctx, db, config: shownRatings } as unknown as TaskParts
    const steps = [accounts, following, ratings].flatMap(({ nightly }) => nightly?.(parts) ?? [])
    const took: [string, number][] = []
    let isDone = false
    const run = (async () => {
      for (const { name, run } of steps) {
        const began = performance.now()
        await run()
        took.push([name, (performance.now() - began) / 1000])
      }
    })().finally(() => {
      isDone = true
    })
    const { rows: rated } = await client.query<{ id: string }>(
      'select company_id as id from company_stats order by ratings desc limit 20',
    )
    let slowest = 0
    for (let n = 0; !isDone; n++) {
      const began = performance.now()
      await companyRatings(ctx, rated[n % rated.length]?.id ?? '', shownRatings)
      await db.query(sql`select count(*) from accounts where id = gen_random_uuid()`)
      slowest = Math.max(slowest, (performance.now() - began) / 1000)
    }
    await run
    const whole = took.reduce((sum, [, seconds]) => sum + seconds, 0)
    return [
      ...took.map(([name, seconds]) => figure(`nightly: ${name}`, seconds, 's')),
      figure(`a night of ${world.accounts} accounts and ${world.ratings} ratings`, whole, 's', {
        max: 180,
      }),
      figure('a reader meanwhile, slowest', slowest, 's', { max: 1 }),
    ]
  },
}
