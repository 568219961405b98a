/**
 * Accounts as the administrators' panel shows them: masked, identified by a handle, and never next to what
 * they wrote. S28 applies here, too: no one can take over an account.
 */

import type { AuthSettings } from '#app/api/auth/actor.server.ts'
import type { Actor, Role } from '#app/api/auth/actor.ts'
import { addressOf, plainAddress } from '#app/api/auth/addresses.server.ts'
import { authorKeyOfAccount } from '#app/api/auth/author-keys.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { ACCESS_REFUSALS, isAdministrator, may } from '#app/api/auth/permissions.ts'
import { foreignCursor } from '#app/platform/database/keyset.server.ts'
import { mapRows } from '#app/platform/database/rows.server.ts'
import { transaction } from '#app/platform/database/server-context.server.ts'
import {
  badRequest,
  conflict,
  forbidden,
  notFound,
  type Refusal,
} from '#app/platform/http/refusal.ts'
import { isUuid } from '#app/platform/uuid.ts'
import { UNNAMED } from '../account.ts'
import { deleteAccount } from '../account-commands.server.ts'
import {
  monthsOfAccounts,
  USER_GROUPS,
  type UserFilters,
  type UserRow,
  userByAddress,
  userById,
  usersByName,
  usersWithoutName,
} from '../account-queries.server.ts'
import { lockAccount, setSuspended } from '../auth-server/account-admin-commands.server.ts'
import { maskedUserView } from '../auth-server/auth-user.server.ts'
import { usernameKey } from '../username.ts'
import { ADMIN_REFUSALS, rankProblem } from './admin-action.ts'
import {
  makeAdministrator,
  makeModerator,
  unmakeAdministrator,
  unmakeModerator,
} from './admin-commands.server.ts'
import { type AccountAction, enqueueAdminAct } from './admin-log.server.ts'

const PAGE = 30
/** The username's key at the end of a page. */
const USERNAME_KEY = /^[a-z0-9_-]{3,24}$/
const NAME_PART = /^[a-z0-9_-]+$/
/**
 * Marks the end of a page for accounts without a username. The id is sealed, because no response names an
 * account.
 */
const UNNAMED_MARK = '~'
const GROUP_END = ':'
const MARK = /^(\d):(.+)$/

type Act =
  | 'grant'
  | 'revoke'
  | 'grant-moderator'
  | 'revoke-moderator'
  | 'suspend'
  | 'unsuspend'
  | 'delete'

interface ManagedUser {
  /** The sealed account id: different in each response, so responses can't be joined by it. */
  handle: string
  username: string | null
  address: string
  role: Role
  isConfirmed: boolean
  isSuspended: boolean
  isMe: boolean
  /** YYYY-MM. */
  joined: string
  acts: Act[]
}

interface UserQuery {
  list?: UserFilters['list']
  sort?: keyof typeof USER_GROUPS
  confirmed?: 'any' | 'yes' | 'no'
  joined?: string
  after?: string
  search?: string
}

export const managedAccounts = (auth: AuthSettings) => ({
  /**
   * A page of accounts in the order of `sort`, then by username, with unnamed accounts last in
   * their group. `search` matches part of a username or a full email address.
   * @throws Refusal bad-request
   */
  async list(ctx: Ctx, query: UserQuery) {
    const {
      list = 'all',
      sort = 'name',
      confirmed = 'any',
      joined,
      after = '',
      search = '',
    } = query
    const months = await monthsOfAccounts(ctx)
    if (search.includes('@')) {
      const found = await userByAddress(ctx, search)
      return { users: found ? [viewOf(ctx, auth, found)] : [], months, next: null }
    }
    const groups = USER_GROUPS[sort]
    const start = markIn(ctx, after)
    if (!start || start.group >= groups.length) throw foreignCursor()
    const part = usernameKey(search)
    // No username contains such characters.
    if (part && !NAME_PART.test(part)) return { users: [], months, next: null }
    const filters = {
      list,
      joined,
      part,
      isConfirmed: confirmed === 'any' ? undefined : confirmed === 'yes',
    }
    const rows: (UserRow & { group: number })[] = []
    for (const [n, group] of groups.entries()) {
      if (n < start.group) continue
      const { name, id } = n === start.group ? start : START
      const left = () => ({ filters, group, limit: PAGE + 1 - rows.length })
      const add = (users: UserRow[]) => rows.push(...users.map((user) => ({ ...user, group: n })))
      if (id === undefined) add(await usersByName(ctx, { ...left(), after: name }))
      if (rows.length <= PAGE) add(await usersWithoutName(ctx, { ...left(), after: id }))
      if (rows.length > PAGE) break
    }
    const shown = rows.slice(0, PAGE)
    const last = shown.at(-1)
    return {
      users: mapRows('accounts', shown, (row) => viewOf(ctx, auth, row)),
      months,
      next: rows.length > PAGE && last ? markOf(ctx, last) : null,
    }
  },

  /**
   * @returns the changed account
   * @throws Refusal forbidden, not-found, conflict
   */
  act: (ctx: Ctx, handle: string, act: Exclude<Act, 'delete'>): Promise<ManagedUser> =>
    transaction(ctx, async (ctx) => {
      const user = await lockedFor(ctx, auth, handle, act)
      await WORK[act]({ ...ctx, auth }, user.id)
      await enqueueAdminAct(ctx, ctx.actor, { action: ACTION[act], username: user.username })
      const changed = await userById(ctx, user.id)
      if (!changed) throw notFound(ADMIN_REFUSALS.gone)
      return viewOf(ctx, auth, changed)
    }),

  delete: (ctx: Ctx, handle: string, confirmation: string) =>
    transaction(ctx, async (ctx) => {
      const user = await lockedFor(ctx, auth, handle, 'delete')
      if (confirmation.trim() !== (user.username ?? UNNAMED))
        throw badRequest(ADMIN_REFUSALS.typeUsername)
      const authorKey = authorKeyOfAccount(ctx.secrets, user.id)
      await deleteAccount(ctx, { id: user.id, authorKey, posts: 'keep' })
      await enqueueAdminAct(ctx, ctx.actor, { action: ACTION.delete, username: user.username })
    }),
})

const WORK = {
  grant: makeAdministrator,
  revoke: unmakeAdministrator,
  'grant-moderator': makeModerator,
  'revoke-moderator': unmakeModerator,
  suspend: (ctx: Parameters<typeof setSuspended>[0], id: string) => setSuspended(ctx, id, true),
  unsuspend: (ctx: Parameters<typeof setSuspended>[0], id: string) => setSuspended(ctx, id, false),
}

const ACTION: Record<Act, AccountAction> = {
  grant: 'grant-administrator',
  revoke: 'revoke-administrator',
  'grant-moderator': 'grant-moderator',
  'revoke-moderator': 'revoke-moderator',
  suspend: 'suspend-account',
  unsuspend: 'unsuspend-account',
  delete: 'delete-account',
}

/**
 * Locks the account until the transaction ends.
 * @throws Refusal forbidden, not-found, conflict
 */
async function lockedFor(ctx: Ctx, auth: AuthSettings, handle: string, act: Act) {
  const known = await userById(ctx, idOf(ctx, handle))
  if (!known) throw notFound(ADMIN_REFUSALS.gone)
  await lockAccount(ctx, known.id)
  // The account may have changed while we waited for the lock.
  const row = await userById(ctx, known.id)
  if (!row) throw notFound(ADMIN_REFUSALS.gone)
  const refusal = whyNot(ctx.actor, accountStateOf(ctx, auth, row), act)
  if (refusal) throw refusal
  return row
}

/** The end of a page: its group, then a username's key or a sealed id. */
const markOf = ({ secrets }: Ctx, { group, id, username }: UserRow & { group: number }) =>
  `${group}${GROUP_END}${username ? usernameKey(username) : UNNAMED_MARK + secrets.seal(id)}`

const START = { group: 0, name: '', id: undefined }

/** The start of a page. Undefined if `after` is invalid. */
function markIn(ctx: Ctx, after: string) {
  if (after === '') return START
  const [, group, mark = ''] = MARK.exec(after) ?? []
  if (group === undefined) return undefined
  if (!mark.startsWith(UNNAMED_MARK))
    return USERNAME_KEY.test(mark) ? { group: Number(group), name: mark, id: undefined } : undefined
  const id = idOf(ctx, mark.slice(UNNAMED_MARK.length))
  return isUuid(id) ? { group: Number(group), name: '', id } : undefined
}

/** Invalid text, or text sealed for something else, matches no one. */
function idOf({ secrets }: Ctx, handle: string) {
  try {
    return secrets.open(handle)
  } catch {
    return ''
  }
}

interface AccountState {
  role: Role
  /** True even while the account acts for a company, which suspends the role. */
  isModerator: boolean
  isMe: boolean
  isConfirmed: boolean
  isSuspended: boolean
}

function accountStateOf(ctx: Ctx, auth: AuthSettings, row: UserRow): AccountState {
  const isOwner =
    row.isAdmin &&
    auth.ownerEmail !== undefined &&
    addressOf(ctx.secrets, row) === plainAddress(auth.ownerEmail)
  const role = row.isEmployer ? 'employer' : row.isModerator ? 'moderator' : 'member'
  const adminRole = isOwner ? 'owner' : 'admin'
  return {
    role: row.isAdmin ? adminRole : role,
    isModerator: row.isModerator,
    isMe: row.id === ctx.actor.account?.id,
    isConfirmed: row.isEmailConfirmed,
    isSuspended: row.isSuspended,
  }
}

const ACTS: Act[] = [
  'grant',
  'revoke',
  'grant-moderator',
  'revoke-moderator',
  'suspend',
  'unsuspend',
  'delete',
]

function viewOf(ctx: Ctx, auth: AuthSettings, row: UserRow): ManagedUser {
  const state = accountStateOf(ctx, auth, row)
  const { isModerator: _, ...shown } = state
  return {
    ...shown,
    handle: ctx.secrets.seal(row.id),
    username: row.username,
    address: maskedUserView(ctx.secrets, row).email,
    joined: row.madeInMonth.slice(0, 7),
    acts: ACTS.filter((act) => !whyNot(ctx.actor, state, act)),
  }
}

/** Why someone may not do this to an account. Undefined if they may. */
export function whyNot(actor: Actor, user: AccountState, act: Act): Refusal | undefined {
  const isAdmin = isAdministrator(user)
  if (!may.manageAccounts(actor)) return forbidden(ACCESS_REFUSALS.admin)
  const problem = rankProblem(actor.role === 'owner', { isMe: user.isMe, isAdmin })
  if (problem) return forbidden(problem)
  if ((act === 'grant' || act === 'revoke') && actor.role !== 'owner')
    return forbidden(ADMIN_REFUSALS.ownerAppoints)
  const isGrant = act === 'grant' || act === 'grant-moderator'
  if (isGrant && isAdmin) return conflict(ADMIN_REFUSALS.isAdmin)
  if (act === 'grant-moderator' && user.isModerator) return conflict(ADMIN_REFUSALS.isModerator)
  if (act === 'grant-moderator' && user.role === 'employer')
    return conflict(ADMIN_REFUSALS.isEmployer)
  if (isGrant && !user.isConfirmed) return conflict(ADMIN_REFUSALS.unconfirmed)
  if (isGrant && user.isSuspended) return conflict(ADMIN_REFUSALS.suspended)
  if (act === 'revoke' && !isAdmin) return conflict(ADMIN_REFUSALS.notAdmin)
  if (act === 'revoke-moderator' && !user.isModerator) return conflict(ADMIN_REFUSALS.notModerator)
  if (act === 'suspend' && user.isSuspended) return conflict(ADMIN_REFUSALS.isSuspended)
  if (act === 'unsuspend' && !user.isSuspended) return conflict(ADMIN_REFUSALS.notSuspended)
  return undefined
}
