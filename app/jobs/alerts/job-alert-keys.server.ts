/** Under which keys job alerts lie. D40. */
import { asBytea, type Carried, hasAuthor } from '#app/api/auth/carry-over.server.ts'
import { contextKey, numberKeys } from '#app/api/auth/context-keys.server.ts'
import type { OwnRows } from '#app/api/auth/own-rows.server.ts'
import { sealOwner } from '#app/api/auth/sealed-owners.server.ts'
import { JOB_ALERTS_MAX, type JobWishes } from './job-alert.ts'

export const ALERTS: OwnRows = { table: 'job_alerts', kind: 'job-alert', max: JOB_ALERTS_MAX }

/** The same wishes twice have the same key. */
export function alertKey(root: Buffer, wishes: JobWishes) {
  const { search, company, place, remote, type, salary, currency } = wishes
  const all = [search, company, place, remote, type, salary, currency]
  return contextKey(root, ALERTS.kind, JSON.stringify(all))
}

export const carriedAlerts: Carried = {
  table: ALERTS.table,
  order: { author_key: 'text', number: 'bigint' },
  carry({ author_key: _, number: __, words: ___, ...alert }, owner, { number, secrets }) {
    const [mine] = numberKeys(owner.root, ALERTS.kind, number, 1)
    if (!mine || number >= ALERTS.max || !hasAuthor(owner)) return undefined
    const key = alertKey(owner.root, {
      search: alert.search,
      company: alert.company_id,
      place: alert.place,
      remote: alert.remote_policy,
      type: alert.employment_type,
      salary: alert.salary,
      currency: alert.salary_currency,
    })
    const sealed = sealOwner(secrets, key, owner)
    return { ...alert, key: asBytea(key), mine: asBytea(mine), owner: asBytea(sealed) }
  },
}
