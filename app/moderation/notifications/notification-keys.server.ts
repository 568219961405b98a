/**
 * The keys of news. One comes from its person and subject, so news about the same thing counts in one row. The
 * other comes from its number in its month, and lets its reader find it. D41.
 */

import type { Sql } from 'sql-template-tag'
import sql from 'sql-template-tag'
import { contextKey, numberKeys } from '#app/api/auth/context-keys.server.ts'
import { countAll, retryTakenNumbers } from '#app/api/auth/numbered-rows.server.ts'
import type { DataContext, ServerContext } from '#app/platform/database/server-context.server.ts'
import { minuteOf } from '#app/platform/days.server.ts'
import type { AlertEvent, NotificationKind } from './notification.ts'

const TABLE = 'notifications'
/** We keep news for 90 days, which touch at most this many months. */
const MONTHS = 4
/** People per statement. */
const BATCH = 1_000
/** Most people have no more news in a month. */
const USUAL = 32

export type Subject =
  | { kind: 'alert'; companyId: string; event: AlertEvent }
  | { kind: Exclude<NotificationKind, 'alert'>; threadId: string; commentId: string | null }

export const notificationKey = (root: Buffer, subject: Subject) =>
  contextKey(
    root,
    'news',
    subject.kind === 'alert'
      ? `alert ${subject.companyId} ${subject.event}`
      : `${subject.kind} ${subject.threadId} ${subject.commentId ?? ''}`,
  )

const monthOfMinute = (minute: number) => new Date(minute * 60_000).toISOString().slice(0, 7)
const kindOf = (month: string) => `news ${month}`

function kindsAt(now: Date) {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  return Array.from({ length: MONTHS }, (_, n) =>
    kindOf(new Date(Date.UTC(year, month - n)).toISOString().slice(0, 7)),
  )
}

type Clock = Pick<DataContext, 'db' | 'now'>

/** The keys of all news of each of these people. */
export async function notificationKeysOf({ db, now }: Clock, roots: Buffer[]): Promise<Buffer[][]> {
  const kinds = kindsAt(now())
  const numberings = roots.flatMap((root) => kinds.map((kind) => ({ root, kind })))
  const counts = roots.length === 0 ? [] : await countAll(db, TABLE, numberings)
  return roots.map((root, i) =>
    kinds.flatMap((kind, n) => numberKeys(root, kind, 0, counts[i * MONTHS + n] ?? 0)),
  )
}

export const notificationKeys = async (ctx: Clock, root: Buffer) =>
  (await notificationKeysOf(ctx, [root]))[0] as Buffer[]

/** The keys of most people's news. If one of `last` is taken, there's more. */
export function usualNotificationKeys({ now }: Pick<Clock, 'now'>, root: Buffer) {
  const months = kindsAt(now()).map((kind) => numberKeys(root, kind, 0, USUAL))
  return { keys: months.flat(), last: months.map((keys) => keys.at(-1) as Buffer) }
}

export interface NotificationFor {
  root: Buffer
  subject: Subject
}

/**
 * Writes news. A statement has at most one piece per person, so leaving out a known one doesn't leave a gap in
 * their numbers. All statements lock people in the same order, so two never wait for each other. @param insert
 * with `on conflict (key) do update`, which takes over `own_row_key`
 */
export async function writeNotifications<Piece extends NotificationFor>(
  ctx: Clock,
  pieces: Piece[],
  insert: (pieces: (Piece & Slot)[]) => Sql,
) {
  const queued = pieces
    .map((piece) => ({ ...piece, key: notificationKey(piece.root, piece.subject) }))
    .sort((a, b) => Buffer.compare(a.root, b.root) || Buffer.compare(a.key, b.key))
  while (queued.length > 0) {
    const round = queued.filter(
      (piece, i) => i === 0 || !piece.root.equals(queued[i - 1]?.root as Buffer),
    )
    const batch = new Set(round.slice(0, BATCH))
    await ctx.db.query(insert(await withNumbers(ctx, [...batch])))
    queued.splice(0, queued.length, ...queued.filter((piece) => !batch.has(piece)))
  }
}

/** Starts over if another task took a number of the same person. */
export const retryNotificationNumbers = <Result>(work: () => Promise<Result>) =>
  retryTakenNumbers({ table: TABLE, kind: '' }, work)

interface Slot {
  key: Buffer
  ownRowKey: Buffer
}

/** Existing news keeps its number within its month. */
async function withNumbers<Piece extends NotificationFor & { key: Buffer }>(
  { db, now }: Clock,
  pieces: Piece[],
): Promise<(Piece & Slot)[]> {
  const known = await db.query<{ key: Uint8Array; ownRowKey: Uint8Array; minute: number }>(sql`
    select key, own_row_key as "ownRowKey", minute from notifications
     where key = any (${pieces.map(({ key }) => key)}::bytea[])`)
  const month = monthOfMinute(minuteOf(now()))
  const kept = new Map(
    known
      .filter(({ minute }) => monthOfMinute(minute) === month)
      .map(({ key, ownRowKey }): [string, Buffer] => [
        Buffer.from(key).toString('hex'),
        Buffer.from(ownRowKey),
      ]),
  )
  const fresh = pieces.filter(({ key }) => !kept.has(key.toString('hex')))
  const kind = kindOf(month)
  const counts =
    fresh.length === 0
      ? []
      : await countAll(
          db,
          TABLE,
          fresh.map(({ root }) => ({ root, kind })),
        )
  for (const [i, { root, key }] of fresh.entries())
    kept.set(key.toString('hex'), numberKeys(root, kind, counts[i] as number, 1)[0] as Buffer)
  return pieces.map((piece) => ({
    ...piece,
    ownRowKey: kept.get(piece.key.toString('hex')) as Buffer,
  }))
}

/** Pieces about companies, as a table `reader`. */
export const notificationRows = (
  pieces: (NotificationFor & Slot & { companyId: string })[],
): Sql => sql`
  unnest(${pieces.map(({ companyId }) => companyId)}::uuid[],
         ${pieces.map(({ key }) => key)}::bytea[],
         ${pieces.map(({ ownRowKey }) => ownRowKey)}::bytea[]) with ordinality
    as reader (company_id, key, own_row_key, nth)`

export interface SubjectRow {
  kind: NotificationKind
  thread_id: string | null
  comment_id: string | null
  company_id: string | null
  event: string | null
}

export const subjectOf = (row: SubjectRow): Subject =>
  row.kind === 'alert'
    ? { kind: 'alert', companyId: row.company_id as string, event: row.event as AlertEvent }
    : { kind: row.kind, threadId: row.thread_id as string, commentId: row.comment_id }

/** Includes the secrets, because readers are sealed. */
export type NotificationContext = Pick<ServerContext, 'db' | 'now' | 'secrets'>
