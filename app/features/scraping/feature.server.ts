import type { Feature } from '../../api/feature.server.ts'
import { scrapingContract } from './scraping.contract.ts'
import { answerScraper, scrapingHandlers } from './scraping-api.server.ts'

export const scraping: Feature = {
  routes({ http, bind, contextOf, marketMovers }) {
    bind(scrapingContract, scrapingHandlers(marketMovers))
    answerScraper(http, { source: marketMovers, contextOf })
  },
}
