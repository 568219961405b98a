/**
 * What has ended. A session has no row while it lives; when it ends, a keyed hash of its id is kept until none
 * of its tokens can be good any more. The sessions of one account have a generation: to end them all, a hash of
 * the account and the generation is kept, and whoever signs in from then on is of the next one. One session
 * that is to go on has a hash that lifts it into that. No mark says whose it is, or that two belong together.
 */
import sql, { type Sql } from 'sql-template-tag'
import { type ServerContext, transaction } from '#app/platform/database/context.server.ts'
import { PREPARED } from '#app/platform/database/database.server.ts'
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import { publishActorChange } from './remembered-actors.server.ts'

type Ctx = Pick<ServerContext, 'db' | 'secrets' | 'now'>

/** What a token says of its session. */
export interface SessionClaim {
  accountId: string
  sessionId: string
  generation: number
}

/** 132 bits: nobody finds two alike. */
const MARK_LENGTH = 22

const sessionMark = (secrets: Secrets, sessionId: string) =>
  secrets.hash('ended session', sessionId).slice(0, MARK_LENGTH)
const generationMark = (secrets: Secrets, accountId: string, generation: number) =>
  secrets.hash('ended generation', accountId, String(generation)).slice(0, MARK_LENGTH)
const keptMark = (secrets: Secrets, { sessionId, generation }: SessionClaim) =>
  secrets.hash('kept session', sessionId, String(generation)).slice(0, MARK_LENGTH)

/** All that can be there about a session which says that it is of this generation, and of the one after it. */
export interface Marks {
  session: string
  generation: string
  kept: string
  next: string
}

export const marksOf = (secrets: Secrets, claim: SessionClaim): Marks => ({
  session: sessionMark(secrets, claim.sessionId),
  generation: generationMark(secrets, claim.accountId, claim.generation),
  kept: keptMark(secrets, claim),
  next: generationMark(secrets, claim.accountId, claim.generation + 1),
})

/** Those of them that are there, as a column of the one statement that asks who somebody is. */
export const endedAmong = (marks: Marks): Sql =>
  sql`array(select mark from ended_sessions where mark = any (${Object.values(marks)}::text[])) as ended`

/** How a session stands. further: lifted twice, so more has to be asked. */
export function standingOf(marks: Marks, ended: readonly string[]) {
  const has = (mark: string) => ended.includes(mark)
  if (has(marks.session)) return 'ended'
  if (!has(marks.generation)) return 'as it says'
  if (!has(marks.kept)) return 'ended'
  return has(marks.next) ? 'further' : 'of the next generation'
}

/** The generation that a session is of by now; undefined where it has ended. */
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

/** Asked at once; hardly anybody ends all sessions as often. */
const GENERATIONS_AT_ONCE = 8

/** The generation of whoever signs in now: the lowest that has not ended. */
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
    const there = new Set(ended.map(({ mark }) => mark))
    const lowest = marks.findIndex((mark) => !there.has(mark))
    if (lowest >= 0) return from + lowest
  }
}

const monthOf = (now: Date) => `${now.toISOString().slice(0, 7)}-01`

/** @returns false where somebody else has ended it before */
export const endSession = (ctx: Ctx, sessionId: string) =>
  transaction(ctx, async ({ db, secrets, now }) => {
    const marked = await db.query(sql`
      insert into ended_sessions (mark, month)
      values (${sessionMark(secrets, sessionId)}, ${monthOf(now())}::date)
      on conflict do nothing returning mark`)
    await publishActorChange({ db, secrets }, sessionId)
    return marked.length > 0
  })

/** Ends all sessions of an account. */
export const endAllSessions = (ctx: Pick<Ctx, 'db' | 'secrets'>, accountId: string) =>
  transaction(ctx, async ({ db, secrets }) => {
    for (;;) {
      const generation = await presentGeneration({ db, secrets }, accountId)
      const marked = await db.query(sql`
        insert into ended_sessions (mark) values (${generationMark(secrets, accountId, generation)})
        on conflict do nothing returning mark`)
      // Else somebody has ended this one just now, and may have kept a session.
      if (marked.length > 0) return publishActorChange({ db, secrets }, accountId)
    }
  })

/**
 * Ends all sessions of an account but this one, which is of the next generation then.
 * @returns false where this one has been ended meanwhile, and nothing is done
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
    await publishActorChange({ db, secrets }, claim.accountId)
    return lifted.length > 0
  })

/**
 * Forgets sessions of which no token can be good any more. What ended a generation stays. A clock of this
 * process that is ahead takes nothing away too early: the database's has to agree.
 */
export const sweepMarks = ({ db }: Pick<Ctx, 'db'>, today: string) =>
  db.query(sql`
    delete from ended_sessions
     where month < date_trunc('month', least(${today}::date, current_date)) - interval '4 months'`)
