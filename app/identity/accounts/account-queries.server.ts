import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { addressHash, shownAddresses } from '#app/api/auth/addresses.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { contextKey } from '#app/api/auth/context-keys.server.ts'
import { rootOf } from '#app/api/auth/roots.server.ts'
import { likeText, PREPARED } from '#app/platform/database/database.server.ts'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import { isUuid } from '#app/platform/uuid.ts'
import { factorsOf, recoveryCodesLeft } from './second-factors/factor-rows.server.ts'

/** An account on the server. We only send `userView`. */
export interface AccountRow {
  id: string
  emailSealed: string
  newEmailSealed: string | null
  isEmailConfirmed: boolean
  passwordHash: string | null
  userMetadata: Record<string, unknown>
  isSuspended: boolean
  /** The first day of the month. */
  madeInMonth: string
}

export const accountColumns = raw(`
  id, email_sealed as "emailSealed", new_email_sealed as "newEmailSealed",
  is_email_confirmed as "isEmailConfirmed", password_hash as "passwordHash",
  user_metadata as "userMetadata", is_suspended as "isSuspended",
  made_in_month as "madeInMonth"`)

const oneAccount = async ({ db }: ServerContext, condition: Sql) => {
  const statement = sql`select ${accountColumns} from accounts where ${condition}`
  return (await db.query<AccountRow>(statement, PREPARED))[0]
}

export const accountById = (ctx: ServerContext, id: string) => oneAccount(ctx, sql`id = ${id}`)

export const accountByAddress = (ctx: ServerContext, email: string) =>
  oneAccount(ctx, sql`email_hash = ${addressHash(ctx.secrets, email)}`)

/** An account in the administrators' list. Stays on the server, because it names an account. */
export interface UserRow extends AccountRow {
  /** Null until the first visit creates the profile. */
  username: string | null
  isAdmin: boolean
  isModerator: boolean
  isEmployer: boolean
}

const userRoles = sql`
  exists (select from admin_users admin where admin.id = account.id) as "isAdmin",
  exists (select from moderators moderator where moderator.id = account.id) as "isModerator",
  exists (select from employer_claims claim
           where claim.account_id = account.id and claim.status = 'approved') as "isEmployer"`
const userColumns = sql`${accountColumns}, profile.username, ${userRoles}`

const oneUser = async ({ db }: Pick<ServerContext, 'db'>, condition: Sql) =>
  (
    await db.query<UserRow>(sql`
      select ${userColumns} from accounts account
        left join profiles profile on profile.account_id = account.id
       where ${condition}`)
  )[0]

/** A malformed id matches no one. */
export const userById = async (ctx: Pick<ServerContext, 'db'>, id: string) =>
  isUuid(id) ? oneUser(ctx, sql`account.id = ${id}`) : undefined

export const userByAddress = (ctx: Pick<ServerContext, 'db' | 'secrets'>, email: string) =>
  oneUser(ctx, sql`account.email_hash = ${addressHash(ctx.secrets, email)}`)

export interface UserFilters {
  list: 'all' | 'administrators' | 'moderators' | 'suspended'
  /** Normalized by `usernameKey`. */
  part?: string
  isConfirmed?: boolean
  /** YYYY-MM. */
  joined?: string
}

/** We find these first, because an index scan by name would search a million rows for these few. */
const FEW = sql`
  with suspended as materialized (select id from accounts where is_suspended),
       employers as materialized (
         select account_id as id from employer_claims where status = 'approved')`
const isAdministratorsRow = sql`account.id in (select id from admin_users)`
const isModeratorsRow = sql`account.id in (select id from moderators)`
const isSuspendedRow = sql`account.id in (select id from suspended)`
const isEmployersRow = sql`account.id in (select id from employers)`

const LISTED: Record<UserFilters['list'], Sql> = {
  all: sql`true`,
  administrators: isAdministratorsRow,
  moderators: isModeratorsRow,
  suspended: isSuspendedRow,
}

/** Sorted by group, then by username. No index knows roles. */
export const USER_GROUPS = {
  name: [sql`true`],
  role: [
    isAdministratorsRow,
    sql`${isModeratorsRow} and not ${isAdministratorsRow}`,
    sql`${isEmployersRow} and not ${isModeratorsRow} and not ${isAdministratorsRow}`,
    sql`not ${isEmployersRow} and not ${isModeratorsRow} and not ${isAdministratorsRow}`,
  ],
  status: [
    isSuspendedRow,
    sql`not account.is_suspended and not account.is_email_confirmed`,
    sql`not account.is_suspended and account.is_email_confirmed`,
  ],
} as const satisfies Record<string, Sql[]>

const filtered = ({ list, isConfirmed, joined }: UserFilters) => sql`
  ${LISTED[list]}
  ${isConfirmed === undefined ? empty : sql`and account.is_email_confirmed = ${isConfirmed}`}
  ${joined === undefined ? empty : sql`and account.made_in_month = ${`${joined}-01`}::date`}`

/** Shortest part that the trigram index can find. Anything shorter matches the start of a name. */
const PART_MIN = 3

/**
 * Profiles whose username contains this part, in order. Materialized before sorting, or the planner would scan names in
 * order until a page is full, which can be half a million names.
 */
function named(part: string, after: string) {
  if (part.length < PART_MIN)
    return {
      found: empty,
      profiles: sql`
        (select * from profiles where username_key like ${`${likeText(part)}%`}) profile`,
    }
  return {
    found: sql`
      , named as materialized (
        select username_key from profiles
         where username_key > ${after} and username_key like ${`%${likeText(part)}%`})`,
    profiles: sql`
      (select username_key from named order by username_key) named
        join profiles profile on profile.username_key = named.username_key`,
  }
}

interface UserPage {
  filters: UserFilters
  group: Sql
  limit: number
}

export function usersByName(
  { db }: Pick<ServerContext, 'db'>,
  { filters, group, after, limit }: UserPage & { after: string },
) {
  const { found, profiles } = named(filters.part ?? '', after)
  return db.query<UserRow>(sql`
    ${FEW}${found}
    select ${userColumns} from ${profiles}
      join accounts account on account.id = profile.account_id
     where profile.username_key > ${after} and ${filtered(filters)} and (${group})
     order by profile.username_key limit ${limit}`)
}

/**
 * `usersByName` for accounts without a username, because no one has visited with them yet. Ordered by their random ids,
 * after `after`.
 */
export const usersWithoutName = async (
  { db }: Pick<ServerContext, 'db'>,
  { filters, group, after, limit }: UserPage & { after: string | undefined },
) =>
  filters.part
    ? []
    : db.query<UserRow>(sql`
        ${FEW}
        select ${accountColumns}, null as username, ${userRoles}
          from accounts account
         where not exists (select from profiles where account_id = account.id)
           and ${after === undefined ? sql`true` : sql`account.id > ${after}::uuid`}
           and ${filtered(filters)} and (${group})
         order by account.id limit ${limit}`)

/** The months in which accounts were created, YYYY-MM, newest first. One index step each. */
export async function monthsOfAccounts({ db }: Pick<ServerContext, 'db'>) {
  const months = await db.query<{ month: string }>(sql`
    with recursive months (month) as (
      select max(made_in_month) from accounts
      union all
      select (select max(made_in_month) from accounts where made_in_month < month)
        from months where month is not null)
    select to_char(month, 'YYYY-MM') as month from months where month is not null`)
  return months.map(({ month }) => month)
}

/** A page of accounts, in the order of their random ids. */
export async function accountsPage(
  { db }: ServerContext,
  { page, perPage }: { page: number; perPage: number },
) {
  const accounts = await db.query<AccountRow>(sql`
    select ${accountColumns} from accounts order by id
     limit ${perPage} offset ${(page - 1) * perPage}`)
  const [count] = await db.query<{ total: number }>(sql`select count(*) as total from accounts`)
  return { accounts, total: count?.total ?? 0 }
}

export async function isAdministrator({ db }: ServerContext, id: string) {
  return (await db.query(sql`select from admin_users where id = ${id}`)).length > 0
}

/** Whether the account is a moderator, even while it acts for a company. */
async function isModerator({ db }: Pick<ServerContext, 'db'>, id: string) {
  return (await db.query(sql`select from moderators where id = ${id}`)).length > 0
}

/** Everything about an account, for its own person. */
export async function accountExport(ctx: ServerContext, id: string) {
  const account = await accountById(ctx, id)
  if (!account) return {}
  const [profile] = await ctx.db.query<{ username: string }>(
    sql`select username from profiles where account_id = ${id}`,
  )
  const factors = await factorsOf(ctx, id)
  const claims = await ctx.db.query<{ company: string; status: string }>(sql`
    select company.name as company, claim.status from employer_claims claim
      join companies company on company.id = claim.company_id
     where claim.account_id = ${id} order by company.name_key`)
  return {
    id,
    ...shownAddresses(ctx.secrets, account),
    isEmailConfirmed: account.isEmailConfirmed,
    username: profile?.username ?? null,
    memberSince: account.madeInMonth.slice(0, 7),
    isAdministrator: await isAdministrator(ctx, id),
    isModerator: await isModerator(ctx, id),
    isSuspended: account.isSuspended,
    settings: account.userMetadata,
    password: account.passwordHash ? 'stored as an Argon2id hash that no one can read' : null,
    sessions: 'not stored: only your browser knows where you’re signed in',
    secondFactors: factors.map(({ kind, name, isVerified }) => ({ kind, name, isVerified })),
    recoveryCodesLeft: await recoveryCodesLeft(ctx, id),
    companiesRepresented: claims,
  }
}

/**
 * Cred as shown: last night's, rounded. The exact number next to an account could reveal posts by their scores. D41.
 */
const STEP = 5

export const credKey = (root: Buffer) => contextKey(root, 'cred', '')

export async function credOf(ctx: Ctx): Promise<number> {
  const root = rootOf(ctx)
  if (!root) return 0
  const [row] = await ctx.db.query<{ cred: number }>(
    sql`select cred from member_cred where key = ${credKey(root)}`,
    PREPARED,
  )
  // Turns -0 into 0.
  return Math.round((row?.cred ?? 0) / STEP) * STEP + 0
}
