/**
 * What it costs to answer in a thread and to vote, confirmed and signed in: each beside the same row,
 * inserted barely, and beside a row of two columns, which was the reference before.
 */
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { type Bench, type Figure, median } from './measure.ts'
import { startProgram } from './program.ts'
import {
  headersOf,
  perSecond,
  signUpAll,
  someThreads,
  startWritingSite,
  untilIdle,
  type Write,
} from './writing.ts'

/** Some ten thousand requests: before, what runs is compiled only in part, as it is not for long. */
const WARM_UP_SECONDS = 6
const ROUNDS = 3
const ROUND_SECONDS = 2
const PEOPLE = 40
const BODY =
  'We heard the same on the third floor. **Nobody** was asked, and the memo says it starts on Monday.'

const bareInsert = fileURLToPath(new URL('./bare-insert.mjs', import.meta.url))

const pick = <Item>(items: Item[]) => items[Math.floor(Math.random() * items.length)] as Item

export const writes: Bench = {
  name: 'writes',
  async run({ discussionsUrl, threads }) {
    const url = await discussionsUrl(threads)
    const { site, client, stop } = await startWritingSite(url)
    const bare = await startProgram(bareInsert, { DATABASE_URL: url })
    try {
      const kinds = await writesOf(site.url, client)
      const row = () => ({ path: '/', headers: headersOf(), body: JSON.stringify({ body: BODY }) })
      const ours = (kind: Kind, seconds: number) =>
        perSecond(site.url, kind.write, kind.method, seconds)
      const sameRow = (kind: Kind, seconds: number) =>
        perSecond(bare.url, () => ({ ...row(), path: `/${kind.table}` }), 'POST', seconds)
      for (const kind of kinds) {
        await ours(kind, WARM_UP_SECONDS)
        await untilIdle(client)
        await sameRow(kind, ROUND_SECONDS)
      }
      const taken = kinds.map(() => ({ ours: [] as number[], sameRow: [] as number[] }))
      const narrow: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        for (const [n, kind] of kinds.entries()) {
          taken[n]?.ours.push(await ours(kind, ROUND_SECONDS))
          await untilIdle(client)
          taken[n]?.sameRow.push(await sameRow(kind, ROUND_SECONDS))
        }
        narrow.push(await perSecond(bare.url, row, 'POST', ROUND_SECONDS))
      }
      return kinds.flatMap(({ name, leastRatio }, n): Figure[] => {
        const measured = median(taken[n]?.ours ?? [])
        const reference = median(taken[n]?.sameRow ?? [])
        return [
          { name, measured, unit: 'req/s', reference, budget: { leastRatio } },
          {
            name: `${name}, beside two columns`,
            measured,
            unit: 'req/s',
            reference: median(narrow),
          },
        ]
      })
    } finally {
      await stop()
      await bare.stop()
    }
  },
}

interface Kind {
  name: string
  /** Of the same row in `bare-insert.mjs`. */
  table: 'comments' | 'votes'
  method: 'POST' | 'PUT'
  write: () => Write
  leastRatio: number
}

async function writesOf(site: string, client: pg.Client): Promise<Kind[]> {
  const threads = await someThreads(client)
  const tokens = await signUpAll(site, PEOPLE)
  await client.query('update accounts set is_email_confirmed = true')
  let turn = 0
  // In turn: nobody does two things at the same moment.
  const headers = () => headersOf(tokens[turn++ % PEOPLE])
  const comment = () => ({
    path: `/api/v1/threads/${pick(threads)}/comments`,
    headers: headers(),
    body: JSON.stringify({ body: BODY, sending: randomUUID() }),
  })
  for (let n = 0; n < PEOPLE; n++) {
    const { path, ...first } = comment()
    await fetch(site + path, { method: 'POST', ...first })
  }
  // Whoever is new and writes that much is held.
  await client.query(
    `update comments set posted_minute = posted_minute - 100000 where id in (
       select id from comments order by posted_minute desc limit ${PEOPLE})`,
  )
  return [
    {
      name: 'posting a comment',
      table: 'comments',
      method: 'POST',
      write: comment,
      leastRatio: 0.35,
    },
    {
      name: 'voting',
      table: 'votes',
      method: 'PUT',
      write: () => ({
        path: `/api/v1/threads/${pick(threads)}/vote`,
        headers: headers(),
        body: JSON.stringify({ vote: Math.random() < 0.5 ? 1 : -1 }),
      }),
      leastRatio: 0.35,
    },
  ]
}
