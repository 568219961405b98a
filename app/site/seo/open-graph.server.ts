/**
 * How a page looks where its address is shared (Open Graph), made of the title and description that
 * its screen gave it. Only programs that fetch the page read it, so it costs the browser's code nothing.
 */

import type { SiteConfig } from '#app/kit/session/site.contract.ts'
import { escaped } from '#app/platform/http/html-text.server.ts'

/** Without the site's name, which can be another one; in the folder of public files. */
export const SHARE_PICTURE = {
  path: '/share.png',
  width: 1200,
  height: 630,
  alt: 'A kettle with a curl of steam. Spill the tea and rate your company, anonymously.',
} as const

/** What a screen said in the head, as text. */
export interface PageHead {
  title: string
  description: string
  /** The page's own address for search engines; undefined where they are asked not to list it. */
  canonical?: string
  isListed: boolean
  hasFeed: boolean
}

/** @param markup the head's part of a rendered page, as React writes it */
export function readHead(markup: string): PageHead {
  const attribute = (tag: RegExp) => {
    const value = tag.exec(markup)?.[1]
    return value === undefined ? undefined : unescaped(value)
  }
  return {
    title: attribute(/<title>([^<]*)</) ?? '',
    description: attribute(/<meta name="description" content="([^"]*)"/) ?? '',
    canonical: attribute(/<link rel="canonical" href="([^"]*)"/),
    isListed: !/<meta name="robots" content="noindex/.test(markup),
    hasFeed: markup.includes('type="application/atom+xml"'),
  }
}

/** Meta elements for a page that is there. @param path where it lives, for a page without a canonical address */
export function openGraph(
  { title, description, canonical }: PageHead,
  {
    site: { siteName, siteUrl },
    path,
    type,
  }: { site: Pick<SiteConfig, 'siteName' | 'siteUrl'>; path: string; type: 'website' | 'article' },
): string[] {
  const tail = ` – ${siteName}`
  const properties = {
    // The site is named apart.
    'og:title': title.endsWith(tail) ? title.slice(0, -tail.length) : title,
    'og:description': description,
    'og:type': type,
    'og:url': canonical ?? siteUrl + path,
    'og:site_name': siteName,
    'og:image': siteUrl + SHARE_PICTURE.path,
    'og:image:width': String(SHARE_PICTURE.width),
    'og:image:height': String(SHARE_PICTURE.height),
    'og:image:alt': SHARE_PICTURE.alt,
  }
  return [
    ...Object.entries(properties).map(
      ([name, value]) => `<meta property="${name}" content="${escaped(value)}">`,
    ),
    '<meta name="twitter:card" content="summary_large_image">',
  ]
}

/** For feed readers that are given a page's address. */
export const feedLink = (title: string, href: string) =>
  `<link rel="alternate" type="application/atom+xml" title="${escaped(title)}" href="${escaped(href)}">`

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
}

const unescaped = (text: string) =>
  text.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity] ?? entity)
