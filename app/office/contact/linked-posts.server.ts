/** What a message is about: threads and companies of this site whose addresses stand in it. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { threadIdIn } from '#app/community/discussions/discussion.ts'
import type { ContactMessage } from './contact.contract.ts'

/** Of one message. */
const LINKS_MAX = 5

interface Address {
  href: string
  threadId?: string
  slug?: string
}

/** The addresses in a text that lead to a thread or, by one word, maybe to a company. */
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
  // Where a sentence ends, the address does. Behind a host any path is a URL; alone, "//[" is none.
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
 * Of each text the addresses with their titles, in one question for a whole page. A thread that is gone
 * has none; one word that is no company is not about anything here.
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
