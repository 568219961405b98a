/**
 * Markup that only programs read (search engines, feed readers, link previews). Only the server
 * writes it, so browsers don't load any code for it. React leaves it alone.
 */
import { feedHref } from '#app/community/discussions/discussion.data.ts'
import type { SiteConfig } from '#app/kit/session/session.contract.ts'
import type { OutputsAt, RoutePath } from '#app/routes.ts'
import {
  companyThings,
  feedLink,
  homeThings,
  openGraph,
  payThings,
  readHead,
  structuredData,
  type Thing,
  threadThings,
} from '../seo/machine-readable.server.ts'

/** What a kind of page tells programs, in addition to title, description and URL. */
interface Findable<Answers = Record<string, unknown>> {
  type?: 'website' | 'article'
  things?(answers: Answers, site: SiteConfig, query: URLSearchParams): Thing[]
  /** JSON-LD that comes with an answer. */
  data?(answers: Answers): string | null
  feed?(answers: Answers, site: SiteConfig): [title: string, href: string]
}

const COMPANY: Findable<OutputsAt<'/:companySlug'>> = {
  things: ({ company }, site) => companyThings(company, site),
  feed: ({ company: { id, name } }, { siteName }) => [
    `Discussions about ${name} on ${siteName}`,
    feedHref({ company: id }),
  ],
}

const FINDABLE: { [Path in RoutePath]?: Findable<OutputsAt<Path>> } = {
  '/': {
    things: (_answers, site) => homeThings(site),
    feed: (_answers, { siteName }) => [`Discussions on ${siteName}`, feedHref({})],
  },
  '/companies/pay': {
    things: ({ pay }, _site, query) => (pay ? payThings(query.get('title') ?? '', pay) : []),
  },
  '/company/:companyId': COMPANY,
  '/:companySlug': COMPANY,
  '/thread/:id': {
    type: 'article',
    things({ thread, comments }, site) {
      const shown = comments.pages.flatMap((page) => page.comments)
      return threadThings(thread, shown, site)
    },
  },
  '/jobs/:id': { data: ({ job }) => job.structuredData },
}

interface FoundPage {
  route: RoutePath
  path: string
  search: string
  answers: Record<string, unknown>
  site: SiteConfig
}

/** @param hoisted the head's elements, as React wrote them */
export function machineReadableTags(
  hoisted: string,
  { route, path, search, answers, site }: FoundPage,
) {
  const head = readHead(hoisted)
  const { type = 'website', ...findable }: Findable = FINDABLE[route] ?? {}
  const found = site.flags.enableDiscussions && !head.hasFeed && findable.feed?.(answers, site)
  // Describe things only at the canonical URL, not on further pages or in other orders.
  const isCanonical = search === '' || head.canonical === `${site.siteUrl}${path}?${search}`
  const described =
    head.isListed && isCanonical && findable.things?.(answers, site, new URLSearchParams(search))
  const things = described && described.length > 0 && described
  const brought = findable.data?.(answers)
  return {
    tags: [...openGraph(head, { site, path, type }), ...(found ? [feedLink(...found)] : [])],
    /** JSON-LD, placed after the content, as it can be long. */
    data: things ? structuredData(things) : brought ? JSON.parse(brought) : undefined,
  }
}
