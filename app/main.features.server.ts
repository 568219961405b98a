/** The features from low to high: what each answers and does stands in its manifest. */

import { discussions } from '#app/community/discussions/feature.server.ts'
import { replies } from '#app/community/replies/feature.server.ts'
import { rooms } from '#app/community/rooms/feature.server.ts'
import { badges } from '#app/companies/badges/feature.server.ts'
import { claims } from '#app/companies/claims/feature.server.ts'
import { companies } from '#app/companies/feature.server.ts'
import { following } from '#app/companies/following/feature.server.ts'
import { importing } from '#app/companies/importing/feature.server.ts'
import { requests } from '#app/companies/requests/feature.server.ts'
import { scraping } from '#app/companies/scraping/feature.server.ts'
import { tracking } from '#app/companies/tracking/feature.server.ts'
import { accounts } from '#app/identity/accounts/feature.server.ts'
import { credentials } from '#app/identity/credentials/feature.server.ts'
import { jobs } from '#app/jobs/feature.server.ts'
import { spamCheck } from '#app/kit/spam-check/feature.server.ts'
import { moderation } from '#app/moderation/feature.server.ts'
import { notifications } from '#app/moderation/notifications/feature.server.ts'
import { administration } from '#app/office/administration/feature.server.ts'
import { contact } from '#app/office/contact/feature.server.ts'
import { dashboard } from '#app/office/dashboard/feature.server.ts'
import { ratings } from '#app/ratings/feature.server.ts'
import { accountPages } from '#app/site/account-pages/feature.server.ts'
import { home } from '#app/site/home/feature.server.ts'
import { findability } from '#app/site/seo/feature.server.ts'
import { staticPages } from '#app/site/static-pages/feature.server.ts'

export const features = [
  spamCheck,
  tracking,
  accounts,
  credentials,
  companies,
  badges,
  claims,
  importing,
  replies,
  rooms,
  discussions,
  following,
  ratings,
  contact,
  jobs,
  requests,
  moderation,
  notifications,
  dashboard,
  scraping,
  administration,
  findability,
  accountPages,
  home,
  staticPages,
]
export const events = features.flatMap(({ events = [] }) => events)
