/** What it costs to vote, confirmed and signed in, beside one bare row. */
import { fileURLToPath } from 'node:url'
import { type Bench, median } from './measure.ts'
import { startProgram } from './program.ts'
import { headersOf, perSecond, signUpAll, someThreads, startWritingSite } from './writing.ts'

const WARM_UP_ROUNDS = 2
const ROUNDS = 4
const VOTERS = 40

const bareInsert = fileURLToPath(new URL('./bare-insert.mjs', import.meta.url))

export const voting: Bench = {
  name: 'voting',
  async run({ discussionsUrl, threads }) {
    const url = await discussionsUrl(threads)
    const { site, client, stop } = await startWritingSite(url)
    const bare = await startProgram(bareInsert, { DATABASE_URL: url })
    try {
      const ids = await someThreads(client)
      const tokens = await signUpAll(site.url, VOTERS)
      await client.query('update accounts set is_email_confirmed = true')
      const ours: number[] = []
      const plain: number[] = []
      let turn = 0
      // In turn: nobody votes twice at the same moment.
      const vote = () => ({
        path: `/api/v1/threads/${ids[Math.floor(Math.random() * ids.length)]}/vote`,
        headers: headersOf(tokens[turn++ % VOTERS]),
        body: JSON.stringify({ vote: Math.random() < 0.5 ? 1 : -1 }),
      })
      const row = () => ({ path: '/', headers: headersOf(), body: JSON.stringify({ body: '1' }) })
      for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
        ours.push(await perSecond(site.url, vote, 'PUT'))
        plain.push(await perSecond(bare.url, row))
      }
      return [
        {
          name: 'voting',
          measured: median(ours.slice(WARM_UP_ROUNDS)),
          unit: 'req/s',
          reference: median(plain.slice(WARM_UP_ROUNDS)),
        },
      ]
    } finally {
      await stop()
      await bare.stop()
    }
  },
}
