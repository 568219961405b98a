import { join } from 'node:path'
import type { Handlers } from '#app/api/bind.server.ts'
import type { Feature } from '#app/api/feature.server.ts'
import {
  type StaticPage,
  type StaticPageContract,
  staticPageContract,
} from './static-page.contract.ts'
import { readStaticPages } from './static-page.server.ts'

export const staticPageHandlers = (
  pages: () => Map<string, StaticPage>,
): Handlers<StaticPageContract> => ({
  'GET /api/v1/static-pages/{page}': async (_ctx, { params }) =>
    pages().get(params.page) as StaticPage,
})

export const staticPages: Feature = {
  routes({ bind, config, settings, http }) {
    const onFailure = (page: string) =>
      http.log.warn({ page }, 'What administrators wrote for a page can’t be shown. Showing ours')
    const read = () =>
      readStaticPages(config, join(config.dataDir, 'pages'), {
        get: settings.get,
        onFailure,
      })
    let pages = read()
    settings.whenRead(() => {
      pages = read()
    })
    bind(
      staticPageContract,
      staticPageHandlers(() => pages),
    )
  },
}
