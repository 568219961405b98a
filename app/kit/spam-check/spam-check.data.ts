/** The small calculation that a visitor's browser does before it posts. */
import type { Client } from '#app/api/client.ts'
import type { Answer } from '#app/api/contract.ts'
import type { SpamCheckContract } from './spam-check.contract.ts'

/** Each client of the site has this endpoint. */
type AnyClient = (...request: never[]) => unknown
export type Challenge = Answer<SpamCheckContract['GET /api/v1/challenge']>

/**
 * What goes along with a post; undefined for those of whom nothing is asked.
 * @param subject what a vote is about: its proof is good for nothing else
 */
export async function proveWork(api: AnyClient, subject?: string): Promise<string | undefined> {
  const ask = api as unknown as Client<SpamCheckContract>
  const asked = await ask('GET /api/v1/challenge', { query: { subject } })
  if (!asked.isNeeded) return undefined
  const { algorithm, challenge, salt, signature } = asked
  const number = await solvedBeside(asked)
  return btoa(JSON.stringify({ algorithm, challenge, number, salt, signature }))
}

function solvedBeside(challenge: Challenge) {
  const worker = new Worker(new URL('./spam-check.worker.ts', import.meta.url), { type: 'module' })
  const solved = new Promise<number>((resolve, reject) => {
    const fail = () => reject(new Error('The calculation did not work in this browser'))
    worker.addEventListener('error', fail)
    worker.addEventListener('message', ({ data }: MessageEvent<number | null>) =>
      data === null ? fail() : resolve(data),
    )
  })
  worker.postMessage(challenge)
  return solved.finally(() => worker.terminate())
}
