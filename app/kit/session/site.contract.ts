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
    summary: 'The site’s name, features and build',
    ok: z.object({
      siteName: z.string(),
      siteUrl: z.string().describe('The site’s address, without a trailing slash'),
      contactDomain: z.string().describe('The domain of our contact addresses'),
      analyticsId: z
        .string()
        .optional()
        .describe('If set, the analytics provider counts people who agreed'),
      fallbackUrl: z
        .string()
        .optional()
        .describe('The site’s address at its hosting provider, in case the certificate fails'),
      ratingBatch: z
        .number()
        .int()
        .describe(
          'Ratings are published once this many people changed theirs. 1 publishes each at once',
        ),
      legalNoticeHours: z
        .number()
        .int()
        .describe('How many hours we have to answer a legal notice'),
      flags: Flags,
      build: BuildInfo,
    }),
    access: 'anyone',
  },
} satisfies Contract

export type SiteContract = typeof siteContract
export type SiteConfig = z.output<(typeof siteContract)['GET /api/v1/config']['ok']>
