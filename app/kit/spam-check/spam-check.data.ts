/** The small calculation that a visitor's browser does before posting. */
import type { Client } from '#app/api/client.ts'
import { trustedScriptUrl } from '../ui/trusted.ts'
import type { SpamCheckContract } from './spam-check.contract.ts'
import type { Challenge } from './spam-check.worker.ts'
import workerUrl from './spam-check.worker.ts?worker&url'

type AnyClient = (...request: never[]) => unknown

/**
 * The solution to send with a post. Undefined for people who don't need one. @param subject what a
 * vote is about. Its solution works for nothing else
 */
export async function solveSpamCheck(
  api: AnyClient,
  subject?: string,
): Promise<string | undefined> {
  const ask = api as unknown as Client<SpamCheckContract>
  const response = await ask('GET /api/v1/challenge', { query: { subject } })
  if (!response.isNeeded) return undefined
  const { algorithm, challenge, salt, signature } = response
  const number = await solvedBeside(response)
  return btoa(JSON.stringify({ algorithm, challenge, number, salt, signature }))
}

function solvedBeside(challenge: Challenge) {
  const worker = new Worker(trustedScriptUrl(workerUrl), { type: 'module' })
  const solved = new Promise<number>((resolve, reject) => {
    const fail = () => reject(new Error('This browser couldn’t run the calculation'))
    worker.addEventListener('error', fail)
    worker.addEventListener('message', ({ data }: MessageEvent<number | null>) =>
      data === null ? fail() : resolve(data),
    )
  })
  worker.postMessage(challenge)
  return solved.finally(() => worker.terminate())
}
