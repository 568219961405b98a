/** What the places of jobs in the sitemap need to know. Apart from it, so that other pages do not load it. */

import type { Client } from '../../api/client.ts'
import type { CompanyContract } from '../companies/company.contract.ts'
import { companyQuery } from '../companies/company.data.ts'
import type { Job } from './job.contract.ts'
import { type JobApi, jobsQuery } from './job.data.ts'
import { jobListAddress } from './job-list-address.ts'
import { jobIdOf, jobQuery, otherJobsQuery } from './one-job.data.ts'
import { CompanyJobsTab } from './ui/company-jobs-tab.tsx'

type Query = Record<string, string | undefined>

/** What one saved is asked for in the browser. */
export const listData = (api: JobApi, query: Query) =>
  query.saved ? [] : [jobsQuery(api, jobListAddress(query))]

/** The name of the one company, also where it has no jobs. */
export function listMore(api: Client<CompanyContract>, query: Query) {
  const { company } = jobListAddress(query)
  return company ? [companyQuery(api, company)] : []
}

export const jobData = (api: JobApi, segment: string | undefined) => [
  jobQuery(api, jobIdOf(segment)),
]

export const jobMore = (api: JobApi, job: Job) => [otherJobsQuery(api, job.company.id)]

/** With the code of the tab, so that the server can render it. */
export async function tabData(api: JobApi, company: string) {
  await CompanyJobsTab.load()
  return [jobsQuery(api, { company })]
}
