/** Binds the contract of administration to queries, and to what accounts let be done to them. */
import type { Handlers } from '../../api/bind.server.ts'
import type { Ctx } from '../../auth/context.server.ts'
import type { AdministrationContract, User } from './administration.contract.ts'
import type { UserAct, UserList } from './administration.ts'
import { adminLog, adminStats } from './administration-queries.server.ts'

/**
 * What administration asks of accounts, which know their tables and ask who may. The composition
 * root hands it over, so that no feature reaches into another.
 */
export interface Accounts {
  /** @throws Refusal forbidden, bad-request */
  list(
    ctx: Ctx,
    query: { list: UserList; after?: string; search?: string },
  ): Promise<{ users: User[]; next: string | null }>
  /** @throws Refusal forbidden, not-found, conflict */
  act(ctx: Ctx, handle: string, act: Exclude<UserAct, 'delete'>): Promise<User>
  /** @throws Refusal forbidden, not-found, bad-request unless the username was typed */
  delete(ctx: Ctx, handle: string, confirmation: string): Promise<void>
}

export const administrationHandlers = ({
  accounts,
}: {
  accounts: Accounts
}): Handlers<AdministrationContract> => ({
  'GET /api/v1/administration/stats': (ctx) => adminStats(ctx),
  'GET /api/v1/administration/users': (ctx, { query }) => accounts.list(ctx, query),
  'POST /api/v1/administration/users/{handle}/grant': (ctx, { params }) =>
    accounts.act(ctx, params.handle, 'grant'),
  'POST /api/v1/administration/users/{handle}/revoke': (ctx, { params }) =>
    accounts.act(ctx, params.handle, 'revoke'),
  'POST /api/v1/administration/users/{handle}/suspend': (ctx, { params }) =>
    accounts.act(ctx, params.handle, 'suspend'),
  'POST /api/v1/administration/users/{handle}/unsuspend': (ctx, { params }) =>
    accounts.act(ctx, params.handle, 'unsuspend'),
  'POST /api/v1/administration/users/{handle}/deletion': async (ctx, { params, body }) => {
    await accounts.delete(ctx, params.handle, body.confirmation)
    return { isDeleted: true as const }
  },
  'GET /api/v1/administration/log': (ctx, { query }) => adminLog(ctx, query.after),
})
