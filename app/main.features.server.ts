/** The features from low to high: what each answers and does stands in its manifest. */
import { accountPages } from './features/account-pages/feature.server.ts'
import { accounts } from './features/accounts/feature.server.ts'
import { administration } from './features/administration/feature.server.ts'
import { badges } from './features/badges/feature.server.ts'
import { claims } from './features/claims/feature.server.ts'
import { companies } from './features/companies/feature.server.ts'
import { contact } from './features/contact/feature.server.ts'
import { credentials } from './features/credentials/feature.server.ts'
import { dashboard } from './features/dashboard/feature.server.ts'
import { discussions } from './features/discussions/feature.server.ts'
import { findability } from './features/findability/feature.server.ts'
import { following } from './features/following/feature.server.ts'
import { home } from './features/home/feature.server.ts'
import { importing } from './features/importing/feature.server.ts'
import { jobs } from './features/jobs/feature.server.ts'
import { moderation } from './features/moderation/feature.server.ts'
import { notifications } from './features/notifications/feature.server.ts'
import { ratings } from './features/ratings/feature.server.ts'
import { replies } from './features/replies/feature.server.ts'
import { requests } from './features/requests/feature.server.ts'
import { rooms } from './features/rooms/feature.server.ts'
import { scraping } from './features/scraping/feature.server.ts'
import { spamCheck } from './features/spam-check/feature.server.ts'
import { tracking } from './features/tracking/feature.server.ts'

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
]
export const events = features.flatMap(({ events = [] }) => events)
