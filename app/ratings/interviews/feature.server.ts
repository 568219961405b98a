import type { Handlers } from '#app/api/bind.server.ts'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import type { Feature } from '#app/api/feature.server.ts'
import { COMPANY_DELETED } from '#app/companies/deletion/company-deletion.server.ts'
import { reorderTable } from '#app/platform/database/reorder.server.ts'
import { subscribe } from '#app/platform/database/server-context.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import { type InterviewContract, interviewContract } from './interview.contract.ts'
import {
  giveInterview,
  removeInterview,
  removeInterviewsOf,
  sweepRemovedInterviews,
} from './interview-commands.server.ts'
import { publishInterviews } from './interview-publication.server.ts'
import { companyInterviews } from './interview-queries.server.ts'

export const interviewHandlers = (issuer: Issuer): Handlers<InterviewContract> => ({
  'GET /api/v1/companies/{id}/interviews': (ctx, { params, query }) =>
    companyInterviews(ctx, params.id, query),
  'PUT /api/v1/companies/{id}/presented-interview': (ctx, { params, body }) =>
    giveInterview(ctx, { ...body, companyId: params.id }, issuer),
  'POST /api/v1/companies/{id}/interview-by-key/remove': (ctx, { params, body }) =>
    removeInterview(ctx, params.id, body),
})

export const interviews: Feature = {
  events: () => [
    subscribe(COMPANY_DELETED, async (ctx, { companyId }) => {
      await removeInterviewsOf(ctx, companyId)
      return {}
    }),
  ],
  routes({ bind, issuer }) {
    bind(interviewContract, interviewHandlers(issuer))
  },
  nightly({ base, db }) {
    return [
      { name: 'publish interviews', run: () => publishInterviews(base) },
      { name: 'sweep removed interviews', run: () => sweepRemovedInterviews(db, todayOf(base)) },
      // Keeps a company's rows together. Which company an interview is about is no secret.
      ...['interviews', 'public_interviews'].map((name) => ({
        name: `reorder ${name}`,
        run: () => reorderTable(db, name, { beside: 'company_id' }),
      })),
    ]
  },
}
