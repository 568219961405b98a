/**
 * Link previews (Open Graph), from the title and description of the page's head. Only programs read
 * them, so they add no code to the browser.
 */

import type { SiteConfig } from '#app/kit/session/session.contract.ts'
import { escaped } from '#app/platform/http/html.server.ts'

/** In the folder of public files; without the site's name, which is configurable. */
export const SHARE_PICTURE = {
  path: '/share.png',
  width: 1200,
  height: 630,
  alt: 'A kettle with a curl of steam. Spill the tea and rate your company, anonymously.',
} as const

export interface PageHead {
  title: string
  description: string
  /** The canonical URL; undefined if search engines shall not list the page. */
  canonical?: string
  isListed: boolean
  hasFeed: boolean
}

/** @param markup the head's elements, as React wrote them */
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

/**
 * Meta elements.
 * @param path used where the page has no canonical URL
 */
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
    // The site's name has its own property.
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
