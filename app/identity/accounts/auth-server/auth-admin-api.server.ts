import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isLoginRecent } from '#app/api/auth/require.server.ts'
import { uuidOf } from '#app/api/schemas.ts'
import {
  changeManagedUser,
  createUser,
  deleteUser,
  listUsers,
  showUser,
} from './account-admin-commands.server.ts'
import { Bodies, parsed } from './auth-bodies.server.ts'
import { type AuthCtx, type Manager, managerOf } from './auth-context.server.ts'
import { AuthRefusal } from './auth-refusal.server.ts'

/**
 * Managing accounts over HTTP: /auth/v1/admin/users, for service tokens and administrators. See
 * account-admin-commands for who may do what.
 */
export function mountAdminRoutes(auth: FastifyInstance, contextOf: () => AuthCtx) {
  const described = (summary: string) => ({ schema: { summary, tags: ['auth'] } })

  auth.get('/admin/users', described('List accounts'), async (request, reply) => {
    const ctx = contextOf()
    const manager = await managerOf(ctx, request)
    const { page, per_page } = parsed(Bodies.page, withoutEmpty(request.query))
    const { users, total } = await listUsers(ctx, manager, { page, perPage: per_page })
    reply.header('x-total-count', total)
    const last = Math.max(1, Math.ceil(total / per_page))
    const link = (number: number, rel: string) =>
      `</auth/v1/admin/users?page=${number}&per_page=${per_page}>; rel="${rel}"`
    reply.header(
      'link',
      [...(page < last ? [link(page + 1, 'next')] : []), link(last, 'last')].join(', '),
    )
    return { users, aud: 'authenticated' }
  })

  auth.post('/admin/users', described('Create an account'), async (request) => {
    const ctx = contextOf()
    const manager = await managerOf(ctx, request)
    const { email, ...user } = managedUser(request.body)
    if (email === undefined)
      throw new AuthRefusal('validation_failed', 'Cannot create a user without an email')
    return createUser(ctx, manager, { email, ...user })
  })

  auth.get('/admin/users/:id', described('Get an account'), async (request) => {
    const ctx = contextOf()
    return showUser(ctx, await managerOf(ctx, request), idOf(request))
  })

  auth.put('/admin/users/:id', described('Change an account'), async (request) => {
    const ctx = contextOf()
    const manager = withRecentLogin(ctx, await managerOf(ctx, request))
    return changeManagedUser(ctx, manager, idOf(request), managedUser(request.body))
  })

  auth.delete('/admin/users/:id', described('Delete an account'), async (request) => {
    const ctx = contextOf()
    const manager = withRecentLogin(ctx, await managerOf(ctx, request))
    await deleteUser(ctx, manager, idOf(request))
    return {}
  })
}

/**
 * Operators' programs pass. People must have entered their password recently.
 * @throws AuthRefusal reauthentication_needed
 */
function withRecentLogin(ctx: AuthCtx, manager: Manager) {
  if (manager !== 'service' && !(manager.account && isLoginRecent(manager.account, ctx.now())))
    throw new AuthRefusal('reauthentication_needed')
  return manager
}

const withoutEmpty = (query: unknown) =>
  Object.fromEntries(Object.entries(query as object).filter(([, value]) => value !== ''))

function managedUser(sent: unknown) {
  const body = parsed(Bodies.managed, sent)
  const ban = body.ban_duration ?? undefined
  return {
    email: body.email ?? undefined,
    password: body.password ?? undefined,
    userMetadata: body.user_metadata ?? undefined,
    isEmailConfirmed: body.email_confirm ?? undefined,
    isSuspended: ban === undefined ? undefined : ban !== 'none',
  }
}

function idOf(request: FastifyRequest) {
  const id = uuidOf((request.params as { id: string }).id)
  if (!id) throw new AuthRefusal('validation_failed', 'user_id must be a UUID')
  return id
}
