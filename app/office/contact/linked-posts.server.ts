import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { threadIdIn } from '#app/community/discussions/discussion.ts'
import type { ContactMessage } from './contact.contract.ts'

/** Per message. */
const LINKS_MAX = 5

interface Address {
  href: string
  threadId?: string
  slug?: string
}

/** Links in a text to threads and, by a single path segment, to possible companies. */
export function addressesIn(text: string, siteUrl: string): Address[] {
  const { host } = new URL(siteUrl)
  const literal = host.replace(/[.\\+*?^$()[\]{}|]/g, '\\$&')
  const found = new Map<string, Address>()
  for (const [, path = ''] of text.matchAll(
    new RegExp(`(?<![\\w.-])${literal}(/[^\\s<>"“”]+)`, 'gi'),
  )) {
    const address = addressOf(path)
    if (address && found.size < LINKS_MAX) found.set(address.href, address)
  }
  return [...found.values()]
}

function addressOf(path: string): Address | undefined {
  // Drops the punctuation of the sentence. The host is needed: alone, "//[" is no valid URL.
  const { pathname, hash } = new URL(
    `http://here${path.replace(/(?<![.,;:!?)\]])[.,;:!?)\]]+$/, '')}`,
  )
  const [first = '', second = '', ...more] = pathname.slice(1).split('/')
  const threadId = first === 'thread' && more.length === 0 ? threadIdIn(second) : undefined
  if (threadId) return { href: pathname + hash, threadId }
  return SLUG.test(first) && second === '' ? { href: `/${first}`, slug: first } : undefined
}

const SLUG = /^[a-z0-9][a-z0-9-]{0,99}$/

/**
 * The links of each text with their titles, in one query. A deleted thread has no title. A path
 * that is no company is dropped.
 */
export async function linkedPosts(
  { db }: Pick<Ctx, 'db'>,
  texts: string[],
  siteUrl: string,
): Promise<ContactMessage['links'][]> {
  const addresses = texts.map((text) => addressesIn(text, siteUrl))
  const all = addresses.flat()
  if (all.length === 0) return texts.map(() => [])
  const titles = await db.query<{ key: string; title: string }>(sql`
    select id::text as key, title from threads
     where id = any (${all.flatMap(({ threadId }) => threadId ?? [])}::uuid[])
    union all
    select slug, name from companies
     where slug = any (${all.flatMap(({ slug }) => slug ?? [])}::text[])`)
  const titleOf = new Map(titles.map(({ key, title }) => [key, title]))
  return addresses.map((those) =>
    those.flatMap(({ href, threadId, slug }) => {
      const title = titleOf.get(threadId ?? slug ?? '') ?? null
      return title === null && !threadId ? [] : [{ href, title }]
    }),
  )
}
