/**
 * The parts of a page that only programs read, so browsers don't load code for them. Structured data for search engines
 * (schema.org, following Google's documentation) comes from the data that the page shows visitors. Link previews (Open
 * Graph) come from the title and description in its head.
 */
import type { Comment, Thread } from '#app/community/discussions/discussion.contract.ts'
import type { CompanyPageView } from '#app/companies/company.contract.ts'
import { companyPath } from '#app/companies/company.ts'
import type { SiteConfig } from '#app/kit/session/session.contract.ts'
import { scoreText, TOP_SCORE } from '#app/kit/ui/score.tsx'
import { escaped } from '#app/platform/http/html.server.ts'
import { areaName, isCity } from '#app/ratings/pay/areas.ts'
import type { TitlePay } from '#app/ratings/pay/pay.contract.ts'
import { titleName } from '#app/ratings/pay/titles.ts'

type Site = Pick<SiteConfig, 'siteName' | 'siteUrl' | 'flags'>

export interface Thing {
  '@type': string
  [property: string]: unknown
}

export const structuredData = (things: Thing[]) => ({
  '@context': 'https://schema.org',
  '@graph': things,
})

/** The site and its search, unless companies are switched off. */
export const homeThings = ({ siteName, siteUrl, flags }: Site): Thing[] => [
  {
    '@type': 'WebSite',
    name: siteName,
    url: `${siteUrl}/`,
    ...(flags.enableCompanies && {
      potentialAction: {
        '@type': 'SearchAction',
        target: {
          '@type': 'EntryPoint',
          urlTemplate: `${siteUrl}/companies?search={search_term_string}`,
        },
        'query-input': 'required name=search_term_string',
      },
    }),
  },
]

/** The company, with the rating the page shows, if it shows one. Demo companies have no real ratings. */
export function companyThings(company: CompanyPageView, site: Site): Thing[] {
  const { name, category, rating, ratings, demo } = company
  const organization = organizationOf(company, site)
  const isRated = !demo && rating !== null && rating > 0 && ratings > 0
  return [
    isRated
      ? {
          '@type': 'EmployerAggregateRating',
          itemReviewed: organization,
          ratingValue: scoreText(rating),
          bestRating: TOP_SCORE,
          worstRating: 1,
          ratingCount: ratings,
        }
      : organization,
    breadcrumbs(site, [
      ['Companies', '/companies'],
      [category, `/companies?${new URLSearchParams({ category })}`],
      [name, companyPath(company)],
    ]),
  ]
}

/** What a title earns in each city that has numbers. */
export const payThings = (title: string, { areas }: TitlePay): Thing[] =>
  areas
    .filter(({ area }) => isCity(area))
    .map(({ area, currency, quartiles }) => ({
      '@type': 'Occupation',
      name: titleName(title),
      occupationLocation: { '@type': 'City', name: areaName(area) },
      estimatedSalary: (['base', 'total'] as const).map((name) => ({
        '@type': 'MonetaryAmountDistribution',
        ...{ name, currency, duration: 'P1Y' },
        percentile25: quartiles[name][0],
        median: quartiles[name][1],
        percentile75: quartiles[name][2],
      })),
    }))

/** "Acme GmbH", unless the name already says that. */
const legalName = (name: string, form: string) =>
  name.toLowerCase().endsWith(` ${form.toLowerCase()}`) ? name : `${name} ${form}`

function organizationOf(company: CompanyPageView, { siteUrl }: Site): Thing {
  const { name, description, website, logoUrl, headquarters, country } = company
  return {
    '@type': 'Organization',
    name,
    url: siteUrl + companyPath(company),
    ...(website && { sameAs: website }),
    ...(description && { description }),
    ...(company.aliases.length > 0 && { alternateName: company.aliases }),
    ...(company.legalForm && { legalName: legalName(name, company.legalForm) }),
    ...(company.founded && { foundingDate: String(company.founded) }),
    ...((headquarters || country) && {
      address: {
        '@type': 'PostalAddress',
        ...(headquarters && { addressLocality: headquarters }),
        ...(country && { addressCountry: country }),
      },
    }),
    ...(logoUrl && URL.canParse(logoUrl, siteUrl) && { logo: new URL(logoUrl, siteUrl).href }),
  }
}

/** @param comments of the page, in reading order */
export function threadThings(thread: Thread, comments: Comment[], site: Site): Thing[] {
  const { title, company, author, postedAt, topics } = thread
  const url = site.siteUrl + encodeURI(thread.path)
  return [
    {
      '@type': 'DiscussionForumPosting',
      headline: title,
      // Google requires a text, but a post can be just a title.
      text: textOfHtml(thread.html) || title,
      url,
      author: personOf(author),
      datePublished: postedAt,
      ...(company && {
        about: {
          '@type': 'Organization',
          name: company.name,
          ...(site.flags.enableCompanies && { url: site.siteUrl + company.path }),
        },
      }),
      ...(topics.length > 0 && { keywords: topics.map((topic) => topic.name) }),
      // We only show the sum of votes, so likes and dislikes are unknown.
      interactionStatistic: {
        '@type': 'InteractionCounter',
        interactionType: 'https://schema.org/CommentAction',
        userInteractionCount: thread.comments,
      },
      ...nested(comments),
    },
    breadcrumbs(site, [
      ['Discussions', '/discussions'],
      ...(company && site.flags.enableCompanies ? [[company.name, company.path] as const] : []),
      [title, encodeURI(thread.path)],
    ]),
  ]
}

/** The name on the page. Authors have no URL. */
const personOf = ({ name, isVisitor }: NonNullable<Comment['author']>): Thing => ({
  '@type': 'Person',
  name: isVisitor ? `Anonymous · ${name}` : name,
})

/** Comments below their parents. Deleted or hidden ones have no author or text, so their replies move to the parent. */
function nested(comments: Comment[]): { comment?: Thing[] } {
  const top: Thing[] = []
  const answersTo = new Map<string, Thing[]>()
  for (const { id, parentId, author, html, postedAt } of comments) {
    // Parents may be on another page.
    const siblings = (parentId !== null && answersTo.get(parentId)) || top
    const text = textOfHtml(html)
    if (!author || !text) {
      answersTo.set(id, siblings)
      continue
    }
    const answers: Thing[] = []
    answersTo.set(id, answers)
    siblings.push({
      '@type': 'Comment',
      text,
      author: personOf(author),
      datePublished: postedAt,
      comment: answers,
    })
  }
  return withoutEmpty(top)
}

const withoutEmpty = (comments: Thing[]): { comment?: Thing[] } =>
  comments.length === 0
    ? {}
    : {
        comment: comments.map(({ comment, ...it }) => ({
          ...it,
          ...withoutEmpty(comment as Thing[]),
        })),
      }

/** @param places breadcrumbs, outermost first. The last is the page itself */
const breadcrumbs = ({ siteUrl }: Site, places: (readonly [name: string, path: string])[]) => ({
  '@type': 'BreadcrumbList',
  itemListElement: places.map(([name, path], n) => ({
    '@type': 'ListItem',
    position: n + 1,
    name,
    item: siteUrl + path,
  })),
})

const LINES = /<(?:br|hr|\/p|\/h[1-6]|\/li|\/pre|\/blockquote|\/tr)\b[^<>]*>/g
const TAGS = /<[^<>]*>/g
const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#x27': "'",
}

const unescaped = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#39|#x27);/g, (whole, name) => ENTITIES[name] ?? whole)

/** @param html from our own Markdown renderer, where every "<" in text and attributes is escaped */
const textOfHtml = (html: string): string =>
  unescaped(html.replace(LINES, '\n').replace(TAGS, ''))
    .replace(/(?<![ \t])[ \t]*\n\s*/g, '\n')
    .trim()

/**
 * A picture in the folder of public files, unless administrators chose one of the same size. It doesn't have the site's
 * name, because operators can change that.
 */
export const SHARE_PICTURE = {
  path: '/share.png',
  width: 1200,
  height: 630,
  alt: 'A kettle with a curl of steam. Spill the tea and rate your company, anonymously.',
} as const

interface PageHead {
  title: string
  description: string
  /** The canonical URL. Undefined if search engines shouldn't list the page. */
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

/** Meta elements. @param path used if the page has no canonical URL */
export function openGraph(
  { title, description, canonical }: PageHead,
  {
    site: { siteName, siteUrl, sharePicture },
    path,
    type,
  }: {
    site: Pick<SiteConfig, 'siteName' | 'siteUrl' | 'sharePicture'>
    path: string
    type: 'website' | 'article'
  },
): string[] {
  const tail = ` – ${siteName}`
  const properties = {
    // The site's name has its own property.
    'og:title': title.endsWith(tail) ? title.slice(0, -tail.length) : title,
    'og:description': description,
    'og:type': type,
    'og:url': canonical ?? siteUrl + path,
    'og:site_name': siteName,
    'og:image': siteUrl + (sharePicture ?? SHARE_PICTURE.path),
    'og:image:width': String(SHARE_PICTURE.width),
    'og:image:height': String(SHARE_PICTURE.height),
    'og:image:alt': sharePicture ? siteName : SHARE_PICTURE.alt,
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
