/** What an earlier program kept of threads, comments and names under author keys. D41. */
import {
  asBytea,
  type Carried,
  type FormerOwner,
  type FormerRow,
  hasAuthor,
} from '#app/api/auth/carry-over.server.ts'
import { numberKeys } from '#app/api/auth/context-keys.server.ts'
import { OWN_COMMENTS, OWN_THREADS, sealAuthor, sealNamed, threadKey } from './own-posts.server.ts'

/** In the order in which they were written, as their numbers are. */
const order = { author_key: 'text', posted_minute: 'integer', id: 'uuid' } as const

const carryPost =
  ({ kind }: { kind: string }, threadOf: (row: FormerRow) => string): Carried['carry'] =>
  (row, owner, { number, secrets }) => {
    const [mine] = numberKeys(owner.root, kind, number, 1)
    return {
      id: row.id,
      key: asBytea(threadKey(owner.root, threadOf(row))),
      mine: asBytea(mine as Buffer),
      owner: ownerOf(owner, () => sealAuthor(secrets, row.id, owner)),
    }
  }

/** Of people who left before there were roots nobody knows any more. */
const ownerOf = (owner: FormerOwner, seal: () => Buffer) =>
  hasAuthor(owner) ? asBytea(seal()) : null

/** Threads first, for comments and names refer to them. */
export const carriedPosts: Carried[] = [
  {
    table: OWN_THREADS.table,
    order,
    joined: { by: 'id', order: 'posted_minute, id' },
    carry: carryPost(OWN_THREADS, ({ id }) => id),
  },
  {
    table: OWN_COMMENTS.table,
    order,
    // Where a thread's are read together.
    joined: { by: 'id', reads: ['thread_id'], order: 'thread_id, place' },
    carry: carryPost(OWN_COMMENTS, ({ thread_id }) => thread_id),
  },
  {
    table: 'thread_names',
    order: { thread_id: 'uuid', author_key: 'text' },
    carry({ thread_id, name }, owner, { secrets }) {
      const key = threadKey(owner.root, thread_id)
      const sealed = ownerOf(owner, () => sealNamed(secrets, key, owner))
      return { thread_id, key: asBytea(key), owner: sealed, name }
    },
  },
]
