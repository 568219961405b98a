/** Renders pages on the server, always for an anonymous visitor: no cookie, no token. */
import type { QueryClient as LibraryClient } from '@tanstack/react-query'
import { renderToString } from 'react-dom/server'
import { withoutCommentHtml } from '#app/community/discussions/comments/embedded-comments.data.ts'
import { ISSUER_META } from '#app/identity/credentials/credential.ts'
import { isLocalPath } from '#app/kit/session/redirect.ts'
import type { SiteConfig } from '#app/kit/session/session.contract.ts'
import type { BuiltAsset, BuiltAssets } from '#app/platform/http/built-assets.server.ts'
import { UNAVAILABLE_TITLE, unavailableBody } from '#app/platform/http/html.server.ts'
import type { RenderedPage } from '#app/platform/http/page-cache.server.ts'
import { NOWHERE, routeOf } from '#app/routes.ts'
import { hasFooter, isCurrentEntry, navigationEntries } from '../layout/ui/navigation.ts'
import { accentPath } from '../site-settings/accent-css.server.ts'
import type { AppClient } from './app-client.ts'
import { machineReadableTags } from './findable.server.ts'
import { cannotExist, pageKey, withoutSlash } from './page-key.server.ts'
import { type PageState, type Prepared, prepare } from './prepare.ts'
import { type Missing, Root } from './root.tsx'
import { loadScreen, loadScreens, modulesOf, queryOf } from './route.ts'
import { QueryClient } from './server-queries.server.ts'

export { loadScreens, pageKey }

export const pathOf = (path: string, flags: SiteConfig['flags']) => routeOf(path, flags)?.route.path

export async function renderPage(
  key: string,
  site: SiteConfig,
  api: AppClient,
  assets: BuiltAssets,
  issuerDigest: string,
): Promise<RenderedPage> {
  const [path = '/', search = ''] = key.split('?')
  const trimmed = withoutSlash(path)
  if (trimmed !== path && isLocalPath(trimmed))
    return { status: 301, location: trimmed + (search && `?${search}`) }

  const serverQueries = new QueryClient()
  const queryClient = serverQueries as unknown as LibraryClient
  const prepared: Prepared = cannotExist(path, site.flags)
    ? { status: 404 }
    : await prepare({ path, search }, site.flags, queryClient, api)
  const { status, redirect, sentence } = prepared
  if (status === 503 && sentence) return { status, html: unavailablePage(sentence, assets, site) }
  if (redirect) return { status: 301, location: redirect }

  const missing = missingAt(path, prepared)
  const alike = missing && standsFor(missing, site)
  if (alike !== undefined && alike !== path)
    return renderedOnce(alike, site, api, assets, issuerDigest)
  const opened = { query: queryOf(search), flags: site.flags }
  if (missing) await loadScreen(NOWHERE, opened)
  await nextTurn()
  const markup = renderToString(
    <Root
      api={api}
      queryClient={queryClient}
      site={site}
      missing={missing}
      ssrAddress={{ path, search }}
    />,
  )
  const state: PageState = {
    site,
    missing: missing && { sentence: missing.sentence },
    answers: serverQueries.answers.map(({ queryKey, data }) => [
      queryKey,
      withoutCommentHtml(queryKey, data),
    ]),
  }
  const route = missing ? undefined : routeOf(path, site.flags)?.route
  const hoisted = HOISTED.exec(markup)?.[0] ?? ''
  const { answers } = prepared
  const found =
    route &&
    answers &&
    machineReadableTags(hoisted, { route: route.path, path, search, answers, site })
  const html = htmlPage({
    head: [hoisted, ...(found?.tags ?? []), issuerTag(issuerDigest)],
    body: `<div id="root">${markup.slice(hoisted.length)}</div>${found?.data ? dataIn('ld+json', found.data) : ''}`,
    state,
    assets,
    preloads: assets.preloads(modulesOf(route ?? NOWHERE, opened)),
    isFrame: route?.isFrame ?? false,
  })
  return { status, html }
}

let lastTurn: Promise<unknown> = Promise.resolve()

/**
 * Renders one page per turn of the event loop. Rendering blocks for milliseconds. If ten pages' data arrived together,
 * all would render in one turn, and Node accepts only one new connection per turn.
 */
function nextTurn() {
  lastTurn = lastTurn.then(() => new Promise(setImmediate))
  return lastTurn
}

/** If something was removed or is held, the page says why. Others are a plain 404. */
function missingAt(path: string, { status, sentence }: Prepared): Missing | undefined {
  return status === 410 || status === 404 ? { path, sentence } : undefined
}

/** A missing URL whose page is the same for all such URLs. Undefined if the page says why, or belongs to a list. */
function standsFor({ path, sentence }: Missing, site: SiteConfig) {
  const isMadeUp = routeOf(path, site.flags)?.route.path.includes(':') ?? true
  if (sentence || !isMadeUp) return undefined
  const entry = navigationEntries(site).find(({ href }) => isCurrentEntry(href, path))
  return `${entry?.href ?? ''}/nowhere/${hasFooter(path) ? 'edit' : 'at-all'}`
}

const missingPages = new WeakMap<SiteConfig, Map<string, RenderedPage>>()

/** Made-up URLs come by the thousands, so we render their 404 page only once. */
async function renderedOnce(
  path: string,
  site: SiteConfig,
  ...args: [api: AppClient, assets: BuiltAssets, issuerDigest: string]
): Promise<RenderedPage> {
  const pages = missingPages.get(site) ?? new Map<string, RenderedPage>()
  missingPages.set(site, pages)
  const page = pages.get(path) ?? (await renderPage(path, site, ...args))
  pages.set(path, page)
  return page
}

/** Strangers, archives and search engines see it, so no list can be made for one person unnoticed. D68. */
const issuerTag = (digest: string) => `<meta name="${ISSUER_META}" content="${digest}">`

/** React writes the head's elements at the start of its markup, in this form. */
const HOISTED = /^(?:<title>[^<]*<\/title>|<(?:meta|link)\b[^>]*\/?>)+/

function htmlPage(page: Scripts & { head: string[]; body: string; state: PageState }) {
  const { assets } = page
  const head = [
    ...page.head,
    ...looks(assets, page.state.site),
    assets.headExtra ?? '',
    scripts(page),
  ]
  return document(head, page.body + dataIn('json', page.state, 'page-state'))
}

/**
 * The page's scripts, in a template. The first script runs them on the first interaction, soon
 * after load, or at once if the server rendered only a frame.
 */
const scripts = ({ assets, preloads, isFrame }: Scripts) =>
  [
    `<template id="scripts"${isFrame ? ' data-when="at-once"' : ''} data-preloads="${preloads.map(({ path, integrity }) => `${path}|${integrity}`).join(' ')}">`,
    `<script type="module" src="${assets.entry.path}"${integrity(assets.entry)}></script></template>`,
  ].join('')

const integrity = ({ integrity }: BuiltAsset) => (integrity ? ` integrity="${integrity}"` : '')

interface Scripts {
  assets: BuiltAssets
  preloads: BuiltAsset[]
  isFrame: boolean
}

/** A page with the site's styles but without React. `title` is text, `body` is markup. */
export const plainPage = (title: string, body: string, assets: BuiltAssets, site: SiteLook) =>
  document(
    [
      `<title>${title.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</title>`,
      '<meta name="robots" content="noindex">',
      ...looks(assets, site),
    ],
    `<div class="flex min-h-dvh flex-col">${body}</div>`,
  )

/** Rendered without React, because its requests would also fail. */
export const unavailablePage = (sentence: string, assets: BuiltAssets, site: SiteLook) =>
  plainPage(UNAVAILABLE_TITLE, unavailableBody(sentence, site), assets, site)

const document = (head: string[], body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${head.join('')}</head><body>${body}</body></html>`

type SiteLook = Pick<SiteConfig, 'siteName' | 'accent' | 'logo'>

/** First script, styles and icon. Fonts load after the first paint. */
const looks = (assets: BuiltAssets, { accent, logo }: SiteLook) => [
  '<meta name="theme-color" content="#faf7f2">',
  // Before the styles, because scripts wait for those.
  `<script>${assets.firstScript}</script>`,
  ...assets.styles.map((it) => `<link rel="stylesheet" href="${it.path}"${integrity(it)}>`),
  ...(accent ? [`<link rel="stylesheet" href="${accentPath(accent)}">`] : []),
  // Too small for a name.
  logo && !logo.hasName
    ? `<link rel="icon" type="image/png" href="${logo.path}">`
    : '<link rel="icon" type="image/svg+xml" href="/favicon.svg">',
]

/** Data allowed by any CSP. `<` is escaped, so no text can end the element. */
const dataIn = (type: 'json' | 'ld+json', value: unknown, id?: string) =>
  `<script type="application/${type}"${id ? ` id="${id}"` : ''}>${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`
