/** Texts that moderators keep for decisions. A broken one is refused when it is saved. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { RulingTemplate } from '#app/community/reports/report.contract.ts'
import { templateProblems } from '#app/community/reports/ruling-text.ts'
import { cleanText, oneLine } from '#app/kit/writing/text.ts'
import { isUniqueViolation } from '#app/platform/database/database.server.ts'
import { badRequest, notFound, Refusal } from '#app/platform/http/refusal.ts'

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

const GONE = 'This template is gone'

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
      throw new Refusal('conflict', 'There is a template of this name already')
    throw error
  }
}
