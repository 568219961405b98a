/**
 * Ended sessions. A live session has no row. When a session ends, we store a keyed hash of its id until none of its
 * tokens can be valid. To end all sessions of an account, a hash of the account and its generation is stored, and new
 * logins belong to the next generation. A session that should survive gets a hash that lifts it into that generation.
 * No mark reveals whose it is, or which marks belong together.
 */
import sql, { type Sql } from 'sql-template-tag'
import { PREPARED } from '#app/platform/database/database.server.ts'
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import { type ServerContext, transaction } from '#app/platform/database/server-context.server.ts'
import { broadcastActorChange } from './remembered-actors.server.ts'

type Ctx = Pick<ServerContext, 'db' | 'secrets' | 'now'>

interface SessionClaim {
  accountId: string
  sessionId: string
  generation: number
}

/** 132 bits, enough to be unique. */
const MARK_LENGTH = 22

const sessionMark = (secrets: Secrets, sessionId: string) =>
  secrets.hash('ended session', sessionId).slice(0, MARK_LENGTH)
const generationMark = (secrets: Secrets, accountId: string, generation: number) =>
  secrets.hash('ended generation', accountId, String(generation)).slice(0, MARK_LENGTH)
const liftMark = (secrets: Secrets, { sessionId, generation }: SessionClaim) =>
  secrets.hash('kept session', sessionId, String(generation)).slice(0, MARK_LENGTH)

/** All marks that a session of this generation and the next can have. */
export interface Marks {
  session: string
  generation: string
  kept: string
  next: string
}

export const marksOf = (secrets: Secrets, claim: SessionClaim): Marks => ({
  session: sessionMark(secrets, claim.sessionId),
  generation: generationMark(secrets, claim.accountId, claim.generation),
  kept: liftMark(secrets, claim),
  next: generationMark(secrets, claim.accountId, claim.generation + 1),
})

/** The stored marks, as a column for the query that reads the person. */
export const endedAmong = (marks: Marks): Sql =>
  sql`array(select mark from ended_sessions where mark = any (${Object.values(marks)}::text[])) as ended`

/** A session's state. `further` means it was lifted more than once, which takes another query. */
function standingOf(marks: Marks, ended: readonly string[]) {
  const has = (mark: string) => ended.includes(mark)
  if (has(marks.session)) return 'ended'
  if (!has(marks.generation)) return 'as it says'
  if (!has(marks.kept)) return 'ended'
  return has(marks.next) ? 'further' : 'of the next generation'
}

/** The session's current generation. Undefined if it has ended. */
export async function generationNow(
  { db, secrets }: Pick<Ctx, 'db' | 'secrets'>,
  claim: SessionClaim,
  { marks, ended }: { marks: Marks; ended: readonly string[] },
): Promise<number | undefined> {
  switch (standingOf(marks, ended)) {
    case 'ended':
      return undefined
    case 'as it says':
      return claim.generation
    case 'of the next generation':
      return claim.generation + 1
  }
  const lifted = { ...claim, generation: claim.generation + 1 }
  const further = marksOf(secrets, lifted)
  const [row] = await db.query<{ ended: string[] }>(sql`select ${endedAmong(further)}`)
  return generationNow({ db, secrets }, lifted, { marks: further, ended: row?.ended ?? [] })
}

/** We query this many together, because few people end all sessions more often. */
const GENERATIONS_AT_ONCE = 8

/** The generation of new logins: the lowest that hasn't ended. */
export async function presentGeneration(
  { db, secrets }: Pick<Ctx, 'db' | 'secrets'>,
  accountId: string,
): Promise<number> {
  for (let from = 0, count = GENERATIONS_AT_ONCE; ; from += count, count *= 2) {
    const marks = Array.from({ length: count }, (_, i) =>
      generationMark(secrets, accountId, from + i),
    )
    const ended = await db.query<{ mark: string }>(
      sql`select mark from ended_sessions where mark = any (${marks}::text[])`,
      PREPARED,
    )
    const endedMarks = new Set(ended.map(({ mark }) => mark))
    const lowest = marks.findIndex((mark) => !endedMarks.has(mark))
    if (lowest >= 0) return from + lowest
  }
}

const monthOf = (now: Date) => `${now.toISOString().slice(0, 7)}-01`

/** @returns false if it had already ended */
export const endSession = (ctx: Ctx, sessionId: string) =>
  transaction(ctx, async ({ db, secrets, now }) => {
    const marked = await db.query(sql`
      insert into ended_sessions (mark, month)
      values (${sessionMark(secrets, sessionId)}, ${monthOf(now())}::date)
      on conflict do nothing returning mark`)
    await broadcastActorChange({ db, secrets }, sessionId)
    return marked.length > 0
  })

export const endAllSessions = (ctx: Pick<Ctx, 'db' | 'secrets'>, accountId: string) =>
  transaction(ctx, async ({ db, secrets }) => {
    for (;;) {
      const generation = await presentGeneration({ db, secrets }, accountId)
      const marked = await db.query(sql`
        insert into ended_sessions (mark) values (${generationMark(secrets, accountId, generation)})
        on conflict do nothing returning mark`)
      // With no mark written, another request just ended this generation, and may have kept a session.
      if (marked.length > 0) return broadcastActorChange({ db, secrets }, accountId)
    }
  })

/**
 * Ends all other sessions, and lifts this one into the next generation.
 * @returns false if this one has ended meanwhile, without doing anything
 */
export const endOtherSessions = (ctx: Ctx, claim: SessionClaim) =>
  transaction(ctx, async ({ db, secrets, now }) => {
    const { generation, kept } = marksOf(secrets, claim)
    const lifted = await db.query(sql`
      with ended as (
        insert into ended_sessions (mark) values (${generation}) on conflict do nothing returning mark
      )
      insert into ended_sessions (mark, month)
      select ${kept}, ${monthOf(now())}::date from ended
      on conflict do nothing returning mark`)
    await broadcastActorChange({ db, secrets }, claim.accountId)
    return lifted.length > 0
  })

/**
 * Deletes marks of sessions whose tokens are all invalid by now. Ended generations stay. Also checks the database's
 * clock, so a fast clock here deletes nothing early.
 */
export const sweepMarks = ({ db }: Pick<Ctx, 'db'>, today: string) =>
  db.query(sql`
    delete from ended_sessions
     where month < date_trunc('month', least(${today}::date, current_date)) - interval '4 months'`)
