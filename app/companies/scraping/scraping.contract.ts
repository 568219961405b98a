/** Spec §7.3, S11. */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { SCRAPER_LIMIT } from './scraping.ts'

export const scrapingContract = {
  'GET /api/v1/admin-tools': {
    summary: 'The page the scraper reads, and whether you can run it',
    ok: z.object({ sourceName: z.string(), mayRun: z.boolean() }),
    access: 'signedIn',
  },
} satisfies Contract

export type ScrapingContract = typeof scrapingContract

/** Body of `POST /functions/v1/scrape-market-movers`, which streams and is mounted by hand. */
export const ScraperBody = z.object({
  limit: z
    .number()
    .int()
    .min(1)
    .max(SCRAPER_LIMIT, `A run can read at most ${SCRAPER_LIMIT} companies`)
    .default(SCRAPER_LIMIT),
})

export const ScraperOutcome = z.object({
  results: z.array(
    z.object({
      company: z.string(),
      category: z.string().nullable(),
      url: z.string().nullable().describe('The company’s own website'),
      logo: z.string().nullable(),
      firstSentence: z.string().nullable(),
      error: z.string().nullable().describe('Why we couldn’t read its page'),
    }),
  ),
  error: z.string().nullable().describe('Why there’s nothing to import'),
})
