/** HTML that's written without React: escaped text, and small pages within the site's layout. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { LiveSettings } from '../operations/live-settings.ts'

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Safe in text and in quoted attributes. */
export const escaped = (text: string) =>
  text.replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter)

const BODY_LIMIT_BYTES = 4_096

export type MarkedSite = Pick<LiveSettings, 'siteName' | 'logo'>

export interface LinkPages {
  site: MarkedSite
  /** Puts a page into the site's layout. */
  htmlPage: (title: string, body: string) => string
}

interface LinkPage {
  title: string
  text: string
  form?: string
  note?: string
}

export const sendLinkPage = (
  { site, htmlPage }: LinkPages,
  reply: FastifyReply,
  { status = 200, ...page }: LinkPage & { status?: number },
) =>
  reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(htmlPage(`${page.title} – ${site.siteName}`, linkPageBody(page, site)))

export const linkPageBody = ({ title, text, form = '', note = '' }: LinkPage, site: MarkedSite) => `
<main class="m-auto w-full max-w-md px-6 py-16 text-center">
  ${markOf(site)}
  <h1 class="mt-6 font-serif text-4xl font-medium tracking-tight text-balance text-ink">${escaped(title)}</h1>
  <p class="mt-5 leading-relaxed text-pretty text-ink-soft">${escaped(text)}</p>${form}
  <p class="mt-9 text-sm text-ink-faint">${escaped(note)}<a class="text-tea underline underline-offset-4" href="/">Go to ${escaped(site.siteName)}</a></p>
</main>`

/** The site's logo, or ours. */
const markOf = ({ siteName, logo }: MarkedSite) =>
  logo
    ? `<img src="${logo.path}" alt="${escaped(siteName)}" width="${logo.width}" height="${logo.height}" class="mx-auto h-12 w-auto max-w-60 object-contain${logo.tone ? ` logo-${logo.tone}` : ''}">`
    : '<img src="/favicon.svg" alt="" class="mx-auto size-12">'

/** @param inputs markup of the form's fields */
export const linkForm = (action: string, button: string, inputs = '') => `
  <form method="post" action="${action}" class="mt-9">
    ${inputs}
    <button class="inline-flex h-12 items-center justify-center rounded-md bg-tea px-6 text-base font-medium text-on-tea transition-colors hover:bg-tea-strong">${button}</button>
  </form>`

export const LINK_PAGE_NOTE = 'Didn’t ask for this? Close this page and nothing happens. '

/** The URL has all we need. Forms are empty, and mail programs send one of two content types. */
export function ignoreBodies(page: FastifyInstance) {
  page.removeAllContentTypeParsers()
  page.addContentTypeParser(
    '*',
    { parseAs: 'string', bodyLimit: BODY_LIMIT_BYTES },
    (_request, _body, done) => done(null),
  )
}

export function tokenIn({ query }: FastifyRequest): string {
  const { token } = query as { token?: unknown }
  return typeof token === 'string' ? token : ''
}

export const UNAVAILABLE_TITLE = 'Back in a moment'

/**
 * Markup for the site's layout, in place of a page that needs the database.
 * @param sentence plain text
 */
export const unavailableBody = (sentence: string, site: MarkedSite) => `
<main class="m-auto w-full max-w-md px-6 py-16 text-center">
  ${markOf(site)}
  <h1 class="mt-6 font-serif text-4xl font-medium tracking-tight text-balance text-ink">${UNAVAILABLE_TITLE}</h1>
  <p class="mt-5 leading-relaxed text-pretty text-ink-soft">${escaped(sentence)}</p>
  <p class="mt-9 text-sm"><a class="text-tea underline underline-offset-4" href="">Try again</a></p>
</main>`
