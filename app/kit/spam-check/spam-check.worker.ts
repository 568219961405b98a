/** Solves a challenge in a worker, so that the page stays responsive. */
import { solveChallenge } from 'altcha-lib/v1'
import type { Challenge } from './spam-check.data.ts'

self.addEventListener('message', async ({ data }: MessageEvent<Challenge>) => {
  const { challenge, salt, algorithm, maxnumber } = data
  const solution = await solveChallenge(challenge, salt, algorithm, maxnumber).promise
  self.postMessage(solution?.number ?? null)
})
