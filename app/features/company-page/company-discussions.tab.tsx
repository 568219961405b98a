/** The Discussions tab of a company's page. */
import { useSite } from '../../session/site.data.ts'
import { EmptyState } from '../../ui/message.tsx'
import { CompanyThreads } from '../discussions/threads/ui/company-threads.tsx'

export default function CompanyDiscussions({ company }: { company: { id: string; name: string } }) {
  if (useSite().flags.enableDiscussions) return <CompanyThreads company={company} />
  return <EmptyState title={`No discussions about ${company.name}`} />
}
