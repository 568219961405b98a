/** Pages through Vite's dev server, with live updates. Development only. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createSockets, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { ViteDevServer } from 'vite'
import type { BuiltAssets } from '#app/platform/http/built-assets.server.ts'
import type { Http } from '#app/platform/http/http.server.ts'

type Rendering = typeof import('./render.server.tsx')

export async function developmentPages(projectFolder: string) {
  const { createServer } = await import('vite')
  // A port of its own, so that a second site can run beside this one.
  const sockets = createSockets().listen(0, '127.0.0.1')
  await once(sockets, 'listening')
  const vite = await createServer({
    root: projectFolder,
    appType: 'custom',
    server: {
      middlewareMode: true,
      ws: { server: sockets, clientPort: (sockets.address() as AddressInfo).port },
    },
  })
  const close = async () => {
    await vite.close()
    sockets.close()
  }
  const rendering = async () =>
    (await vite.ssrLoadModule('/app/site/pages/render.server.tsx')) as Rendering
  const { pageKey, pathOf, plainPage, unavailablePage } = await retryOnceChanged(vite, rendering)

  const assets: BuiltAssets = {
    entry: { path: '/app/main.client.tsx' },
    styles: [{ path: '/app/kit/ui/app.css' }],
    preloads: () => [],
    firstScript: readFileSync(join(projectFolder, 'app/kit/ui/first-script.js'), 'utf8'),
    // What vite.transformIndexHtml would add.
    headExtra:
      '<script type="module" src="/@vite/client"></script>' +
      '<script type="module">import { injectIntoGlobalHook } from "/@react-refresh";' +
      'injectIntoGlobalHook(window);window.$RefreshReg$ = () => {};' +
      'window.$RefreshSig$ = () => (type) => type;</script>',
  }
  return {
    pageKey,
    pathOf,
    plainPage,
    unavailablePage,
    assets,
    renderPage: (async (...args) =>
      (await rendering()).renderPage(...args)) as Rendering['renderPage'],
    /** Vite's files and the gallery come before our own routes. */
    mount(http: Http) {
      http.get('/gallery', { schema: { hide: true } }, async (_request, reply) => {
        reply.type('text/html; charset=utf-8')
        return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Gallery</title><script>${assets.firstScript}</script><link rel="icon" type="image/svg+xml" href="/favicon.svg">${assets.headExtra}<script type="module" src="/app/kit/ui/gallery-page.tsx"></script></head><body><div id="root"></div></body></html>`
      })
      http.addHook('onRequest', (request, reply, done) => {
        if (!isFileOfVite(request.url)) return done()
        reply.hijack()
        vite.middlewares(
          request.raw as IncomingMessage & { originalUrl?: string },
          reply.raw as ServerResponse,
          () => {
            reply.raw.statusCode = 404
            reply.raw.end()
          },
        )
      })
      http.addHook('onClose', close)
    },
    close,
  }
}

/** A changed screen doesn't restart the server (`scripts/dev.mjs`), so a broken one mustn't end it. */
async function retryOnceChanged<Result>(vite: ViteDevServer, load: () => Promise<Result>) {
  for (;;)
    try {
      return await load()
    } catch {
      // Vite has printed the error.
      console.log('The site starts once that’s mended.')
      await once(vite.watcher, 'change')
      vite.environments.ssr.moduleGraph.invalidateAll()
    }
}

const isFileOfVite = (url: string) =>
  /^\/(@|app\/|node_modules\/|favicon\.svg|share\.png|__)/.test(url) ||
  /[?&](import|t=|v=)/.test(url)
