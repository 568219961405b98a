/** The small calculation before a post. */
import { solveChallenge } from 'altcha-lib/v1'
import { expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { createProofs, type Proofs } from '#app/api/auth/proof.server.ts'
import { withDatabase } from '#tests/support/database.ts'

const { as } = withDatabase()

async function solved(proofs: Proofs, ctx: Ctx) {
  const asked = await proofs.challenge(ctx)
  const { algorithm, challenge, salt, signature, maxnumber } = asked
  const solution = await solveChallenge(challenge, salt, algorithm, maxnumber).promise
  return { algorithm, challenge, salt, signature, number: solution?.number ?? -1 }
}
const sealed = (payload: object) => Buffer.from(JSON.stringify(payload)).toString('base64')

test('a visitor posts after solving it, once for each solution', () =>
  as('vera', async (ctx) => {
    const proofs = createProofs(500)
    const payload = await solved(proofs, ctx)
    const refused = { status: 403 }
    await expect(proofs.require(ctx, undefined)).rejects.toMatchObject(refused)
    await expect(proofs.require(ctx, 'garbage')).rejects.toMatchObject(refused)
    const { number, signature, salt } = payload
    for (const forged of [
      { ...payload, number: number + 1 },
      { ...payload, signature: signature.replace(/^./, signature[0] === 'a' ? 'b' : 'a') },
      { ...payload, salt: salt.replace(/expires=\d+/, 'expires=9999999999') },
    ])
      await expect(proofs.require(ctx, sealed(forged))).rejects.toMatchObject(refused)
    await proofs.require(ctx, sealed(payload))
    await expect(proofs.require(ctx, sealed(payload))).rejects.toMatchObject(refused)
    // Written in another way it is still the same one.
    const rewritten = { ...payload, took: 1 }
    await expect(proofs.require(ctx, sealed(rewritten))).rejects.toMatchObject(refused)
  }))

test('a proof that comes 60 times at the same moment counts once', () =>
  as('vera', async (ctx) => {
    const proofs = createProofs(500)
    const proof = sealed(await solved(proofs, ctx))
    const tries = await Promise.allSettled(
      Array(60)
        .fill(proof)
        .map((same) => proofs.require(ctx, same)),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  }))

test('of a member with a confirmed address nothing is asked; switched off, of nobody', async () => {
  await as('dana', async (ctx) => {
    const proofs = createProofs(500)
    expect((await proofs.challenge(ctx)).isNeeded).toBe(false)
    await proofs.require(ctx, undefined)
    const { account } = ctx.actor
    const unconfirmed = account && { ...account, isEmailConfirmed: false }
    const fresh = { ...ctx, actor: { ...ctx.actor, account: unconfirmed } }
    expect((await proofs.challenge(fresh)).isNeeded).toBe(true)
    await expect(proofs.require(fresh, undefined)).rejects.toMatchObject({ status: 403 })
  })
  await as('vera', (ctx) => createProofs(0).require(ctx, undefined))
})
