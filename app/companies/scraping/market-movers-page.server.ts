/** Finds companies on a page of market movers by rows with a link to /symbols/…/, independent of the rest of its markup. */
import type { CheerioAPI } from 'cheerio'
import { cutText } from '#app/kit/writing/text.ts'
import { parsePage } from '#app/platform/http/public-fetch.server.ts'

export interface ListedSymbol {
  symbol: string
  /** The symbol, if the page has no name. */
  name: string
  /** Its own page. */
  page: string
  logo: string | null
}

/** Result of `find`. */
export type Element = NonNullable<ReturnType<ReturnType<CheerioAPI['root']>['find']>[0]>

const SYMBOL_PATH = /\/symbols\/([^/]+)\/?$/
/** "NVDA − NVIDIA Corporation", with any kind of dash. */
const SEPARATED = /^\s*(\S+)\s+[−–—-]\s+(\S.*)$/s
const NAME_MAX = 120

/** In page order, without duplicates. @param base the page's address */
export function symbolsIn(html: string, base: string): ListedSymbol[] {
  const $ = parsePage(html)
  const found = new Map<string, ListedSymbol>()
  for (const row of $('tr, [role="row"]').toArray()) {
    // For nested tables, only the inner row.
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

/** From a title, another link to the same page, or a text beside the symbol. */
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
export function webAddress(address: string | undefined, base?: string): string | null {
  const text = (address ?? '').trim()
  if (text === '' || !URL.canParse(text, base)) return null
  const { protocol, href } = new URL(text, base)
  return /^https?:$/.test(protocol) && href.length <= 300 ? href : null
}

export const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
