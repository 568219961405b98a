/** What a page of a thread of 5,000 comments costs the site and PostgreSQL together, over HTTP. */
import pg from 'pg'
import { largeThreads, threadId } from './data/threads.ts'
import { type Bench, cpuMsWithDatabase, type Figure, latencyFigures } from './measure.ts'
import { startBuiltSite } from './program.ts'

/** As few as there can be with a thread that everybody takes part in: they are soon made. */
const THREADS = 20_000
const WARM_UP = 300
const READS = 400
const READS_AFTER_A_VOTE = 60
/** Of a thread to be compared with: a page and a little more. */
const SHORT = { least: 101, most: 150 }

export const bigThread: Bench = {
  name: 'big-thread',
  async run({ discussionsUrl, seed }) {
    const url = await discussionsUrl(THREADS)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const site = await startBuiltSite({ DATABASE_URL: url, STARTER: 'none' })
    try {
      const [large] = largeThreads(THREADS)
      const long = threadId(seed, large?.index ?? 0)
      const { rows } = await client.query<{ id: string }>(
        `select id from threads where comments between $1 and $2 and hidden is null order by id limit 1`,
        [SHORT.least, SHORT.most],
      )
      const pages = await pagesOf(site.url, long)
      const shortPages = await pagesOf(site.url, rows[0]?.id ?? '')

      const cpuMs = () => cpuMsWithDatabase(client, site.pid)
      const read = async (count: number, pages: string[], before = async () => {}) => {
        const times: number[] = []
        const began = await cpuMs()
        for (let n = 0; n < count; n++) {
          await before()
          const at = performance.now()
          await readPage(pages[Math.floor(Math.random() * pages.length)] as string)
          times.push(performance.now() - at)
        }
        return { times, cpuMsPerRequest: ((await cpuMs()) - began) / count }
      }
      await read(WARM_UP, pages)
      await read(WARM_UP, shortPages)
      const short = await read(READS, shortPages)
      const kept = await read(READS, pages)
      const anew = await read(READS_AFTER_A_VOTE, pages, () => voteIn(client, long))
      const name = 'a page of a thread of 5000 comments'
      const figures: Figure[] = [
        {
          name: `${name}, site and PostgreSQL; beside one of a hundred`,
          measured: kept.cpuMsPerRequest,
          reference: short.cpuMsPerRequest,
          unit: 'CPU-ms',
          budget: { most: 6 },
        },
        {
          name: `${name}, right after a vote`,
          measured: anew.cpuMsPerRequest,
          unit: 'CPU-ms',
        },
        ...latencyFigures(name, kept.times),
      ]
      return figures
    } finally {
      await site.stop()
      await client.end()
    }
  },
}

/** The addresses of all pages of a thread. */
async function pagesOf(site: string, id: string) {
  const first = `${site}/api/v1/threads/${id}/comments?sort=best`
  const pages = [first]
  for (let page = first; ; ) {
    const { next } = await readPage(page)
    if (next === null) return pages
    page = `${first}&after=${next}`
    pages.push(page)
  }
}

async function readPage(page: string): Promise<{ next: string | null }> {
  const answer = await fetch(page)
  if (!answer.ok) throw new Error(`${page}: ${answer.status}`)
  return answer.json()
}

/** What a vote does to the order of a thread, without what it costs. */
const voteIn = async (client: pg.Client, thread: string) => {
  await client.query(
    `update comments set score = score + 1
      where id = (select id from comments where thread_id = $1 order by place desc limit 1)`,
    [thread],
  )
}
