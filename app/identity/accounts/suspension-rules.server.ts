import type { Sql } from 'sql-template-tag'
import sql from 'sql-template-tag'
import { isOwn, SUSPENSIONS } from '#app/api/auth/own-rows.server.ts'
import type { DataContext } from '#app/platform/database/server-context.server.ts'
import { dayOf } from '#app/platform/days.server.ts'
import { Refusal } from '#app/platform/http/refusal.ts'
import { type Reason, suspendedSentence } from './suspension.ts'

export interface Suspension {
  endsOn: string
  reason: Reason
}

/** The suspension that keeps this author from writing now. If there are several, the one that lasts longest. */
export async function suspensionOf(
  { db, now }: DataContext,
  root: Buffer,
): Promise<Suspension | undefined> {
  const [suspension] = await db.query<Suspension>(suspensionQuery({ now }, root))
  return suspension
}

/** `suspensionOf` as part of another statement. It's a query for at most one `Suspension`. */
export const suspensionQuery = ({ now }: Pick<DataContext, 'now'>, root: Buffer): Sql => sql`
  select ends_on as "endsOn", reason from suspensions
   where ${isOwn(SUSPENSIONS, root)} and ends_on >= ${dayOf(now())}::date
   order by ends_on desc limit 1`

type Act = 'write' | 'report' | 'suggest changes'

/** @throws Refusal suspended */
export function requireUnsuspended(suspension: Suspension | undefined, act: Act = 'write') {
  if (suspension) throw suspendedRefusal(suspension, act)
}

export const suspendedRefusal = (suspension: Suspension, act: Act = 'write') =>
  new Refusal('suspended', suspendedSentence(act, suspension))
