/** Who speaks to /auth/v1. */
import type { FastifyRequest } from 'fastify'
import { claimsOf, signedInActor } from '../../../auth/actor.server.ts'
import type { Manager } from './account-admin-commands.server.ts'
import type { AuthCtx } from './auth-context.server.ts'
import { AuthRefusal } from './auth-refusal.server.ts'

/** Whoever is signed in. @throws AuthRefusal no_authorization, bad_jwt, session_not_found */
export async function requirePerson(ctx: AuthCtx, request: FastifyRequest) {
  const { authorization } = request.headers
  if (!authorization) throw new AuthRefusal('no_authorization')
  const { tokens, ownerEmail } = ctx.auth
  const claims = claimsOf(tokens, authorization)
  if (!claims) throw new AuthRefusal('bad_jwt')
  const actor = await signedInActor({ ...ctx, tokens, ownerEmail }, claims)
  if (!actor?.account) throw new AuthRefusal('session_not_found')
  return { actor, account: actor.account }
}

/** Who wants to manage accounts: a program of the operator, or a person. */
export async function managerOf(ctx: AuthCtx, request: FastifyRequest): Promise<Manager> {
  const claims = claimsOf(ctx.auth.tokens, request.headers.authorization)
  if (claims?.role === 'service_role') return 'service'
  return (await requirePerson(ctx, request)).actor
}
