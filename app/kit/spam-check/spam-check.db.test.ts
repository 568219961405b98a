/** The small calculation before a post. */
import { solveChallenge } from 'altcha-lib/v1'
import { expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { createSpamChecks, type SpamChecks } from '#app/api/auth/spam-checks.server.ts'
import { withDatabase } from '#tests/support/database.ts'

const { as } = withDatabase()

async function solved(spamChecks: SpamChecks, ctx: Ctx) {
  const asked = await spamChecks.challenge(ctx)
  const { algorithm, challenge, salt, signature, maxnumber } = asked
  const solution = await solveChallenge(challenge, salt, algorithm, maxnumber).promise
  return { algorithm, challenge, salt, signature, number: solution?.number ?? -1 }
}
const sealed = (payload: object) => Buffer.from(JSON.stringify(payload)).toString('base64')

test('a visitor posts after solving a spam check, once for each solution', () =>
  as('vera', async (ctx) => {
    const spamChecks = createSpamChecks(500)
    const payload = await solved(spamChecks, ctx)
    const refused = { status: 403 }
    await expect(spamChecks.require(ctx, undefined)).rejects.toMatchObject(refused)
    await expect(spamChecks.require(ctx, 'garbage')).rejects.toMatchObject(refused)
    const { number, signature, salt } = payload
    for (const forged of [
      { ...payload, number: number + 1 },
      { ...payload, signature: signature.replace(/^./, signature[0] === 'a' ? 'b' : 'a') },
      { ...payload, salt: salt.replace(/expires=\d+/, 'expires=9999999999') },
    ])
      await expect(spamChecks.require(ctx, sealed(forged))).rejects.toMatchObject(refused)
    await spamChecks.require(ctx, sealed(payload))
    await expect(spamChecks.require(ctx, sealed(payload))).rejects.toMatchObject(refused)
    // Written in another way it is still the same one.
    const rewritten = { ...payload, took: 1 }
    await expect(spamChecks.require(ctx, sealed(rewritten))).rejects.toMatchObject(refused)
  }))

test('one of 60 copies of a solution at the same moment counts', () =>
  as('vera', async (ctx) => {
    const spamChecks = createSpamChecks(500)
    const solution = sealed(await solved(spamChecks, ctx))
    const tries = await Promise.allSettled(
      Array(60)
        .fill(solution)
        .map((same) => spamChecks.require(ctx, same)),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  }))

test('confirmed members solve no spam check, and no one does if it’s off', async () => {
  await as('dana', async (ctx) => {
    const spamChecks = createSpamChecks(500)
    expect((await spamChecks.challenge(ctx)).isNeeded).toBe(false)
    await spamChecks.require(ctx, undefined)
    const { account } = ctx.actor
    const unconfirmed = account && { ...account, isEmailConfirmed: false }
    const fresh = { ...ctx, actor: { ...ctx.actor, account: unconfirmed } }
    expect((await spamChecks.challenge(fresh)).isNeeded).toBe(true)
    await expect(spamChecks.require(fresh, undefined)).rejects.toMatchObject({ status: 403 })
  })
  await as('vera', (ctx) => createSpamChecks(0).require(ctx, undefined))
})
