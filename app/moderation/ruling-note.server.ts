/** The words that go to an author: the placeholders in them are filled for each post, or nothing is done. */

import { type PostRef, RULING_NOTE_MAX, reasonName } from '#app/community/reports/report.ts'
import { filledText } from '#app/community/reports/ruling-text.ts'
import { cleanText } from '#app/kit/writing/text.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { badRequest } from '#app/platform/http/refusal.ts'
import { viewPosts } from './posts.server.ts'

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
