/** Authors that a test makes up by name, for rows it inserts without a command. */
import { randomBytes } from 'node:crypto'
import type { Actor, SignedIn } from '#app/api/auth/actor.ts'
import { authorKeyOfVisitor } from '#app/api/auth/author-keys.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { numberKeys } from '#app/api/auth/context-keys.server.ts'
import { SUSPENSIONS } from '#app/api/auth/own-rows.server.ts'
import {
  ACCOUNT_ROOT,
  type PersonRoot,
  rootOf,
  rootWithoutAccount,
} from '#app/api/auth/roots.server.ts'
import { sealAuthor, threadKey } from '#app/community/discussions/posts/own-posts.server.ts'
import {
  notificationKey,
  type Subject,
} from '#app/moderation/notifications/notification-keys.server.ts'
import { sealContext } from '#app/platform/database/sealed-columns.server.ts'
import { NOW, testSecrets } from './database.ts'

/** An author key like real ones. */
export const madeUpKey = (name: string) => testSecrets.hash('author', 'made up', name)

export function madeUpPerson(name: string): PersonRoot {
  return { root: rootWithoutAccount(testSecrets, madeUpKey(name)) }
}

/** The author's columns of a thread or comment. Its ID isn't one of them. */
export const authored = (name: string, threadId: string, id = threadId) => ({
  key: threadKey(madeUpPerson(name).root, threadId),
  ownRowKey: randomBytes(16),
  personSealed: sealAuthor(testSecrets, id, madeUpPerson(name)),
})

/** The same account with someone else's root, and so with their keys. */
const withRootOf = (account: SignedIn | null, name: string): SignedIn | null =>
  account && {
    ...account,
    rootSealed: testSecrets.seal(
      madeUpPerson(name).root.toString('base64url'),
      sealContext(ACCOUNT_ROOT, account.id),
    ),
  }

/** Someone else who's signed in, if it doesn't matter who. */
export const actorLike = (actor: Actor, name: string): Actor => ({
  ...actor,
  account: withRootOf(actor.account, name),
  authorKey: madeUpKey(name),
})

/** The same database, as someone else. */
export const ctxAs = (ctx: Ctx, actor: Partial<Actor>): Ctx => ({
  ...ctx,
  actor: { ...ctx.actor, ...actor },
})

/** The author key of the nth visitor who isn't in the cast. */
export const visitorKey = (n: number) =>
  authorKeyOfVisitor(testSecrets, `anon-${n.toString(16).padStart(32, '0')}`) as string

export const visitorNo = (n: number): Actor => ({
  role: 'visitor',
  userType: null,
  account: null,
  authorKey: visitorKey(n),
})

/** The nth visitor who isn't in the cast, on the transaction of `ctx`. */
export const stranger = (ctx: Ctx, n: number) => ctxAs(ctx, visitorNo(n))

/** The nth member who isn't in the cast. `ctx` is of someone who's signed in. */
export const memberNo = (ctx: Ctx, n: number) => ctxAs(ctx, actorLike(ctx.actor, `member ${n}`))

/** A visitor who isn't in the cast. */
export const madeUpVisitor = (name: string): Actor => ({
  role: 'visitor',
  userType: null,
  account: null,
  authorKey: madeUpKey(name),
})

/** The key of the row that stops this person from writing. */
export const suspended = (ctx: Ctx) =>
  numberKeys(rootOf(ctx) as Buffer, SUSPENSIONS.kind, 0, 1)[0] as Buffer

/** Keys of the nth notification about a person's subject, in the month of `NOW`. */
export const notificationRow = (root: Buffer, subject: Subject, n = 0) => ({
  key: notificationKey(root, subject),
  ownRowKey: numberKeys(root, `news ${NOW.toISOString().slice(0, 7)}`, n, 1)[0] as Buffer,
})
