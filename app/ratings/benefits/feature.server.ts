import type { Handlers } from '#app/api/bind.server.ts'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import type { Feature } from '#app/api/feature.server.ts'
import { COMPANY_DELETED } from '#app/companies/deletion/company-deletion.server.ts'
import { reorderTable } from '#app/platform/database/reorder.server.ts'
import { subscribe } from '#app/platform/database/server-context.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import { type BenefitsContract, benefitsContract } from './benefits.contract.ts'
import {
  giveBenefits,
  removeBenefits,
  removeBenefitsOf,
  sweepRemovedBenefits,
} from './benefits-commands.server.ts'
import { publishBenefits } from './benefits-publication.server.ts'
import { companyBenefits } from './benefits-queries.server.ts'

export const benefitsHandlers = (issuer: Issuer): Handlers<BenefitsContract> => ({
  'GET /api/v1/companies/{id}/benefits': ({ db }, { params }) => companyBenefits(db, params.id),
  'PUT /api/v1/companies/{id}/presented-benefits': (ctx, { params, body }) =>
    giveBenefits(ctx, { ...body, companyId: params.id }, issuer),
  'POST /api/v1/companies/{id}/benefits-by-key/remove': (ctx, { params, body }) =>
    removeBenefits(ctx, params.id, body),
})

export const benefits: Feature = {
  events: () => [
    subscribe(COMPANY_DELETED, async ({ db }, { companyId }) => {
      await removeBenefitsOf(db, companyId)
      return {}
    }),
  ],
  routes: ({ bind, issuer }) => bind(benefitsContract, benefitsHandlers(issuer)),
  nightly({ base, db }) {
    return [
      { name: 'publish benefits', run: () => publishBenefits(base) },
      { name: 'sweep removed benefits', run: () => sweepRemovedBenefits(db, todayOf(base)) },
      // Keeps a company's rows together. Which company an entry is about is no secret.
      {
        name: 'reorder benefit_entries',
        run: () => reorderTable(db, 'benefit_entries', { beside: 'company_id' }),
      },
    ]
  },
}
