/** What the site says about itself. */
import { z } from 'zod'
import { type Contract, FLAGS, type Flag } from '#app/api/contract.ts'

const Flags = z.object(
  Object.fromEntries(FLAGS.map((flag) => [flag, z.boolean()])) as Record<Flag, z.ZodBoolean>,
)

/** Build info: buildTime, timestamp. Spec §3. */
export const BuildInfo = z.object({
  buildTime: z.iso.datetime(),
  timestamp: z.number().int().describe('Milliseconds since 1970'),
})
export type BuildInfo = z.output<typeof BuildInfo>

export const siteContract = {
  'GET /api/v1/config': {
    summary: 'The name of the site, what is switched on, and which build runs',
    ok: z.object({
      siteName: z.string(),
      siteUrl: z.string().describe('Where the site lives, without a slash at the end'),
      contactDomain: z.string().describe('The part behind the @ of the addresses to write to'),
      analyticsId: z
        .string()
        .optional()
        .describe('Where set, the analytics provider counts those who agreed to it'),
      fallbackUrl: z
        .string()
        .optional()
        .describe(
          'The same site under a name of its hosting provider, should the certificate fail',
        ),
      ratingBatch: z
        .number()
        .int()
        .describe('Ratings are published when this many people’s have changed; 1: each at once'),
      legalNoticeHours: z
        .number()
        .int()
        .describe('Within which those who run the site answer a legal notice'),
      flags: Flags,
      build: BuildInfo,
    }),
    access: 'anyone',
  },
} satisfies Contract

export type SiteContract = typeof siteContract
export type SiteConfig = z.output<(typeof siteContract)['GET /api/v1/config']['ok']>
