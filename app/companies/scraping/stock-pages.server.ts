/** Finds companies on a page of market movers by rows with a link to /symbols/…/, independent of the rest of its markup. */
import type { CheerioAPI } from 'cheerio'
import { cutText } from '#app/kit/writing/text.ts'
import { parsePage } from '#app/platform/http/public-fetch.server.ts'

export interface ListedSymbol {
  symbol: string
  /** The symbol, if the page has no name. */
  name: string
  /** The symbol's own page. */
  page: string
  logo: string | null
}

/** Result of `find`. */
type Element = NonNullable<ReturnType<ReturnType<CheerioAPI['root']>['find']>[0]>

const SYMBOL_PATH = /\/symbols\/([^/]+)\/?$/
/** "NVDA − NVIDIA Corporation", with any kind of dash. */
const SEPARATED = /^\s*(\S+)\s+[−–—-]\s+(\S.*)$/s
const NAME_MAX = 120

/** A page's symbols in order, without duplicates. @param base the page's address */
export function symbolsIn(html: string, base: string): ListedSymbol[] {
  const $ = parsePage(html)
  const found = new Map<string, ListedSymbol>()
  for (const row of $('tr, [role="row"]').toArray()) {
    // In nested tables, only the inner row counts.
    if ($(row).find('tr, [role="row"]').length > 0) continue
    const link = $(row)
      .find('a[href]')
      .toArray()
      .find((link) => symbolPage(link, base) !== undefined)
    const page = link && symbolPage(link, base)
    if (!page || found.has(page)) continue
    const symbol = oneLine($(link).text()) || symbolOf(page)
    found.set(page, {
      symbol,
      name: cutText(nameIn($, row, link, symbol), NAME_MAX),
      page,
      logo: logoIn($, row, base),
    })
  }
  return [...found.values()]
}

function symbolPage(link: Element, base: string): string | undefined {
  const { href = '' } = link.attribs
  if (!URL.canParse(href, base)) return undefined
  const url = new URL(href, base)
  if (!/^https?:$/.test(url.protocol) || !SYMBOL_PATH.test(url.pathname)) return undefined
  url.hash = ''
  url.search = ''
  return url.href
}

/** "/symbols/NASDAQ-NVDA/" is NVDA. */
const symbolOf = (page: string) =>
  (SYMBOL_PATH.exec(new URL(page).pathname)?.[1] ?? '').replace(/^[A-Z]+-/, '')

/** Finds a company's name in a title, in another link to the same page, or in a text beside the symbol. */
function nameIn($: CheerioAPI, row: Element, link: Element, symbol: string): string {
  const cell = $(link).closest('td, th, [role="cell"], [role="gridcell"]').get(0) ?? row
  const titles = [link, ...$(cell).find('[title]').toArray()]
    .map((element) => oneLine(element.attribs.title ?? ''))
    .filter(Boolean)
  for (const title of titles) {
    const [, before, after] = SEPARATED.exec(title) ?? []
    if (before === symbol && after) return after
  }
  const texts = $(cell)
    .find('*')
    .toArray()
    .filter((element) => $(element).children().length === 0)
    .map((element) => oneLine($(element).text()))
  const isName = (text: string) => text !== symbol && /\p{L}.*[\p{L}\p{N}]/u.test(text)
  const sameText = new Set(texts)
  return (
    titles.find((title) => isName(title) && sameText.has(title)) ??
    texts.filter(isName).sort((a, b) => b.length - a.length)[0] ??
    titles.find(isName) ??
    symbol
  )
}

function logoIn($: CheerioAPI, row: Element, base: string): string | null {
  for (const { attribs } of $(row).find('img').toArray()) {
    const logo = webAddress(attribs.src || attribs['data-src'], base)
    if (logo) return logo
  }
  return null
}

/** Absolute, http or https only; else null. */
function webAddress(address: string | undefined, base?: string): string | null {
  const text = (address ?? '').trim()
  if (text === '' || !URL.canParse(text, base)) return null
  const { protocol, href } = new URL(text, base)
  return /^https?:$/.test(protocol) && href.length <= 300 ? href : null
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

/**
 * Reads a company's facts from its symbol's page: from embedded JSON, or else next to the labels "Sector" and "Website", or
 * else from the meta description.
 */
interface SymbolFacts {
  name: string | null
  category: string | null
  website: string | null
  logo: string | null
  description: string | null
}

/** How many JSON values we read per page. */
const VALUES_MAX = 200_000
const NOTHING = /^[\s—–-]*$|^n\/?a$/i

/** @param page its address */
export function factsIn(html: string, page: string): SymbolFacts {
  const $ = parsePage(html)
  const data = dataIn($)
  const website =
    data.website.map((text) => webAddress(text)).find(Boolean) ?? websiteBeside($, page) ?? null
  return {
    name: data.name[0] ?? textOrNull(oneLine($('h1').first().text())),
    category: data.sector[0] ?? textOrNull(oneLine($(valueBeside($, 'sector')).text())),
    website,
    logo:
      data.logo.map((text) => webAddress(text, page)).find(Boolean) ??
      $('img[class*="logo" i]')
        .toArray()
        .map(({ attribs }) => webAddress(attribs.src, page))
        .find(Boolean) ??
      null,
    description:
      data.description[0] ??
      textOrNull($('meta[property="og:description"]').attr('content') ?? '') ??
      textOrNull($('meta[name="description"]').attr('content') ?? ''),
  }
}

const textOrNull = (text: string) => (NOTHING.test(text) ? null : text)

/** Keys that sites use, by fact. */
const KEYS = {
  sector: ['sector'],
  website: ['web_site_url', 'website', 'website_url', 'company_website'],
  description: ['business_description', 'company_description', 'long_description'],
} as const
/** Valid only within an object about the company. */
const COMPANY_KEYS = { name: 'name', website: 'sameAs', logo: 'logo', description: 'description' }
const COMPANY_TYPES = /^(corporation|organization|company)$/i

/** A page's data, most reliable first. */
function dataIn($: CheerioAPI) {
  const sure: Record<'sector' | 'website' | 'description', string[]> = {
    sector: [],
    website: [],
    description: [],
  }
  const company: Record<'name' | 'website' | 'logo' | 'description', string[]> = {
    name: [],
    website: [],
    logo: [],
    description: [],
  }
  for (const object of objectsIn($)) {
    for (const [what, keys] of Object.entries(KEYS) as [keyof typeof KEYS, readonly string[]][])
      for (const key of keys) sure[what].push(...textsAt(object, key))
    if (!textsAt(object, '@type').some((type) => COMPANY_TYPES.test(type))) continue
    for (const [what, key] of Object.entries(COMPANY_KEYS) as [keyof typeof company, string][])
      company[what].push(...textsAt(object, key))
    company.website.push(...textsAt(object, 'url'))
  }
  return {
    ...company,
    sector: sure.sector,
    website: [...sure.website, ...company.website],
    description: [...sure.description, ...company.description],
  }
}

type Data = Record<string, unknown>

/** All objects in the page's JSON and JSON-LD. Skips invalid JSON. */
function* objectsIn($: CheerioAPI): Generator<Data> {
  let left = VALUES_MAX
  for (const script of $('script[type*="json" i]').toArray()) {
    // Iterative, so deep nesting can't overflow the stack.
    const waiting = [parsed($(script).text())]
    while (waiting.length > 0 && left-- > 0) {
      const value = waiting.pop()
      if (typeof value !== 'object' || value === null) continue
      if (!Array.isArray(value)) yield value as Data
      for (const inner of Object.values(value).reverse()) waiting.push(inner)
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A text, the texts of a list, or the address of an image object. */
function textsAt(object: Data, key: string): string[] {
  const value = Object.hasOwn(object, key) ? object[key] : undefined
  const texts = (Array.isArray(value) ? value : [value]).map((each) =>
    typeof each === 'object' && each !== null ? (each as Data).url : each,
  )
  return texts
    .filter((text) => typeof text === 'string')
    .map((text) => text.trim())
    .filter((text) => textOrNull(text) !== null)
}

/** The element next to a label, or in its row or list. */
function valueBeside($: CheerioAPI, label: string): Element | undefined {
  const words = new Set([label, `${label}:`])
  for (const element of $('dt, th, td, div, span, p, b, strong, li').toArray()) {
    if ($(element).children().length > 0) continue
    if (!words.has(oneLine($(element).text()).toLowerCase())) continue
    // A label may be wrapped once or twice. Then its value is next to the wrapper.
    for (const around of [element, ...$(element).parents().slice(0, 2).toArray()]) {
      const beside = $(around).next().get(0)
      if (beside && textOrNull(oneLine($(beside).text())) !== null) return beside
    }
  }
  return undefined
}

function websiteBeside($: CheerioAPI, page: string): string | undefined {
  const beside = valueBeside($, 'website')
  if (!beside) return undefined
  const link = $(beside).is('a') ? $(beside) : $(beside).find('a[href]').first()
  const address = webAddress(link.attr('href') ?? oneLine($(beside).text()), page)
  // A link within the same site doesn't lead to the company's website.
  return address && new URL(address).host !== new URL(page).host ? address : undefined
}
