/** Under whose name or key something is kept: what a command needs to know of who asks. */
import { Refusal } from '../server/refusal.ts'
import type { Secrets } from '../server/secrets.server.ts'
import type { Actor, SignedIn } from './actor.ts'
import { may } from './permissions.ts'
import { type Owner, ownerOf } from './roots.server.ts'

/** The account of who is signed in. @throws Refusal sign-in-required */
export function requireAccount({ actor }: { actor: Actor }): SignedIn {
  if (!actor.account) throw new Refusal('sign-in-required', 'Please sign in first')
  return actor.account
}

/** Members, employers and visitors have one each. @throws Refusal sign-in-required */
export function requireAuthorKey({ actor }: { actor: Actor }): string {
  if (actor.authorKey === null)
    throw new Refusal(
      'sign-in-required',
      'Your browser sent no anonymous id. Reload the page, or sign in.',
    )
  return actor.authorKey
}

/** From whom all keys of one's own rows are made. @throws Refusal sign-in-required */
export function requireOwner(ctx: { actor: Actor; secrets: Secrets }): Owner {
  requireAuthorKey(ctx)
  return ownerOf(ctx) as Owner
}

/** The author key of whoever may take part. @throws Refusal sign-in-required, forbidden */
export function requireAuthor(ctx: { actor: Actor }): string {
  const authorKey = requireAuthorKey(ctx)
  if (!may.write(ctx.actor))
    throw new Refusal('forbidden', 'Employers read here; the company answers by its own reply')
  return authorKey
}
