/** The Jobs tab of a company's page, whose code comes with it. */
import { type ComponentType, lazy, Suspense, useState } from 'react'
import type { CompanyJobsProps } from './company-jobs.tsx'

let loaded: ComponentType<CompanyJobsProps> | undefined

const load = async () => {
  loaded = (await import('./company-jobs.tsx')).CompanyJobs
  return { default: loaded }
}
const Loading = lazy(load)

/** What the page's place waits for, so that the server can render the tab. */
export const loadCompanyJobs = load

/** While hydrating, the server's markup stays until the code is here. */
export function CompanyJobsTab(props: CompanyJobsProps) {
  // It stays the same while it is shown: another component would begin anew.
  const [Content] = useState<ComponentType<CompanyJobsProps>>(() => loaded ?? Loading)
  return (
    <Suspense fallback={<p className="py-8 text-sm text-ink-faint">Loading...</p>}>
      <Content {...props} />
    </Suspense>
  )
}
