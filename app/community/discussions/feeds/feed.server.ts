/** Atom feeds of the newest threads. Feeds are public, so they name people only as the thread does. */
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import sql from 'sql-template-tag'
import { companyPath } from '#app/companies/company.ts'
import { companyIdAt } from '#app/companies/company-queries.server.ts'
import { noCompany } from '#app/companies/merging/merged-companies.server.ts'
import { mapRows } from '#app/platform/database/rows.server.ts'
import type { DataContext } from '#app/platform/database/server-context.server.ts'
import type { Http } from '#app/platform/http/http.server.ts'
import { notFound } from '#app/platform/http/refusal.ts'
import type { Flags } from '#app/platform/operations/flags.ts'
import type { Topic } from '../discussion.contract.ts'
import { POST_REFUSALS, threadPath } from '../discussion.ts'
import { isoOf } from '../threads/thread-queries.server.ts'

const CACHE_CONTROL = 'public, max-age=300'

export function registerFeeds(
  http: Http,
  {
    context,
    auth,
    flags,
  }: {
    context: DataContext
    /** `siteName` changes while the site runs. */
    auth: { siteName: string; siteUrl: () => string }
    flags: Pick<Flags, 'enableCompanies'>
  },
) {
  const { siteUrl } = auth
  const feed = (title: string, self: string, page: string, threads: FeedThread[]): Feed => ({
    title: `${title} – ${auth.siteName}`,
    self: siteUrl() + self,
    page: siteUrl() + page,
    entries: mapRows('feed', threads, ({ authorName, isVisitor, ...thread }) => ({
      ...thread,
      link: siteUrl() + threadPath(thread),
      author: isVisitor ? `Anonymous · ${authorName}` : authorName,
    })),
  })

  http.get('/feeds/discussions.atom', documented('The newest threads'), async (request, reply) =>
    send(
      request,
      reply,
      feed('Discussions', '/feeds/discussions.atom', '/discussions', await newestThreads(context)),
    ),
  )

  if (flags.enableCompanies)
    http.get<{ Params: { file: string } }>(
      '/feeds/company/:file',
      documented('The newest threads about a company, by its id or slug'),
      async (request, reply) => {
        const company = await feedCompany(context, nameIn(request.params.file))
        const threads = await newestThreads(context, { company: company.id })
        const self = `/feeds/company/${encodeURIComponent(company.slug ?? company.id)}.atom`
        return send(request, reply, feed(company.name, self, companyPath(company), threads))
      },
    )

  http.get<{ Params: { file: string } }>(
    '/feeds/topic/:file',
    documented('The newest threads in a topic'),
    async (request, reply) => {
      const { slug, name } = await feedTopic(context, nameIn(request.params.file))
      const threads = await newestThreads(context, { topic: slug })
      const page = `/discussions?topic=${encodeURIComponent(slug)}`
      return send(request, reply, feed(name, `/feeds/topic/${slug}.atom`, page, threads))
    },
  )

  http.get('/feeds/*', { schema: { hide: true } }, () => {
    throw noFeed()
  })
}

const documented = (summary: string) => ({
  schema: { summary, tags: ['feeds'] },
  config: { isOpen: true },
})

const noFeed = () => notFound(POST_REFUSALS.noFeed)

/** @throws Refusal not-found for anything but a name before ".atom" */
function nameIn(file: string): string {
  const name = /^(.{1,120})\.atom$/.exec(file)?.[1]
  if (name === undefined) throw noFeed()
  return name
}

function send({ headers }: FastifyRequest, reply: FastifyReply, feed: Feed) {
  const text = atomFeed(feed)
  const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  reply.header('etag', etag).header('cache-control', CACHE_CONTROL)
  const known = headers['if-none-match']
  if (known === '*' || known?.includes(etag)) return reply.code(304).send()
  return reply.header('content-type', 'application/atom+xml; charset=utf-8').send(text)
}

const ENTRIES = 30

interface FeedThread {
  id: string
  title: string
  html: string
  postedAt: string
  authorName: string
  isVisitor: boolean
  topics: Topic[]
}

/** The newest threads, of one company or topic if given. */
function newestThreads({ db }: DataContext, of: { company?: string; topic?: string } = {}) {
  const company = of.company ? sql`and thread.company_id = ${of.company}` : sql``
  const topic = of.topic ? sql`and thread.topics @> array[${of.topic}]::text[]` : sql``
  return db.query<FeedThread>(sql`
    select thread.id, thread.title, thread.html, ${isoOf(sql`thread.posted_minute`)} as "postedAt",
           thread.author_name as "authorName", thread.is_visitor as "isVisitor",
           (select coalesce(json_agg(json_build_object('slug', topic.slug, 'name', topic.name)
                     order by topic.position), '[]')
              from topics topic where topic.slug = any (thread.topics)) as topics
      from threads thread where thread.hidden is null ${company} ${topic}
     order by thread.posted_minute desc, thread.id desc limit ${ENTRIES}`)
}

/** @param name a company's id or slug, also one from before a merge or rename @throws Refusal not-found */
async function feedCompany({ db }: DataContext, name: string) {
  const [company] = await db.query<{ id: string; name: string; slug: string | null }>(
    sql`select id, name, slug from companies where id = ${companyIdAt(name)}`,
  )
  if (!company) throw noCompany()
  return company
}

/** @throws Refusal not-found */
async function feedTopic({ db }: DataContext, slug: string) {
  const [topic] = await db.query<Topic>(sql`select slug, name from topics where slug = ${slug}`)
  if (!topic) throw notFound(POST_REFUSALS.unknownTopicOfFeed)
  return topic
}

/** Atom (RFC 4287) for feed readers. */

interface Feed {
  title: string
  self: string
  page: string
  entries: Entry[]
}

export interface Entry {
  /** A UUID, which stays the same if the site moves. */
  id: string
  title: string
  link: string
  /** ISO, to the minute: "2026-03-14T09:26Z". */
  postedAt: string
  author: string
  topics: { slug: string; name: string }[]
  html: string
}

/** Atom requires a date, even without entries. */
const NEVER = '1970-01-01T00:00Z'

export function atomFeed({ title, self, page, entries }: Feed): string {
  const updated = entries.map(({ postedAt }) => postedAt).sort()
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${escaped(self)}</id>
  <title>${escaped(title)}</title>
  <updated>${withSeconds(updated.at(-1) ?? NEVER)}</updated>
  <link rel="self" type="application/atom+xml" href="${escaped(self)}"/>
  <link rel="alternate" type="text/html" href="${escaped(page)}"/>
${entries.map(atomEntry).join('')}</feed>
`
}

const atomEntry = ({ id, title, link, postedAt, author, topics, html }: Entry) => `  <entry>
    <id>urn:uuid:${escaped(id)}</id>
    <title>${escaped(title)}</title>
    <link rel="alternate" type="text/html" href="${escaped(link)}"/>
    <published>${withSeconds(postedAt)}</published>
    <updated>${withSeconds(postedAt)}</updated>
    <author><name>${escaped(author)}</name></author>
${topics.map(({ slug, name }) => `    <category term="${escaped(slug)}" label="${escaped(name)}"/>\n`).join('')}    <content type="html">${escaped(html)}</content>
  </entry>
`

/** Atom requires seconds, and we don't store any. */
const withSeconds = (minute: string) => minute.replace(/Z$/, ':00Z')

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Characters that XML 1.0 can't hold even when escaped, such as half of a surrogate pair. */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

const escaped = (text: string) =>
  text.replace(NOT_XML, '').replace(/[&<>"']/g, (sign) => ENTITIES[sign] as string)
