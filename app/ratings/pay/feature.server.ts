import type { Handlers } from '#app/api/bind.server.ts'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import type { Feature } from '#app/api/feature.server.ts'
import { COMPANY_DELETED } from '#app/companies/deletion/company-deletion.server.ts'
import { reorderTable } from '#app/platform/database/reorder.server.ts'
import { subscribe } from '#app/platform/database/server-context.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import { serveCompanyCsv } from '../company-csv.server.ts'
import { type PayContract, payContract } from './pay.contract.ts'
import { givePay, removePay, removePayOf, sweepRemovedPay } from './pay-commands.server.ts'
import { publishPay } from './pay-publication.server.ts'
import { companyPay, companyPayCsv, titlePay } from './pay-queries.server.ts'

export const payHandlers = (issuer: Issuer): Handlers<PayContract> => ({
  'GET /api/v1/companies/{id}/pay': ({ db }, { params }) => companyPay(db, params.id),
  'GET /api/v1/pay': ({ db }, { query }) => titlePay(db, query.title),
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
  routes({ http, bind, reading, config, issuer }) {
    bind(payContract, payHandlers(issuer))
    if (config.flags.enableCompanies)
      serveCompanyCsv(http, reading, {
        name: 'pay',
        summary: 'What people at a company are paid, as CSV',
        csvOf: (id) => companyPayCsv(reading.db, id),
      })
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
