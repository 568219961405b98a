/** What it costs to answer in a thread, signed in, beside one bare row. */
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { type Bench, type Figure, median } from './measure.ts'
import { startProgram } from './program.ts'
import {
  headersOf,
  perSecond,
  signUpAll,
  someThreads,
  startWritingSite,
  untilIdle,
} from './writing.ts'

/** Some twenty thousand requests: before, what runs is compiled only in part, as it is not for long. */
const WARM_UP_ROUNDS = 8
const ROUNDS = 4
const AUTHORS = 40
const BODY =
  'We heard the same on the third floor. **Nobody** was asked, and the memo says it starts on Monday.'

const bareInsert = fileURLToPath(new URL('./bare-insert.mjs', import.meta.url))

export const posting: Bench = {
  name: 'posting',
  async run({ discussionsUrl, threads }) {
    const url = await discussionsUrl(threads)
    const { site, client, stop } = await startWritingSite(url)
    const ids = await someThreads(client)
    const bare = await startProgram(bareInsert, { DATABASE_URL: url })
    try {
      const tokens = await signUpAll(site.url, AUTHORS)
      const pick = <Item>(items: Item[]) => items[Math.floor(Math.random() * items.length)] as Item
      const ours: number[] = []
      const plain: number[] = []
      const comment = (token: string) => ({
        path: `/api/v1/threads/${pick(ids)}/comments`,
        headers: headersOf(token),
        body: JSON.stringify({ body: BODY, sending: randomUUID() }),
      })
      for (const token of tokens) {
        const { path, ...post } = comment(token)
        await fetch(site.url + path, { method: 'POST', ...post })
      }
      // Whoever is new and writes that much is held.
      await client.query(
        `update comments set posted_minute = posted_minute - 100000 where id in (
           select id from comments order by posted_minute desc limit ${AUTHORS})`,
      )
      for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
        ours.push(await perSecond(site.url, () => comment(pick(tokens))))
        await untilIdle(client)
        plain.push(
          await perSecond(bare.url, () => ({
            path: '/',
            headers: headersOf(),
            body: JSON.stringify({ body: BODY }),
          })),
        )
      }
      const figure: Figure = {
        name: 'posting a comment',
        measured: median(ours.slice(WARM_UP_ROUNDS)),
        unit: 'req/s',
        reference: median(plain.slice(WARM_UP_ROUNDS)),
        budget: { leastRatio: 0.35 },
      }
      return [figure]
    } finally {
      await stop()
      await bare.stop()
    }
  },
}
