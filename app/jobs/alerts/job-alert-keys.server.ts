/** Under which keys job alerts lie. D40. */

import { contextKey } from '#app/api/auth/context-keys.server.ts'
import type { OwnRows } from '#app/api/auth/own-rows.server.ts'
import { JOB_ALERTS_MAX, type JobWishes } from './job-alert.ts'

export const ALERTS: OwnRows = { table: 'job_alerts', kind: 'job-alert', max: JOB_ALERTS_MAX }

export function alertKey(root: Buffer, wishes: JobWishes) {
  const { search, company, place, remote, type, salary, currency } = wishes
  const all = [search, company, place, remote, type, salary, currency]
  return contextKey(root, ALERTS.kind, JSON.stringify(all))
}
