import type { Handlers } from '#app/api/bind.server.ts'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import type { Feature } from '#app/api/feature.server.ts'
import { COMPANY_DELETED } from '#app/companies/deletion/company-deletion.server.ts'
import { subscribe } from '#app/platform/database/context.server.ts'
import { reorderTable } from '#app/platform/database/reorder.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import { type PayContract, payContract } from './pay.contract.ts'
import { givePay, removePay, removePayOf, sweepRemovedPay } from './pay-commands.server.ts'
import { publishPay } from './pay-publication.server.ts'

export const payHandlers = (issuer: Issuer): Handlers<PayContract> => ({
  'PUT /api/v1/companies/{id}/presented-pay': (ctx, { params, body }) =>
    givePay(ctx, { ...body, companyId: params.id }, issuer),
  'POST /api/v1/companies/{id}/pay-by-key/remove': (ctx, { params, body }) =>
    removePay(ctx, params.id, body),
})

export const pay: Feature = {
  events: () => [
    subscribe(COMPANY_DELETED, async ({ db }, { companyId }) => {
      await removePayOf(db, companyId)
      return {}
    }),
  ],
  routes({ bind, issuer }) {
    bind(payContract, payHandlers(issuer))
  },
  nightly({ base, db }) {
    return [
      { name: 'publish pay', run: () => publishPay(base) },
      { name: 'sweep removed pay', run: () => sweepRemovedPay(db, todayOf(base)) },
      // Keeps a company's rows together. Which company an entry is about is no secret.
      {
        name: 'reorder pay_entries',
        run: () => reorderTable(db, 'pay_entries', { beside: 'company_id' }),
      },
    ]
  },
}
