/**
 * The spam check: a small computation before posting. People don't notice it, but it's expensive for spammers.
 * Only visitors and members with an unconfirmed address need it. No third party is involved.
 */
import { createChallenge, extractParams, verifySolution } from 'altcha-lib/v1'
import { forbidden } from '#app/platform/http/refusal.ts'
import { countsInMemory, type SharedCounts } from '#app/platform/http/shared-counts.server.ts'
import type { Actor } from './actor.ts'
import type { Ctx } from './context.server.ts'

const VALID_MS = 10 * 60_000

export interface SpamChecks {
  /** @param subject binds the solution to one purpose */
  challenge(ctx: Ctx, subject?: string): Promise<SpamCheckChallenge>
  /** @throws Refusal forbidden if the solution is missing, wrong, expired, used before, or for another subject */
  require(ctx: Ctx, solution: string | undefined, subject?: string): Promise<void>
}

interface SpamCheckChallenge {
  isNeeded: boolean
  algorithm: 'SHA-256'
  challenge: string
  salt: string
  signature: string
  maxnumber: number
}

/** Anonymous ids and unconfirmed addresses cost nothing, so anyone can have many. */
export const isUntrusted = ({ account }: Actor) => account === null || !account.isEmailConfirmed

/**
 * @param difficulty the most numbers to try, half of them on average. 0 turns the check off
 * @param counts marks used solutions, for all processes
 */
export function createSpamChecks(
  difficulty: number,
  counts: Pick<SharedCounts, 'markFirst'> = countsInMemory(),
): SpamChecks {
  const isNeeded = (actor: Actor) => difficulty > 0 && isUntrusted(actor)
  const keyOf = ({ secrets }: Ctx) => secrets.hash('proof of work')
  return {
    async challenge(ctx, subject) {
      const { algorithm, challenge, salt, signature } = await createChallenge({
        hmacKey: keyOf(ctx),
        maxnumber: Math.max(1, difficulty),
        expires: new Date(Date.now() + VALID_MS),
        ...(subject !== undefined && { params: { subject } }),
      })
      return {
        isNeeded: isNeeded(ctx.actor),
        algorithm: algorithm as 'SHA-256',
        challenge,
        salt,
        signature,
        maxnumber: Math.max(1, difficulty),
      }
    },
    async require(ctx, solution, subject) {
      if (!isNeeded(ctx.actor)) return
      const solved = solution === undefined ? undefined : solvedIn(solution)
      const isGood =
        solution !== undefined &&
        solved !== undefined &&
        solved.subject === subject &&
        (await verifySolution(solution, keyOf(ctx)).catch(() => false)) &&
        // We mark it last, so forged solutions don't fill the store. If a solution is used several times at once,
        // only one use marks it first.
        (await counts.markFirst(`proof ${solved.challenge}`, VALID_MS))
      if (!isGood) throw forbidden('Your browser couldn’t finish the spam check. Please try again.')
    },
  }
}

interface Solved {
  /** Identifies a solution in any encoding. */
  challenge: string
  subject: string | undefined
}

function solvedIn(solution: string): Solved | undefined {
  try {
    const { challenge, number } = JSON.parse(Buffer.from(solution, 'base64').toString())
    // If the number were a string, it could contain the end of the signed salt, with its expiry.
    if (typeof challenge !== 'string' || !Number.isSafeInteger(number)) return undefined
    return { challenge, subject: extractParams(solution).subject }
  } catch {
    return undefined
  }
}
