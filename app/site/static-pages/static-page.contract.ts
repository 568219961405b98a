/** The pages of plain text: About Us, the rules, the policies. Spec §2.17. */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { SITE_PAGES } from '../layout/site-pages.ts'

/** Widgets that React renders in a page where its Markdown names them. */
export const WIDGETS: Partial<Record<string, string>> = {
  anonymity: 'whatIsKept',
  'how-moderation-decides': 'companyRemovals',
  privacy: 'cookiePreferences',
}

export const StaticPage = z.object({
  description: z.string().describe('For search engines'),
  effective: z.string().optional().describe('The day it took effect'),
  changed: z.string().optional().describe('The day administrators last changed it'),
  lead: z.string().describe('HTML'),
  chapters: z.array(
    z.object({
      id: z.string().describe('The anchor in the page, as in /privacy#cookies'),
      title: z.string(),
      blocks: z.array(
        z.object({ html: z.string().optional().describe('If missing, it’s the page’s widget') }),
      ),
    }),
  ),
})
export type StaticPage = z.output<typeof StaticPage>

export const staticPageContract = {
  'GET /api/v1/static-pages/{page}': {
    summary: 'About Us, the rules and the policies',
    params: z.object({ page: z.enum(SITE_PAGES.map(({ href }) => href.slice(1))) }),
    ok: StaticPage,
    access: 'anyone',
  },
} satisfies Contract

export type StaticPageContract = typeof staticPageContract
