/** Atom feeds of the newest threads. Public: of people, only the name that a thread shows. */
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { companyPath } from '#app/companies/company.ts'
import type { SiteConfig } from '#app/kit/session/session.contract.ts'
import type { DataContext } from '#app/platform/database/context.server.ts'
import { mapRows } from '#app/platform/database/rows.server.ts'
import type { Http } from '#app/platform/http/http.server.ts'
import { notFound } from '#app/platform/http/refusal.ts'
import { threadPath } from '../discussion.ts'
import { atomFeed, type Feed } from './atom.ts'
import { type FeedThread, feedCompany, feedTopic, newestThreads } from './feed-queries.server.ts'

const CACHE_CONTROL = 'public, max-age=300'

/** @param site read at each request: its address may be known only once the server listens */
export function registerFeeds(
  http: Http,
  {
    context,
    site,
  }: { context: DataContext; site: Pick<SiteConfig, 'siteName' | 'siteUrl' | 'flags'> },
) {
  const feed = (title: string, self: string, page: string, threads: FeedThread[]): Feed => ({
    title: `${title} – ${site.siteName}`,
    self: site.siteUrl + self,
    page: site.siteUrl + page,
    entries: mapRows('feed', threads, ({ authorName, isVisitor, ...thread }) => ({
      ...thread,
      link: site.siteUrl + threadPath(thread),
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

  if (site.flags.enableCompanies)
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
    documented('The newest threads of a topic'),
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

const documented = (summary: string) => ({ schema: { summary, tags: ['feeds'] } })

const noFeed = () => notFound('There is no such feed')

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
