/**
 * Reads a company's facts from its symbol's page: from embedded JSON, else next to the labels "Sector" and "Website", else
 * from the meta description.
 */
import type { CheerioAPI } from 'cheerio'
import { parsePage } from '#app/platform/http/public-fetch.server.ts'
import { type Element, oneLine, webAddress } from './market-movers-page.server.ts'

export interface SymbolFacts {
  name: string | null
  category: string | null
  website: string | null
  logo: string | null
  description: string | null
}

/** Limit of JSON values that are read per page. */
const VALUES_MAX = 200_000
const NOTHING = /^[\s—–-]*$|^n\/?a$/i

/** @param page its address */
export function factsIn(html: string, page: string): SymbolFacts {
  const $ = parsePage(html)
  const data = dataIn($)
  const website =
    data.website.map((text) => webAddress(text)).find(Boolean) ?? websiteBeside($, page) ?? null
  return {
    name: data.name[0] ?? said(oneLine($('h1').first().text())),
    category: data.sector[0] ?? said(oneLine($(valueBeside($, 'sector')).text())),
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
      said($('meta[property="og:description"]').attr('content') ?? '') ??
      said($('meta[name="description"]').attr('content') ?? ''),
  }
}

const said = (text: string) => (NOTHING.test(text) ? null : text)

/** Keys that sites use, by fact. */
const KEYS = {
  sector: ['sector'],
  website: ['web_site_url', 'website', 'website_url', 'company_website'],
  description: ['business_description', 'company_description', 'long_description'],
} as const
/** Valid only within an object about the company. */
const COMPANY_KEYS = { name: 'name', website: 'sameAs', logo: 'logo', description: 'description' }
const COMPANY_TYPES = /^(corporation|organization|company)$/i

/** By reliability. */
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

/** All objects in the page's JSON and JSON-LD; invalid JSON is skipped. */
function* objectsIn($: CheerioAPI): Generator<Data> {
  let left = VALUES_MAX
  for (const script of $('script[type*="json" i]').toArray()) {
    // Iterative, so that deep nesting can't overflow the stack.
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
    .filter((text) => said(text) !== null)
}

/** The element next to a label, or in its row or list. */
function valueBeside($: CheerioAPI, label: string): Element | undefined {
  const words = new Set([label, `${label}:`])
  for (const element of $('dt, th, td, div, span, p, b, strong, li').toArray()) {
    if ($(element).children().length > 0) continue
    if (!words.has(oneLine($(element).text()).toLowerCase())) continue
    // A label may be wrapped once or twice; its value is then next to the wrapper.
    for (const around of [element, ...$(element).parents().slice(0, 2).toArray()]) {
      const beside = $(around).next().get(0)
      if (beside && said(oneLine($(beside).text())) !== null) return beside
    }
  }
  return undefined
}

function websiteBeside($: CheerioAPI, page: string): string | undefined {
  const beside = valueBeside($, 'website')
  if (!beside) return undefined
  const link = $(beside).is('a') ? $(beside) : $(beside).find('a[href]').first()
  const address = webAddress(link.attr('href') ?? oneLine($(beside).text()), page)
  // A link within the same site isn't the company's.
  return address && new URL(address).host !== new URL(page).host ? address : undefined
}
