/** Writes interviews. What everyone reads changes with the next publication, not here. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import { interviewContextOf } from '#app/api/credential/purposes.ts'
import { isBlankHtml, markdownHtml } from '#app/kit/writing/markdown.ts'
import { tidyText } from '#app/kit/writing/text.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import { requireValid } from '#app/platform/http/refusal.ts'
import {
  type EntryKind,
  giveEntry,
  removeEntry,
  sweepRemovedEntries,
} from '../presented/given-entries.server.ts'
import type { RemovingEntry } from '../presented/presented.contract.ts'
import { forgetNotes } from '../publication.server.ts'
import { INTERVIEW_REFUSALS } from './interview.ts'
import {
  interviewMessage,
  interviewProblems,
  type PresentedInterview,
  tidySteps,
} from './interview-input.ts'

interface Presented extends PresentedInterview {
  /** base64url */
  presentation: string
}

const INTERVIEWS: EntryKind = {
  name: 'interview',
  table: sql`interviews`,
  columns: ['steps', 'weeks', 'has_offer', 'difficulty', 'feeling', 'note', 'note_html'],
  contextOf: interviewContextOf,
  refusals: INTERVIEW_REFUSALS,
}

/** @throws Refusal bad-request for impossible answers, and as `giveEntry` */
export async function giveInterview(ctx: Ctx, presented: Presented, issuer: Issuer) {
  const { interview } = presented
  requireValid(interviewProblems(interview, todayOf(ctx)))
  const text = tidyText(interview.note)
  const html = markdownHtml(text)
  const note = isBlankHtml(html) ? '' : text
  return giveEntry(ctx, issuer, INTERVIEWS, presented, {
    year: interview.year,
    message: interviewMessage(presented),
    values: [
      sql`${tidySteps(interview.steps)}::text[]`,
      sql`${interview.weeks}::smallint`,
      sql`${interview.hasOffer}::boolean`,
      sql`${interview.difficulty}::smallint`,
      sql`${interview.feeling}::smallint`,
      sql`${note}`,
      sql`${note && html}`,
    ],
  })
}

/** @throws Refusal as `removeEntry` */
export const removeInterview = (ctx: Ctx, companyId: string, removing: RemovingEntry) =>
  removeEntry(ctx, INTERVIEWS, companyId, removing)

/** Run it in a transaction that holds the company. The given ones first, because publishing locks them. */
export async function removeInterviewsOf(ctx: ServerContext, companyId: string) {
  await ctx.db.query(sql`delete from interviews where company_id = ${companyId}`)
  const gone = await ctx.db.query<{ id: string }>(
    sql`delete from public_interviews where company_id = ${companyId} returning id`,
  )
  await forgetNotes(
    ctx,
    gone.map(({ id }) => id),
  )
}

export const sweepRemovedInterviews = (db: Database, today: string) =>
  sweepRemovedEntries(db, INTERVIEWS, today)
