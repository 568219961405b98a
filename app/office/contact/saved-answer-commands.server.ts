import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { cleanText } from '#app/kit/writing/text.ts'
import { transaction } from '#app/platform/database/context.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { notFound, Refusal } from '#app/platform/http/refusal.ts'
import type { SavedAnswer } from './contact.contract.ts'
import { checked } from './contact-commands.server.ts'
import { SAVED_MAX, savedBodyProblem, savedTitleProblem } from './saved-answer.ts'

type Given = Omit<SavedAnswer, 'id'>

export async function savedAnswers({ db }: Ctx) {
  const answers = await db.query<SavedAnswer>(
    sql`select id, title, body from saved_answers order by title_key`,
  )
  return { answers }
}

/** @throws Refusal bad-request, conflict */
export function saveAnswer(ctx: Ctx, given: Given): Promise<SavedAnswer> {
  const answer = { id: randomUUID(), ...cleaned(given) }
  return transaction(ctx, async ({ db }) => {
    await takeTurn(db)
    const [all] = await db.query<{ n: number }>(
      sql`select count(*)::integer as n from saved_answers`,
    )
    if (all && all.n >= SAVED_MAX)
      throw new Refusal('conflict', `There are already ${SAVED_MAX} saved answers`)
    await requireFreeTitle(db, answer)
    await db.query(sql`
      insert into saved_answers (id, title, title_key, body)
      values (${answer.id}, ${answer.title}, ${keyOf(answer.title)}, ${answer.body})`)
    return answer
  })
}

/** @throws Refusal bad-request, conflict, not-found */
export function changeSavedAnswer(ctx: Ctx, id: string, given: Given): Promise<SavedAnswer> {
  const answer = { id, ...cleaned(given) }
  return transaction(ctx, async ({ db }) => {
    await takeTurn(db)
    await requireFreeTitle(db, answer)
    const changed = await db.query(sql`
      update saved_answers
         set title = ${answer.title}, title_key = ${keyOf(answer.title)}, body = ${answer.body}
       where id = ${id} returning id`)
    if (changed.length === 0) throw notFound(GONE)
    return answer
  })
}

/** @throws Refusal not-found */
export async function deleteSavedAnswer({ db }: Ctx, id: string) {
  const deleted = await db.query(sql`delete from saved_answers where id = ${id} returning id`)
  if (deleted.length === 0) throw notFound(GONE)
  return { isDeleted: true as const }
}

const GONE = 'This saved answer no longer exists'

const keyOf = (title: string) => title.toLowerCase()

const cleaned = ({ title, body }: Given) => ({
  title: checked(cleanText(title).trim(), savedTitleProblem),
  body: checked(cleanText(body).trim(), savedBodyProblem),
})

/** Serialises changes, so two at once see each other. */
const takeTurn = (db: Database) =>
  db.query(sql`select pg_advisory_xact_lock(hashtext('saved answers'))`)

async function requireFreeTitle(db: Database, { id, title }: SavedAnswer) {
  const [other] = await db.query(
    sql`select from saved_answers where title_key = ${keyOf(title)} and id <> ${id}`,
  )
  if (other) throw new Refusal('conflict', 'A saved answer with this title already exists')
}
