import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { cleanText } from '#app/kit/writing/text.ts'
import { transaction } from '#app/platform/database/context.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { notFound, Refusal } from '#app/platform/http/refusal.ts'
import { ALL_LABELS_MAX, LABELS_MAX, labelProblem, MESSAGE_GONE } from './contact.ts'
import { checked } from './contact-commands.server.ts'

/** Labels that differ in case or blanks are the same. */
const labelOf = (text: string) =>
  checked(cleanText(text).replace(/\s+/g, ' ').trim().toLowerCase(), labelProblem)

/** Serialises changes to the labels, so their total stays right. */
const takeTurn = (db: Database) =>
  db.query(sql`select pg_advisory_xact_lock(hashtext('contact labels'))`)

/**
 * @returns all labels of the message
 * @throws Refusal not-found, conflict, bad-request
 */
export function addLabel(ctx: Ctx, id: string, text: string) {
  const label = labelOf(text)
  return transaction(ctx, async ({ db }) => {
    await takeTurn(db)
    const { labels } = await labelsOf(db, id)
    if (labels.includes(label)) return { labels }
    if (labels.length >= LABELS_MAX)
      throw new Refusal('conflict', `A message can have at most ${LABELS_MAX} labels`)
    await db.query(sql`insert into contact_labels (label) values (${label}) on conflict do nothing`)
    const [all] = await db.query<{ n: number }>(
      sql`select count(*)::integer as n from contact_labels`,
    )
    if (all && all.n > ALL_LABELS_MAX)
      throw new Refusal(
        'conflict',
        `There are already ${ALL_LABELS_MAX} labels. Please use one of them.`,
      )
    await db.query(sql`
      update contact_messages set labels = array_append(labels, ${label}) where id = ${id}`)
    return { labels: [...labels, label] }
  })
}

/**
 * Also deletes a label that no message has.
 * @returns the remaining labels
 * @throws Refusal not-found, bad-request
 */
export function removeLabel(ctx: Ctx, id: string, text: string) {
  const label = labelOf(text)
  return transaction(ctx, async ({ db }) => {
    await takeTurn(db)
    const { labels } = await labelsOf(db, id)
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

async function labelsOf(db: Database, id: string) {
  const [message] = await db.query<{ labels: string[] }>(
    sql`select labels from contact_messages where id = ${id} for update`,
  )
  if (!message) throw notFound(MESSAGE_GONE)
  return message
}
