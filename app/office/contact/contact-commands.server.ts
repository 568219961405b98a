import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { plainAddress } from '#app/api/auth/addresses.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { mailboxProblem } from '#app/identity/accounts/sign-in/email-and-password.ts'
import { oneLine, tidyText } from '#app/kit/writing/text.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { requireSameText } from '#app/platform/database/idempotency.server.ts'
import { type DataContext, transaction } from '#app/platform/database/server-context.server.ts'
import { DAY_MS, dayOf, HOUR_MS } from '#app/platform/days.server.ts'
import { changedMeanwhile, conflict, notFound, requireValid } from '#app/platform/http/refusal.ts'
import {
  ALL_LABELS_MAX,
  ALLOWED_PREVIOUS_STATUSES,
  CONTACT_REFUSALS,
  type ContactStatus,
  type ContactSubject,
  DELETED_DAYS,
  LABELS_MAX,
  labelProblem,
  messageProblem,
  nameProblem,
  statusConflict,
} from './contact.ts'
import { assigneeName, contactAddressHash, contactEmailContext } from './contact-queries.server.ts'
import { searchWords } from './message-search.ts'

/** Rows per statement, so no one has to wait for a sweep. */
const SWEPT_BATCH = 1_000

interface NewMessage {
  name: string
  email: string
  message: string
  subject?: ContactSubject
  idempotencyKey: string
}

/**
 * Stores a message, dated to the hour, without its sender's account or browser. Repeating an idempotency key adds
 * nothing. A legal notice gets a due date.
 * @throws Refusal bad-request; idempotency-key-used for a different message under the same key
 */
export async function sendMessage(
  ctx: Ctx,
  input: NewMessage,
  { legalNoticeHours }: { legalNoticeHours: number },
) {
  const { db, now, secrets } = ctx
  const name = tidyText(input.name)
  const message = tidyText(input.message)
  const email = input.email.trim()
  requireValid({
    name: nameProblem(name),
    message: messageProblem(message),
    email: mailboxProblem(email),
  })
  const hour = Math.floor(now().getTime() / HOUR_MS)
  const subject = input.subject ?? 'general'
  const answerBy = subject === 'legal' ? isoOfHour(hour + legalNoticeHours) : null
  const id = randomUUID()
  const emailHash = contactAddressHash(secrets, email)
  const added = await db.query(sql`
    insert into contact_messages
      (id, idempotency_key, name, email_hash, email_sealed, message, created_at, subject, answer_by, search)
    values (${id}, ${input.idempotencyKey}, ${name}, ${emailHash},
            ${secrets.seal(plainAddress(email), contactEmailContext(id))}, ${message}, ${isoOfHour(hour)},
            ${subject}, ${answerBy}::timestamptz,
            array_to_tsvector(${searchWords(`${name} ${message}`)}::text[]))
    on conflict (idempotency_key) do nothing returning 1`)
  if (added.length === 0) {
    const [sent] = await db.query<{ isSame: boolean }>(sql`
      select (name, message, subject, email_hash)
               is not distinct from (${name}, ${message}, ${subject}, ${emailHash}) as "isSame"
        from contact_messages where idempotency_key = ${input.idempotencyKey}`)
    if (sent) requireSameText(sent)
  }
  return { isReceived: true as const }
}

const isoOfHour = (hour: number) => new Date(hour * HOUR_MS).toISOString()

/**
 * Locks the message until the transaction ends.
 * @throws Refusal not-found, conflict if it was deleted
 */
export async function lockMessage({ db }: Pick<Ctx, 'db'>, id: string) {
  const [message] = await db.query<{ status: ContactStatus; labels: string[] }>(
    sql`select status, labels from contact_messages where id = ${id} for update`,
  )
  if (!message) throw notFound(CONTACT_REFUSALS.noMessage)
  if (message.status === 'deleted') throw conflict(CONTACT_REFUSALS.deleted)
  return message
}

/**
 * One transition of Spec §4.
 * @throws Refusal not-found, changed-meanwhile
 */
export async function changeStatus(ctx: Ctx, id: string, status: ContactStatus) {
  const { db, now } = ctx
  const deletedOn = status === 'deleted' ? dayOf(now()) : null
  const changed = await db.query(sql`
    update contact_messages set status = ${status}, deleted_on = ${deletedOn}
     where id = ${id} and status = any (${[...ALLOWED_PREVIOUS_STATUSES[status]]}::text[]) returning id`)
  if (changed.length > 0) return { status }
  const [known] = await db.query<{ status: ContactStatus }>(
    sql`select status from contact_messages where id = ${id}`,
  )
  if (!known) throw notFound(CONTACT_REFUSALS.noMessage)
  throw changedMeanwhile(statusConflict(known.status, status))
}

/** Removes messages deleted long enough ago, with their answers. */
export async function sweepContactMessages({ db, now }: DataContext) {
  const day = dayOf(new Date(now().getTime() - DELETED_DAYS * DAY_MS))
  for (;;) {
    const gone = await db.query(sql`
      delete from contact_messages where id in (
        select id from contact_messages where deleted_on <= ${day} limit ${SWEPT_BATCH})
      returning id`)
    if (gone.length < SWEPT_BATCH) return
  }
}

/**
 * Assigns a message to an administrator, or to no one, if `was` is still right. If two administrators take a message
 * at once, one gets it, and the other learns who. Assigning it to its assignee again isn't an error.
 * @throws Refusal not-found, conflict
 */
export const assignMessage = (
  ctx: Ctx,
  id: string,
  { assignee, was }: { assignee: string | null; was: string | null },
) =>
  transaction(ctx, async ({ db, actor }) => {
    await lockMessage({ db }, id)
    // Read under the lock, because it may have changed while we waited.
    const [message] = await db.query<{ assignee: string | null }>(
      sql`select ${assigneeName} as assignee from contact_messages where id = ${id}`,
    )
    const current = message?.assignee ?? null
    const assignment = {
      assignee,
      isMine: assignee !== null && assignee === actor.account?.username,
    }
    if (current === assignee) return assignment
    if (current !== was)
      throw conflict(
        current === null ? CONTACT_REFUSALS.unassigned : CONTACT_REFUSALS.taken(current),
      )
    const assigneeId = assignee === null ? null : await requireAdministrator(db, assignee)
    await db.query(sql`update contact_messages set assignee_id = ${assigneeId} where id = ${id}`)
    return assignment
  })

/**
 * @returns the account's id
 * @throws Refusal conflict
 */
async function requireAdministrator(db: Ctx['db'], name: string) {
  const [found] = NAME.test(name)
    ? await db.query<{ id: string }>(sql`
        select id from admin_users join profiles on profiles.account_id = id
         where username = ${name}`)
    : []
  if (!found) throw conflict(CONTACT_REFUSALS.noAdministrator(name))
  return found.id
}

/** Other texts may contain anything, so we don't look them up. */
const NAME = /^[A-Za-z0-9_-]+$/

/** Labels that differ only in case or blanks are the same. @throws Refusal bad-request */
function checkedLabel(text: string) {
  const label = oneLine(text).toLowerCase()
  requireValid(labelProblem(label))
  return label
}

/** Serializes changes to the labels, so their total stays right. */
const lockContactLabels = (db: Database) =>
  db.query(sql`select pg_advisory_xact_lock(hashtext('contact labels'))`)

/**
 * @returns all labels of the message
 * @throws Refusal not-found, conflict, bad-request
 */
export function addLabel(ctx: Ctx, id: string, text: string) {
  const label = checkedLabel(text)
  return transaction(ctx, async ({ db }) => {
    await lockContactLabels(db)
    const { labels } = await lockMessage({ db }, id)
    if (labels.includes(label)) return { labels }
    if (labels.length >= LABELS_MAX) throw conflict(CONTACT_REFUSALS.labelsFull)
    await db.query(sql`insert into contact_labels (label) values (${label}) on conflict do nothing`)
    const [all] = await db.query<{ n: number }>(
      sql`select count(*)::integer as n from contact_labels`,
    )
    if (all && all.n > ALL_LABELS_MAX) throw conflict(CONTACT_REFUSALS.allLabelsFull)
    await db.query(sql`
      update contact_messages set labels = array_append(labels, ${label}) where id = ${id}`)
    return { labels: [...labels, label] }
  })
}

/**
 * Also deletes a label that no message has anymore.
 * @returns the remaining labels
 * @throws Refusal not-found, conflict, bad-request
 */
export function removeLabel(ctx: Ctx, id: string, text: string) {
  const label = checkedLabel(text)
  return transaction(ctx, async ({ db }) => {
    await lockContactLabels(db)
    const { labels } = await lockMessage({ db }, id)
    await db.query(sql`
      update contact_messages set labels = array_remove(labels, ${label}) where id = ${id}`)
    await forgetUnusedLabels(db)
    return { labels: labels.filter((each) => each !== label) }
  })
}

export const forgetUnusedLabels = (db: Database) =>
  db.query(sql`
    delete from contact_labels
     where not exists (select from contact_messages where labels @> array[label])`)
