/** What follows when moderators, or the automatic hold, do something to a post. */
import {
  isOfNobody,
  type ModerationEvent,
  type PostKind,
  type PostRef,
  RULING_NOTE_MAX,
  reasonName,
} from '#app/community/reports/report.ts'
import { filledText } from '#app/community/reports/ruling-text.ts'
import { cleanText } from '#app/kit/writing/text.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { badRequest } from '#app/platform/http/refusal.ts'
import { viewPosts } from './posts.server.ts'

/** Whoever tells the author handles this, after the commit. */
export const POST_RULED = 'post-ruled'
export interface PostRuled {
  kind: 'thread' | 'comment'
  id: string
  event: ModerationEvent
  reason: string | null
}

/**
 * Run it in the transaction of the decision. Of what leads to nobody no author can be told: whose
 * a note is finds it at their own rating, who acts for a company among their own posts.
 */
export async function enqueueRuling(
  { jobs }: Pick<ServerContext, 'jobs'>,
  db: Database,
  { kind, ...ruling }: Omit<PostRuled, 'kind'> & { kind: PostKind },
) {
  if (isOfNobody(kind)) return
  const told: PostRuled = { kind, ...ruling }
  await jobs.enqueue(db, POST_RULED, told)
}

/** @throws Refusal bad-request for a placeholder that cannot be filled */
export async function rulingNote(
  db: Database,
  post: PostRef,
  { reason, note }: { reason: string | null; note: string },
): Promise<string> {
  const clean = cleanText(note)
  if (!/[{}]/.test(clean)) return clean
  const [view] = await viewPosts(db, post.kind, [post.id])
  const filled = filledText(clean, {
    reason: reasonName(reason),
    company: view?.company?.name ?? null,
    title: view?.thread.title ?? null,
  })
  if ('problem' in filled) throw badRequest(filled.problem)
  if (filled.text.length > RULING_NOTE_MAX)
    throw badRequest(`Filled in, a note has at most ${RULING_NOTE_MAX} characters`)
  return filled.text
}
