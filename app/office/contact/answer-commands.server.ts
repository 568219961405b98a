/**
 * Answers go out as emails from the site, without the administrator's name or address. Other administrators see
 * who answered, under the name at that time.
 */

import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { UNNAMED } from '#app/identity/accounts/account.ts'
import { tidyText } from '#app/kit/writing/text.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { requireSameText } from '#app/platform/database/idempotency.server.ts'
import { type ServerContext, transaction } from '#app/platform/database/server-context.server.ts'
import { dayOf } from '#app/platform/days.server.ts'
import { conflict, notFound, requireValid } from '#app/platform/http/refusal.ts'
import type { Mailer } from '#app/platform/mail/mail.server.ts'
import { type MailSite, mailOf } from '#app/platform/mail/mail-layout.server.ts'
import type { TaskKind } from '#app/platform/queue/queue.server.ts'
import type { ContactAnswer, SavedAnswer } from './contact.contract.ts'
import { CONTACT_REFUSALS, SAVED_MAX } from './contact.ts'
import { lockMessage } from './contact-commands.server.ts'
import { contactEmailContext } from './contact-queries.server.ts'
import { answerProblem, savedBodyProblem, savedTitleProblem } from './saved-answer.ts'

export const CONTACT_ANSWER_TASK: TaskKind<AnswerPayload> = 'contact-answer'
/** A queued task: no address, no text. */
export interface AnswerPayload {
  answerId: string
}

/**
 * Stores an answer and queues its email. Repeating an idempotency key adds nothing.
 * @throws Refusal bad-request, not-found, conflict; idempotency-key-used for a different answer under the same key
 */
export function answerMessage(
  ctx: Ctx,
  messageId: string,
  { text, idempotencyKey }: { text: string; idempotencyKey: string },
): Promise<ContactAnswer> {
  const body = tidyText(text)
  requireValid(answerProblem(body))
  return transaction(ctx, async ({ db, queue, now, actor }) => {
    await lockMessage({ db }, messageId)
    const added = await db.query(sql`
      insert into contact_answers (id, message_id, administrator, body, day)
      values (${idempotencyKey}, ${messageId}, ${actor.account?.username ?? UNNAMED}, ${body},
              ${dayOf(now())})
      on conflict (id) do nothing returning id`)
    const payload: AnswerPayload = { answerId: idempotencyKey }
    if (added.length > 0) {
      await queue.enqueue(db, CONTACT_ANSWER_TASK, payload)
      // A legal notice is now answered.
      await db.query(sql`
        update contact_messages set answer_by = null where id = ${messageId} and answer_by is not null`)
    }
    const [answer] = await db.query<ContactAnswer>(sql`
      select id, administrator, body, day, is_sent as "isSent"
        from contact_answers where id = ${idempotencyKey} and message_id = ${messageId}`)
    if (!answer) throw conflict(CONTACT_REFUSALS.otherMessage)
    requireSameText({ isSame: answer.body === body })
    return answer
  })
}

interface Sender extends MailSite {
  /** Where replies go. */
  contactEmail: string | null
}

/** Sends one answer, unless it was sent or its message is deleted. */
export async function sendAnswer(
  { db, secrets }: Pick<ServerContext, 'db' | 'secrets'>,
  mailer: Pick<Mailer, 'send'>,
  site: Sender,
  { answerId }: AnswerPayload,
) {
  const [answer] = await db.query<{ body: string; messageId: string; emailSealed: string }>(sql`
    select answer.body, message.id as "messageId", message.email_sealed as "emailSealed"
      from contact_answers answer join contact_messages message on message.id = answer.message_id
     where answer.id = ${answerId} and not answer.is_sent`)
  if (!answer) return
  const { siteName, contactEmail } = site
  const mail = mailOf(site, {
    subject: `Your message to ${siteName}`,
    heading: 'A reply to your message',
    paragraphs: answer.body.split(/\n{2,}/),
    note: `You wrote to us through ${siteName}’s contact form.${contactEmail ? ' To write back, reply to this email.' : ''}`,
  })
  const mailed = {
    to: secrets.open(answer.emailSealed, contactEmailContext(answer.messageId)),
    ...(contactEmail && { replyTo: contactEmail }),
    ...mail,
  }
  await mailer.send(mailed)
  await db.query(sql`update contact_answers set is_sent = true where id = ${answerId}`)
}

type SavedAnswerInput = Omit<SavedAnswer, 'id'>

/** @throws Refusal bad-request, conflict */
export function saveAnswer(ctx: Ctx, input: SavedAnswerInput): Promise<SavedAnswer> {
  const answer = { id: randomUUID(), ...checkedSaved(input) }
  return transaction(ctx, async ({ db }) => {
    await lockSavedAnswers(db)
    const [all] = await db.query<{ n: number }>(
      sql`select count(*)::integer as n from saved_answers`,
    )
    if (all && all.n >= SAVED_MAX) throw conflict(CONTACT_REFUSALS.savedFull)
    await requireFreeTitle(db, answer)
    await db.query(sql`
      insert into saved_answers (id, title, title_key, body)
      values (${answer.id}, ${answer.title}, ${keyOf(answer.title)}, ${answer.body})`)
    return answer
  })
}

/** @throws Refusal bad-request, conflict, not-found */
export function changeSavedAnswer(
  ctx: Ctx,
  id: string,
  input: SavedAnswerInput,
): Promise<SavedAnswer> {
  const answer = { id, ...checkedSaved(input) }
  return transaction(ctx, async ({ db }) => {
    await lockSavedAnswers(db)
    await requireFreeTitle(db, answer)
    const changed = await db.query(sql`
      update saved_answers
         set title = ${answer.title}, title_key = ${keyOf(answer.title)}, body = ${answer.body}
       where id = ${id} returning id`)
    if (changed.length === 0) throw notFound(CONTACT_REFUSALS.savedGone)
    return answer
  })
}

/** @throws Refusal not-found */
export async function deleteSavedAnswer({ db }: Ctx, id: string) {
  const deleted = await db.query(sql`delete from saved_answers where id = ${id} returning id`)
  if (deleted.length === 0) throw notFound(CONTACT_REFUSALS.savedGone)
  return { isDeleted: true as const }
}

const keyOf = (title: string) => title.toLowerCase()

/** @throws Refusal bad-request */
function checkedSaved({ title, body }: SavedAnswerInput): SavedAnswerInput {
  const saved = { title: tidyText(title), body: tidyText(body) }
  requireValid({ title: savedTitleProblem(saved.title), body: savedBodyProblem(saved.body) })
  return saved
}

/** Serializes changes, so two concurrent ones see each other. */
const lockSavedAnswers = (db: Database) =>
  db.query(sql`select pg_advisory_xact_lock(hashtext('saved answers'))`)

async function requireFreeTitle(db: Database, { id, title }: SavedAnswer) {
  const [other] = await db.query(
    sql`select from saved_answers where title_key = ${keyOf(title)} and id <> ${id}`,
  )
  if (other) throw conflict(CONTACT_REFUSALS.savedTitle)
}
