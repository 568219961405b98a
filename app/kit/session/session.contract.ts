/** What every page asks: who is here, and what the site says about itself. */
import { z } from 'zod'
import { ROLES } from '#app/api/auth/actor.ts'
import type { Contract } from '#app/api/contract.ts'
import { Uuid } from '#app/api/schemas.ts'
import { FLAGS, type Flag } from '#app/platform/operations/flags.ts'
import { SIGN_UP_MODES } from '#app/platform/operations/live-settings.ts'

export const Profile = z.object({
  id: Uuid,
  username: z.string(),
  cred: z
    .number()
    .int()
    .describe('Members’ votes on the person’s posts, totaled last night and rounded'),
  memberSince: z.string().describe('A month, such as 2026-03. We don’t store the day'),
})
export type Profile = z.output<typeof Profile>

const Me = z.object({
  role: z.enum(ROLES),
  userType: z
    .enum(['employer'])
    .nullable()
    .describe('What the person told us they are. This only affects menus'),
  profile: Profile.nullable().describe('Null for a visitor'),
  email: z.string().nullable(),
  newEmail: z.string().nullable().describe('A new email that isn’t confirmed yet'),
  isEmailConfirmed: z.boolean(),
  awaitsSecondFactor: z
    .boolean()
    .describe('Signed in, but treated as a visitor until they complete the second step'),
  needsSecondFactor: z
    .boolean()
    .describe(
      'An administrator or moderator who doesn’t have those rights until they set up a second factor',
    ),
  can: z.array(z.string()).describe('The person’s permissions, by name'),
  whyNotRate: z
    .object({ code: z.string(), message: z.string() })
    .nullable()
    .describe('Why this person can’t rate, or null if they can'),
})
export type Me = z.output<typeof Me>

export const meContract = {
  'GET /api/v1/me': {
    summary: 'Who you are and what you can do. Creates your profile if you don’t have one',
    ok: Me,
    access: 'anyone',
  },
} satisfies Contract

export type MeContract = typeof meContract

const Flags = z.object(
  Object.fromEntries(FLAGS.map((flag) => [flag, z.boolean()])) as Record<Flag, z.ZodBoolean>,
)

/** Build info: buildTime, timestamp. Spec §3. */
const BuildInfo = z.object({
  buildTime: z.iso.datetime(),
  timestamp: z.number().int().describe('Milliseconds since 1970'),
})

export const siteContract = {
  'GET /api/v1/config': {
    summary: 'The site’s name, features and build',
    ok: z.object({
      siteName: z.string(),
      siteUrl: z.string().describe('The site’s address, without a trailing slash'),
      accent: z.string().optional().describe('The accent color, if it isn’t ours'),
      logo: z
        .object({
          path: z.string(),
          width: z.number().int(),
          height: z.number().int(),
          hasName: z.boolean().describe('Whether it replaces the site’s name'),
          tone: z
            .enum(['dark', 'light'])
            .optional()
            .describe('If it needs a ground where a page is as dark or light'),
        })
        .optional()
        .describe('The logo, if it isn’t ours'),
      sharePicture: z
        .string()
        .optional()
        .describe('The path of the picture for shared links, if it isn’t ours'),
      heroSentence: z.string().optional().describe('The home page’s, if it isn’t ours'),
      welcomeText: z.string().optional().describe('Below it, if it isn’t ours'),
      greeting: z
        .string()
        .optional()
        .describe('The home page’s toast, if it isn’t ours. Empty if there’s none'),
      footerLinks: z.array(z.object({ name: z.string(), href: z.string() })).optional(),
      signUp: z
        .object({ mode: z.enum(SIGN_UP_MODES), domains: z.array(z.string()) })
        .optional()
        .describe('Who may sign up, if not everyone'),
      contactDomain: z.string().describe('The domain of our contact addresses'),
      analyticsId: z
        .string()
        .optional()
        .describe('If set, the analytics provider counts visits by people who agreed'),
      fallbackUrl: z
        .string()
        .optional()
        .describe('The site’s address at its hosting provider, for when the certificate fails'),
      badgeHoldersMin: z
        .number()
        .int()
        .optional()
        .describe('How many colleagues need a badge before it shows, if more than usual'),
      roomHoldersMin: z
        .number()
        .int()
        .optional()
        .describe('How many need one before their room opens, if more than usual'),
      ratingBatch: z
        .number()
        .int()
        .describe(
          'Ratings are published once this many people have changed theirs. With 1, each is published immediately',
        ),
      legalNoticeHours: z
        .number()
        .int()
        .describe('How many hours we have to answer a legal notice'),
      hasLogoSearch: z.boolean().describe('Whether we fetch logos from other sites'),
      flags: Flags,
      build: BuildInfo,
    }),
    access: 'anyone',
  },
} satisfies Contract

export type SiteContract = typeof siteContract
export type SiteConfig = z.output<(typeof siteContract)['GET /api/v1/config']['ok']>
