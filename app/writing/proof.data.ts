/** The small calculation that a visitor's browser does before it posts. */
import type { Client } from '../api/client.ts'
import type { Answer } from '../api/contract.ts'
import type { DiscussionContract } from '../features/discussions/discussion.contract.ts'

export type ProofApi = Client<DiscussionContract>
export type Challenge = Answer<DiscussionContract['GET /api/v1/challenge']>

/**
 * What goes along with a post; undefined for those of whom nothing is asked.
 * @param subject what a vote is about: its proof is good for nothing else
 */
export async function proveWork(api: ProofApi, subject?: string): Promise<string | undefined> {
  const asked = await api('GET /api/v1/challenge', { query: { subject } })
  if (!asked.isNeeded) return undefined
  const { algorithm, challenge, salt, signature } = asked
  const number = await solvedBeside(asked)
  return btoa(JSON.stringify({ algorithm, challenge, number, salt, signature }))
}

function solvedBeside(challenge: Challenge) {
  const worker = new Worker(new URL('./proof.worker.ts', import.meta.url), { type: 'module' })
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
