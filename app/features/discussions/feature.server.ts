import type { Feature } from '../../api/feature.server.ts'
import { subscribe } from '../../server/events.server.ts'
import { COMPANY_DELETED } from '../companies/deletion/company-deletion.server.ts'
import { REPLY_CHANGED } from '../replies/reply-commands.server.ts'
import { publishThreadChange } from './live/live.server.ts'
import { removeThreadsAbout } from './posts/company-removal.server.ts'

export const discussions: Feature = {
  events: [
    subscribe(COMPANY_DELETED, ({ db }, { companyId }) => removeThreadsAbout(db, companyId)),
    subscribe(REPLY_CHANGED, ({ db }, { threadId }) => {
      if (threadId) publishThreadChange(db, threadId)
    }),
  ],
}
