/** Solves a challenge in a worker, so the page stays responsive. */
import { solveChallenge } from 'altcha-lib/v1'
import type { Output } from '#app/api/contract.ts'
import type { SpamCheckContract } from './spam-check.contract.ts'

export type Challenge = Output<SpamCheckContract['GET /api/v1/challenge']>

self.addEventListener('message', async ({ data }: MessageEvent<Challenge>) => {
  const { challenge, salt, algorithm, maxnumber } = data
  const solution = await solveChallenge(challenge, salt, algorithm, maxnumber).promise
  self.postMessage(solution?.number ?? null)
})
