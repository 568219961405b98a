import type { Feature } from '../../api/feature.server.ts'
import { subscribe } from '../../server/events.server.ts'
import { COMPANY_DELETED } from '../companies/deletion/company-deletion.server.ts'
import { REPLY_CHANGED } from '../replies/reply-commands.server.ts'
import { removeRatingsOf } from './company-removal.server.ts'
import { publishRatings } from './rating-news.server.ts'

export const ratings: Feature = {
  events: [
    subscribe(COMPANY_DELETED, async ({ db }, { companyId }) => ({
      ratings: await removeRatingsOf(db, companyId),
    })),
    subscribe(REPLY_CHANGED, ({ db }, { companyId, threadId }) => {
      if (!threadId) publishRatings(db, companyId)
    }),
  ],
}
