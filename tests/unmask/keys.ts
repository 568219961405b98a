/** With the site's key nothing is guessed: roots and authors open, tags are computed. Reported, not judged. */
import { openRoot } from '../../app/auth/roots.server.ts'
import { openAuthor } from '../../app/features/discussions/posts/own-posts.server.ts'
import { ratingTag } from '../../app/features/ratings/rating-tag.server.ts'
import { createSecrets } from '../../app/server/secrets.server.ts'
import type { Loot } from './loot.ts'
import type { Truth } from './truth.ts'

export function withKeys(secretKey: string, { rows }: Loot, { accounts, ratings, posts }: Truth) {
  const secrets = createSecrets(secretKey)
  const raterOf = new Map<string, number>()
  const writerOf = new Map<string, number>()
  const rowOf = new Map(rows.map(({ values }) => [String(values.id), values]))
  for (const [id, person] of accounts) {
    const sealed = rowOf.get(id)?.root_sealed
    if (sealed) writerOf.set(openRoot(secrets, id, String(sealed)).toString('hex'), person)
    for (const company of new Set([...ratings.values()].map(({ company }) => company)))
      raterOf.set(ratingTag({ secrets }, id, company), person)
  }
  const share = (found: boolean[]) => found.filter(Boolean).length / Math.max(1, found.length)
  const here = new Set(accounts.values())
  const writer = (id: string) => {
    const owner = rowOf.get(id)?.owner
    const author = owner
      ? openAuthor(secrets, id, Buffer.from(String(owner).slice(2), 'hex'))
      : undefined
    return author ? writerOf.get(author.root.toString('hex')) : undefined
  }
  const ofMembers = <Thing extends { person: number | undefined }>(things: Map<string, Thing>) =>
    [...things].filter(([, { person }]) => person !== undefined && here.has(person))
  return [
    {
      question: 'rating → account',
      found: share(
        ofMembers(ratings).map(
          ([id, { person }]) => raterOf.get(String(rowOf.get(id)?.tag)) === person,
        ),
      ),
    },
    {
      question: 'post → account',
      found: share(ofMembers(posts).map(([id, { person }]) => writer(id) === person)),
    },
  ]
}
