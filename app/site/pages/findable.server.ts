/**
 * What only programs read that fetch pages, search engines and feed readers and whoever shows a shared
 * address: the server alone writes it, so that it costs the browser's code nothing. React has no part in
 * it and leaves it where it is.
 */
import { feedHref } from '#app/community/discussions/discussion.data.ts'
import type { SiteConfig } from '#app/kit/session/site.contract.ts'
import type { OutputsAt, RoutePath } from '#app/routes.ts'
import { feedLink, openGraph, readHead } from '../seo/open-graph.server.ts'
import {
  companyThings,
  homeThings,
  structuredData,
  type Thing,
  threadThings,
} from '../seo/structured-data.server.ts'

/** What one kind of page tells programs, besides its title, description and address. */
interface Findable<Answers = Record<string, unknown>> {
  type?: 'website' | 'article'
  things?(answers: Answers, site: SiteConfig): Thing[]
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
  '/company/:companyId': COMPANY,
  '/:companySlug': COMPANY,
  '/thread/:id': {
    type: 'article',
    things({ thread, comments }, site) {
      const shown = comments.pages.flatMap((page) => page.comments)
      return threadThings(thread, shown, site)
    },
  },
}

interface FoundPage {
  route: RoutePath
  path: string
  search: string
  /** Of the route's `data`. */
  answers: Record<string, unknown>
  site: SiteConfig
}

/** @param hoisted the head's part of the page, as React wrote it */
export function machineReadableTags(
  hoisted: string,
  { route, path, search, answers, site }: FoundPage,
) {
  const head = readHead(hoisted)
  const { type = 'website', ...findable }: Findable = FINDABLE[route] ?? {}
  const found = site.flags.enableDiscussions && !head.hasFeed && findable.feed?.(answers, site)
  // Said once: at the address itself, not at what is a part or another order of it.
  const told = head.isListed && search === '' && findable.things?.(answers, site)
  return {
    tags: [...openGraph(head, { site, path, type }), ...(found ? [feedLink(...found)] : [])],
    /** JSON-LD, to stand after what people wait for: of a long thread it is long, too. */
    data: told ? structuredData(told) : undefined,
  }
}
