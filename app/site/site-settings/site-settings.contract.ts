/** What administrators set in the panel. */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { WrittenText } from '#app/api/schemas.ts'
import { LIVE_NAMES, PAGE_NAMES, VALUE_MAX } from './site-setting.ts'

const Name = z.enum([...LIVE_NAMES, ...PAGE_NAMES])

const Setting = z.object({
  name: Name,
  text: z.string().describe('What’s in force'),
  usual: z.string().describe('What’s in force without a change'),
  fixedBy: z.string().nullable().describe('The server’s setting that can’t be changed here'),
  changedOn: z.iso.date().nullable().describe('The day of the last change, or null if unchanged'),
})
export type Setting = z.output<typeof Setting>

export const siteSettingsContract = {
  'GET /api/v1/administration/settings': {
    summary: 'The site’s name, texts and addresses, without the pages',
    ok: z.object({ settings: z.array(Setting) }),
    access: 'admin',
  },
  'GET /api/v1/administration/settings/{name}': {
    summary: 'One of them, such as a page’s Markdown',
    params: z.object({ name: Name }),
    ok: Setting,
    access: 'admin',
  },
  'PUT /api/v1/administration/settings/{name}': {
    summary: 'Change one of them, everywhere and right away',
    params: z.object({ name: Name }),
    body: z.object({ text: WrittenText(VALUE_MAX).nullable().describe('Null for the usual one') }),
    ok: Setting,
    access: 'admin',
    requiresRecentLogin: true,
  },
} satisfies Contract

export type SiteSettingsContract = typeof siteSettingsContract
