import type { FastifyRequest } from 'fastify'
import type { AuthSettings } from '#app/api/auth/actor.server.ts'
import { claimsOf, noteUse, type Person, personBehind } from '#app/api/auth/actor.server.ts'
import type { Actor, SignedIn } from '#app/api/auth/actor.ts'
import { isLoginRecent } from '#app/api/auth/require.server.ts'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import { AuthRefusal } from './auth-refusal.server.ts'

export interface AuthCtx extends ServerContext {
  auth: AuthSettings
}

/**
 * The signed-in person, with every step that their account requires.
 * @throws AuthRefusal no_authorization, bad_jwt, session_not_found, session_expired, insufficient_aal
 */
export async function requirePerson(ctx: AuthCtx, request: FastifyRequest) {
  const person = await requireFirstStep(ctx, request)
  if (person.actor.secondFactor === 'awaited') throw new AuthRefusal('insufficient_aal')
  return person
}

/**
 * The same, but also before the second step, for taking it and for signing out.
 * @throws AuthRefusal no_authorization, bad_jwt, session_not_found, session_expired
 */
export async function requireFirstStep(ctx: AuthCtx, request: FastifyRequest): Promise<Person> {
  const { authorization } = request.headers
  if (!authorization) throw new AuthRefusal('no_authorization')
  const claims = claimsOf(ctx.auth.tokens, authorization)
  if (!claims) throw new AuthRefusal('bad_jwt')
  const person = await personBehind({ ...ctx, ...ctx.auth }, claims)
  if (!person) throw new AuthRefusal('session_not_found')
  noteUse({ ...ctx, ...ctx.auth }, claims)
  if (person.isTooOld)
    throw new AuthRefusal('session_expired', 'Your session has ended. Please log in again.', {
      status: 403,
    })
  return person
}

/** @throws AuthRefusal reauthentication_needed */
export function requireReauthentication(ctx: AuthCtx, account: SignedIn) {
  if (!isLoginRecent(account, ctx.now())) throw new AuthRefusal('reauthentication_needed')
}

/** An operator's program, or a person. */
export type Manager = 'service' | Actor

export async function managerOf(ctx: AuthCtx, request: FastifyRequest): Promise<Manager> {
  const claims = claimsOf(ctx.auth.tokens, request.headers.authorization)
  if (claims?.role === 'service_role') return 'service'
  return (await requirePerson(ctx, request)).actor
}
