/** What all writing has in common: who may, as whom, and how often. */
import sql from 'sql-template-tag'
import type { Ctx } from '../../auth/context.server.ts'
import { may } from '../../auth/permissions.ts'
import { Refusal } from '../../server/refusal.ts'
import type { NameChoice } from './discussion.ts'
import { pseudonymOf } from './pseudonym.ts'

const TRIES = 1_000

/** The author key of whoever may write. @throws Refusal sign-in-required, forbidden */
export function demandAuthor({ actor }: Ctx): string {
  if (actor.authorKey === null)
    throw new Refusal(
      'sign-in-required',
      'Your browser sent no anonymous id. Reload the page, or sign in.',
    )
  if (!may.write(actor))
    throw new Refusal('forbidden', 'Employers read here; the company answers by its own reply')
  return actor.authorKey
}

/** The same person the same name within a thread, nobody else that name. Decision 5. */
export async function nameInThread(ctx: Ctx, threadId: string, choice: NameChoice) {
  const authorKey = demandAuthor(ctx)
  const username = ctx.actor.account?.username
  if (choice === 'username' && username) return username
  const seed = Buffer.from(ctx.secrets.hash('pseudonym', authorKey, threadId), 'base64url')
  for (let attempt = 0; attempt < TRIES; attempt++) {
    await ctx.db.query(sql`
      insert into thread_names (thread_id, author_key, name)
      values (${threadId}, ${authorKey}, ${pseudonymOf(seed, attempt)}) on conflict do nothing`)
    const [known] = await ctx.db.query<{ name: string }>(sql`
      select name from thread_names where thread_id = ${threadId} and author_key = ${authorKey}`)
    if (known) return known.name
  }
  throw new Error('No free pseudonym was found')
}

/** The mark of one sending of one author: a second one of the same form is the same post. */
export const sendingMark = ({ secrets }: Ctx, authorKey: string, sending: string) =>
  secrets.hash('sending', authorKey, sending)
