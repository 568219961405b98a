/** Templates for notes to authors, and how often people may post and vote. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import {
  CHANGES,
  COMMENTS,
  THREADS,
  VOTING,
} from '#app/community/discussions/discussion.contract.ts'
import type { RulingTemplate } from '#app/community/reports/report.contract.ts'
import { templateProblems } from '#app/community/reports/ruling-text.ts'
import { cleanText, oneLine } from '#app/kit/writing/text.ts'
import { transaction } from '#app/platform/database/context.server.ts'
import { isUniqueViolation } from '#app/platform/database/database.server.ts'
import { limitsChanged } from '#app/platform/http/chosen-limits.server.ts'
import { badRequest, notFound, Refusal } from '#app/platform/http/refusal.ts'
import type { PostingLimit } from './moderation.contract.ts'

type Draft = Omit<RulingTemplate, 'id'>

export const rulingTemplates = ({ db }: Ctx) =>
  db.query<RulingTemplate>(
    sql`select id, name, body from ruling_templates order by lower(name), id`,
  )

/** @throws Refusal bad-request for a broken placeholder, conflict for a name that is taken; so below */
export async function addTemplate({ db }: Ctx, draft: Draft) {
  const { name, body } = checked(draft)
  const [added] = await unlessTaken(
    db.query<{ id: string }>(sql`
      insert into ruling_templates (name, body) values (${name}, ${body}) returning id`),
  )
  return added as { id: string }
}

/** @throws Refusal not-found as well */
export async function changeTemplate({ db }: Ctx, id: string, draft: Draft) {
  const { name, body } = checked(draft)
  const [changed] = await unlessTaken(
    db.query<{ id: string }>(sql`
      update ruling_templates set name = ${name}, body = ${body} where id = ${id} returning id`),
  )
  if (!changed) throw notFound(GONE)
  return changed
}

/** What was sent with it stays. @throws Refusal not-found */
export async function removeTemplate({ db }: Ctx, id: string) {
  const [removed] = await db.query<{ id: string }>(
    sql`delete from ruling_templates where id = ${id} returning id`,
  )
  if (!removed) throw notFound(GONE)
  return removed
}

const GONE = 'This template no longer exists'

function checked({ name, body }: Draft): Draft {
  const clean = { name: oneLine(name), body: cleanText(body).trim() }
  const problems = templateProblems(clean)
  const problem = problems.name ?? problems.body
  if (problem) throw badRequest(problem)
  return clean
}

async function unlessTaken<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (isUniqueViolation(error))
      throw new Refusal('conflict', 'A template with this name already exists')
    throw error
  }
}

const LIMITS = [
  { limit: THREADS, what: 'Threads' },
  { limit: COMMENTS, what: 'Comments' },
  { limit: CHANGES, what: 'Edits' },
  { limit: VOTING, what: 'Votes' },
]

/** As the policy names what it counts. */
const OURS = LIMITS.flatMap(({ limit: { name, seconds, person, unproven, network }, what }) => [
  { name, what, of: 'member' as const, seconds, usual: person },
  { name: `${name}-unproven`, what, of: 'visitor' as const, seconds, usual: unproven },
  { name: `${name}-network`, what, of: 'network' as const, seconds, usual: network },
])

export async function postingLimits({ db }: Ctx): Promise<PostingLimit[]> {
  const chosen = new Map(
    (await db.query<{ name: string; uses: number }>(sql`select name, uses from chosen_limits`)).map(
      ({ name, uses }) => [name, uses],
    ),
  )
  return OURS.map((ours) => ({ ...ours, uses: chosen.get(ours.name) ?? ours.usual }))
}

/** In force in all processes in a moment. @param uses null for the usual number. @throws Refusal not-found */
export const chooseLimit = (ctx: Ctx, name: string, uses: number | null) =>
  transaction(ctx, async (ctx) => {
    const ours = OURS.find((each) => each.name === name)
    if (!ours) throw notFound('This limit doesn’t exist')
    if (uses === null) await ctx.db.query(sql`delete from chosen_limits where name = ${name}`)
    else
      await ctx.db.query(sql`
        insert into chosen_limits (name, uses) values (${name}, ${uses})
        on conflict (name) do update set uses = excluded.uses`)
    await limitsChanged(ctx.db)
    return { ...ours, uses: uses ?? ours.usual }
  })
