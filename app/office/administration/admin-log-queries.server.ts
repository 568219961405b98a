import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import sql, { empty, type Sql } from 'sql-template-tag'
import type { RequestIdentity } from '#app/api/auth/actor.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { requireAccess } from '#app/api/policy.server.ts'
import { requestReader } from '#app/api/request.server.ts'
import { companyPath } from '#app/companies/company.ts'
import { UNNAMED } from '#app/identity/accounts/account.ts'
import {
  ADMIN_REFUSALS,
  type AdminAction,
  tidySubject,
} from '#app/identity/accounts/administrators/admin-action.ts'
import { cleanText, shortened } from '#app/kit/writing/text.ts'
import { csvText } from '#app/platform/csv.server.ts'
import { likeText } from '#app/platform/database/database.server.ts'
import { foreignCursor } from '#app/platform/database/keyset.server.ts'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import { networkOf } from '#app/platform/http/rate-limits.server.ts'
import { badRequest } from '#app/platform/http/refusal.ts'
import { type LogEntry, LogFilters } from './administration.contract.ts'
import { ADMIN_ACTION_TEXTS } from './administration.ts'
import { userHref } from './panel-items.ts'

const PAGE = 30
/** The file has all of it. */
const CHANGE_SHOWN = 300
const ENTRY = /^\d{1,15}$/

/**
 * A page of the log, newest first, and all names in it.
 * @param after the last entry of the previous page
 * @throws Refusal bad-request
 */
export async function adminLog(ctx: Ctx, { after, ...filters }: LogFilters & { after?: string }) {
  if (after !== undefined && !ENTRY.test(after)) throw foreignCursor()
  const rows = await logEntries(ctx, filters, { after, limit: PAGE + 1 })
  const entries = rows.slice(0, PAGE).map(({ before, after, ...entry }) => ({
    ...entry,
    before: before && shortened(before, CHANGE_SHOWN),
    after: after && shortened(after, CHANGE_SHOWN),
  }))
  const admins = await ctx.db.query<{ name: string }>(
    sql`select distinct admin_name as name from admin_log order by name`,
  )
  return {
    entries,
    admins: admins.map(({ name }) => name),
    next: rows.length > PAGE ? String(entries.at(-1)?.entry) : null,
  }
}

type RawEntry = Omit<LogEntry, 'href'> & { companyId: string | null; slug: string | null }

/**
 * Newest first.
 * @throws Refusal bad-request
 */
export async function logEntries(
  { db }: Pick<ServerContext, 'db'>,
  filters: LogFilters,
  { after, limit }: { after?: string; limit: number },
): Promise<LogEntry[]> {
  const rows = await db.query<RawEntry>(sql`
    select entry.id as entry, done_on as day, done_at as minute, admin_name as admin, action, subject, before, after,
           company.id as "companyId", company.slug
      from admin_log entry left join companies company on company.id = entry.company_id
     where ${conditionOf(filters)} ${after === undefined ? empty : sql`and entry.id < ${after}::bigint`}
     order by entry.id desc limit ${limit}`)
  return rows.map(({ companyId, slug, ...entry }) => ({
    ...entry,
    href: companyId ? companyPath({ id: companyId, slug }) : accountHref(entry),
  }))
}

function conditionOf({ who, action, about, from, to }: LogFilters): Sql {
  if (from && to && from > to) throw badRequest(ADMIN_REFUSALS.reversedDays)
  const part = likeText(tidySubject(about ?? ''))
  return sql`true
    ${who ? sql`and admin_name = ${cleanText(who)}` : empty}
    ${action ? sql`and action = ${action}` : empty}
    ${part ? sql`and subject ilike ${`%${part}%`}` : empty}
    ${from ? sql`and done_on >= ${from}::date` : empty}
    ${to ? sql`and done_on <= ${to}::date` : empty}`
}

/** Actions whose subject is a username. A deleted account's leads nowhere. */
const ON_ACCOUNTS: readonly AdminAction[] = [
  'grant-administrator',
  'revoke-administrator',
  'grant-moderator',
  'revoke-moderator',
  'change-account',
  'suspend-account',
  'unsuspend-account',
]

const accountHref = ({ action, subject }: Pick<LogEntry, 'action' | 'subject'>) =>
  ON_ACCOUNTS.includes(action) && subject !== UNNAMED ? userHref(subject) : null

const reader = requestReader({ query: LogFilters })

const PORTION = 1_000

/** Mounts `GET /api/v1/administration/log.csv`, with everything that matches the filters. */
export function serveLogFile(
  app: FastifyInstance,
  contextOf: (identity: RequestIdentity) => Promise<Ctx>,
) {
  app.get(
    '/api/v1/administration/log.csv',
    {
      schema: {
        summary: "The administrators' log, as CSV",
        tags: ['administration'],
        ...reader.schema,
      },
      validatorCompiler: reader.validatorCompiler,
    },
    async (request, reply) => {
      const read = reader.check(request)
      const { authorization } = request.headers
      const ctx = await contextOf({ authorization, network: networkOf(request.ip) })
      requireAccess({ access: 'admin' }, ctx.actor)
      const { query: filters } = read()
      // Read before anything is sent, so an unavailable database gives a 503.
      const first = await logEntries(ctx, filters, { limit: PORTION })
      return reply
        .header('cache-control', 'no-store')
        .header('content-disposition', 'attachment; filename="log.csv"')
        .type('text/csv; charset=utf-8; header=present')
        .send(Readable.from(logCsv(ctx, filters, first)))
    },
  )
}

/** One row per entry, newest first. Times are in UTC, and empty if we only store the day. */
export async function* logCsv(
  ctx: Pick<Ctx, 'db'>,
  filters: LogFilters,
  first: LogEntry[],
): AsyncGenerator<string> {
  yield csvText([['day', 'time (UTC)', 'administrator', 'did', 'subject', 'before', 'after']])
  for (let entries = first; entries.length > 0; ) {
    yield csvText(entries.map(rowOf))
    if (entries.length < PORTION) return
    const after = String(entries.at(-1)?.entry)
    entries = await logEntries(ctx, filters, { after, limit: PORTION })
  }
}

const rowOf = ({ day, minute, admin, action, subject, before, after }: LogEntry) => [
  day,
  minute?.slice(11, 16) ?? '',
  admin,
  ADMIN_ACTION_TEXTS[action],
  subject,
  before ?? '',
  after ?? '',
]
