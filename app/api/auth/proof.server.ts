/**
 * A small calculation that a browser does before it posts: nothing for a person, dear for whoever
 * sends thousands. Visitors and members with an unconfirmed address do it. No third party takes part.
 */
import { createChallenge, extractParams, verifySolution } from 'altcha-lib/v1'
import { Refusal } from '#app/platform/http/refusal.ts'
import { countsInMemory, type SharedCounts } from '#app/platform/http/shared-counts.server.ts'
import type { Actor } from './actor.ts'
import type { Ctx } from './context.server.ts'

const VALID_MS = 10 * 60_000

export interface Proofs {
  /** @param subject what the calculation will be good for, and for nothing else */
  challenge(ctx: Ctx, subject?: string): Promise<ProofChallenge>
  /**
   * @throws Refusal forbidden when the calculation is missing, wrong, old, was used before, or was
   * made for another subject
   */
  require(ctx: Ctx, proof: string | undefined, subject?: string): Promise<void>
}

export interface ProofChallenge {
  isNeeded: boolean
  algorithm: 'SHA-256'
  challenge: string
  salt: string
  signature: string
  maxnumber: number
}

/** Who could be anybody, as often as they like: anonymous ids and unconfirmed addresses cost nothing. */
export const isUnproven = ({ account }: Actor) => account === null || !account.isEmailConfirmed

/**
 * @param difficulty the most numbers to try; half as many on average, and 0 asks nobody
 * @param counts where used solutions are marked, for all processes
 */
export function createProofs(
  difficulty: number,
  counts: Pick<SharedCounts, 'markFirst'> = countsInMemory(),
): Proofs {
  const isNeeded = (actor: Actor) => difficulty > 0 && isUnproven(actor)
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
    async require(ctx, proof, subject) {
      if (!isNeeded(ctx.actor)) return
      const solved = proof === undefined ? undefined : solvedIn(proof)
      const isGood =
        proof !== undefined &&
        solved !== undefined &&
        solved.subject === subject &&
        (await verifySolution(proof, keyOf(ctx)).catch(() => false)) &&
        // What is forged fills no store. Of many at the same moment one marks it first.
        (await counts.markFirst(`proof ${solved.challenge}`, VALID_MS))
      if (!isGood)
        throw new Refusal(
          'forbidden',
          'Your browser could not finish the spam check. Please try again.',
        )
    },
  }
}

interface Solved {
  /** By which a solution is known again, however it is written. */
  challenge: string
  subject: string | undefined
}

/** Undefined for what is no solution. */
function solvedIn(proof: string): Solved | undefined {
  try {
    const { challenge, number } = JSON.parse(Buffer.from(proof, 'base64').toString())
    // A text as the number could hold the end of the signed salt, where it says when it expires.
    if (typeof challenge !== 'string' || !Number.isSafeInteger(number)) return undefined
    return { challenge, subject: extractParams(proof).subject }
  } catch {
    return undefined
  }
}
