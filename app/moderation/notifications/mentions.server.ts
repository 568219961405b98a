/** Who is meant by an "@" in a comment: a name of that thread, or nobody. */
import sql from 'sql-template-tag'
import type { Owner } from '#app/api/auth/roots.server.ts'
import { openAuthor, openNamed } from '#app/community/discussions/posts/own-posts.server.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'

/**
 * One word, as usernames are, or two and perhaps a number, as pseudonyms are. Not within an address
 * of a mailbox or of a page.
 */
const MENTION =
  /(?<![\p{L}\p{N}_@/.])@([a-z0-9_-]{3,24})(?![a-z0-9_-])(?:\s([a-z]+)(?:\s(\d+)\b)?)?/giu

/** What somebody else said; whom that named was told of it then. */
const QUOTED = /^ {0,3}>.*$/gm

/** The names that each "@" may mean, in lower case, the longest first. */
export function namesIn(text: string): string[][] {
  return [...text.replace(QUOTED, '').matchAll(MENTION)].map(([, word = '', noun, number]) => {
    const names = [word, word.replace(/(?<![-_])[-_]+$/, '')]
    if (noun) names.unshift(`${word} ${noun}`)
    if (noun && number) names.unshift(`${word} ${noun} ${number}`)
    return [...new Set(names.map((name) => name.toLowerCase()))]
  })
}

/** Somebody in a thread. */
export interface Person {
  /** As the thread knows them, in hex. */
  key: string
  owner: Owner
}

/**
 * Those whom `text` names, each once, in the order in which it does. A username counts where its person
 * wrote under it: naming somebody tells nothing of where else they write.
 */
export async function peopleNamed(
  { db, secrets }: Pick<ServerContext, 'db' | 'secrets'>,
  threadId: string,
  text: string,
): Promise<Person[]> {
  const mentions = namesIn(text)
  if (mentions.length === 0) return []
  const names = [...new Set(mentions.flat())]
  const rows = await db.query<{
    name: string
    key: Uint8Array
    id: string | null
    owner: Uint8Array | null
  }>(sql`
    select lower(name) as name, key, null::uuid as id, owner from thread_names
     where thread_id = ${threadId} and lower(name) = any (${names}::text[])
    union all
    (select distinct on (lower(author_name), key) lower(author_name), key, id, owner from comments
      where thread_id = ${threadId} and author_name not like '% %' and not is_deleted
        and hidden is null and lower(author_name) = any (${names}::text[])
      order by lower(author_name), key)
    union all
    select lower(author_name), key, id, owner from threads
     where id = ${threadId} and author_name not like '% %'
       and lower(author_name) = any (${names}::text[])
    order by 1, 2`)
  const named = mentions.flatMap((names) => {
    const meant = names.find((name) => rows.some((row) => row.name === name))
    return rows.filter(({ name }) => name === meant)
  })
  const people = new Map<string, Person>()
  for (const { key, id, owner } of named) {
    const hex = Buffer.from(key).toString('hex')
    const person = id === null ? openNamed(secrets, key, owner) : openAuthor(secrets, id, owner)
    if (person && !people.has(hex)) people.set(hex, { key: hex, owner: person })
  }
  return [...people.values()]
}
