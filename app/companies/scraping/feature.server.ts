import type { Feature } from '#app/api/feature.server.ts'
import { scrapingContract } from './scraping.contract.ts'
import { registerScraper, scrapingHandlers } from './scraping-api.server.ts'

export const scraping: Feature = {
  routes({ http, bind, contextOf, marketMovers }) {
    bind(scrapingContract, scrapingHandlers(marketMovers))
    registerScraper(http, { source: marketMovers, contextOf })
  },
}
