/** Who is meant by an "@" in a comment: a name of that thread, or nobody. */
import sql from 'sql-template-tag'
import type { Database } from '../../server/database.server.ts'

/**
 * One word, as usernames are, or two and perhaps a number, as pseudonyms are. Not within an address
 * of a mailbox or of a page.
 */
const MENTION =
  /(?<![\p{L}\p{N}_@/.])@([a-z0-9_-]{3,24})(?![a-z0-9_-])(?:\s([a-z]+)(?:\s(\d+)\b)?)?/giu

/** The names that each "@" may mean, in lower case, the longest first. */
export function namesIn(text: string): string[][] {
  return [...text.matchAll(MENTION)].map(([, word = '', noun, number]) => {
    const names = [word, word.replace(/[-_]+$/, '')]
    if (noun) names.unshift(`${word} ${noun}`)
    if (noun && number) names.unshift(`${word} ${noun} ${number}`)
    return [...new Set(names.map((name) => name.toLowerCase()))]
  })
}

/**
 * The author keys of those whom `text` names, each once, in the order in which it does. A username
 * counts where its person wrote under it: naming somebody tells nothing of where else they write.
 */
export async function peopleNamed(db: Database, threadId: string, text: string): Promise<string[]> {
  const mentions = namesIn(text)
  if (mentions.length === 0) return []
  const names = [...new Set(mentions.flat())]
  const rows = await db.query<{ name: string; authorKey: string }>(sql`
    select lower(name) as name, author_key as "authorKey" from thread_names
     where thread_id = ${threadId} and lower(name) = any (${names}::text[])
    union
    select lower(author_name), author_key from comments
     where thread_id = ${threadId} and author_name not like '% %' and not is_deleted
       and hidden is null and lower(author_name) = any (${names}::text[])
    union
    select lower(author_name), author_key from threads
     where id = ${threadId} and author_name not like '% %'
       and lower(author_name) = any (${names}::text[])
    order by 1, 2`)
  const keysOf = new Map<string, string[]>()
  for (const { name, authorKey } of rows) keysOf.set(name, [...(keysOf.get(name) ?? []), authorKey])
  const meant = mentions.flatMap(
    (names) => keysOf.get(names.find((name) => keysOf.has(name)) ?? '') ?? [],
  )
  return [...new Set(meant)]
}
