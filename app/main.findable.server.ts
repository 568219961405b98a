/**
 * What only programs read that fetch pages, search engines and feed readers and whoever shows a shared
 * address: the server alone writes it, so that it costs the browser's code nothing. React has no part in
 * it and leaves it where it is.
 */
import type { InfiniteData } from '@tanstack/react-query'
import type { CompanyPageView } from './features/companies/company.contract.ts'
import type { Comment, Thread } from './features/discussions/discussion.contract.ts'
import { feedHref } from './features/discussions/discussion.data.ts'
import { feedLink, openGraph, readHead } from './features/findability/open-graph.server.ts'
import {
  companyThings,
  homeThings,
  structuredData,
  type Thing,
  threadThings,
} from './features/findability/structured-data.server.ts'
import type { SiteConfig } from './session/site.contract.ts'

/** What one kind of page tells programs, besides its title, description and address. */
interface Findable {
  type?: 'website' | 'article'
  things?: (answers: unknown[], site: SiteConfig) => Thing[]
  feed?: (answers: unknown[], site: SiteConfig) => [title: string, href: string]
}

/** By the file of the page's screen. */
const FINDABLE: Record<string, Findable> = {
  'app/features/home/home.screen.tsx': {
    things: (_answers, site) => homeThings(site),
    feed: (_answers, { siteName }) => [`Discussions on ${siteName}`, feedHref({})],
  },
  'app/features/company-page/company.screen.tsx': {
    things: ([company], site) => companyThings(company as CompanyPageView, site),
    feed: ([company], { siteName }) => {
      const { id, name } = company as CompanyPageView
      return [`Discussions about ${name} on ${siteName}`, feedHref({ company: id })]
    },
  },
  'app/features/discussions/thread.screen.tsx': {
    type: 'article',
    things: ([thread, comments], site) => {
      const { pages } = comments as InfiniteData<{ comments: Comment[] }>
      const shown = pages.flatMap((page) => page.comments)
      return threadThings(thread as Thread, shown, site)
    },
  },
}

interface FoundPage {
  /** The file of its screen. */
  modulePath?: string
  path: string
  search: string
  /** Of the place's `data`. */
  answers: unknown[]
  site: SiteConfig
}

/** @param hoisted the head's part of the page, as React wrote it */
export function toldToPrograms(hoisted: string, { modulePath = '', ...page }: FoundPage) {
  const { path, search, answers, site } = page
  const head = readHead(hoisted)
  const { type = 'website', things, feed }: Findable = FINDABLE[modulePath] ?? {}
  const found = site.flags.enableDiscussions && !head.hasFeed && feed?.(answers, site)
  // Said once: at the address itself, not at what is a part or another order of it.
  const told = head.isListed && search === '' && things?.(answers, site)
  return {
    tags: [...openGraph(head, { site, path, type }), ...(found ? [feedLink(...found)] : [])],
    /** JSON-LD, to stand after what people wait for: of a long thread it is long, too. */
    data: told ? structuredData(told) : undefined,
  }
}
