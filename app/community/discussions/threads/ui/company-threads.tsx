import { useInfiniteQuery } from '@tanstack/react-query'
import { useApi } from '#app/api/client.ts'
import { useSite } from '#app/kit/session/site.tsx'
import { buttonClasses } from '#app/kit/ui/button.tsx'
import { EmptyState } from '#app/kit/ui/message.tsx'
import { CompanyRemovals } from '../../../reports/ui/company-removals.tsx'
import type { DiscussionContract } from '../../discussion.contract.ts'
import { feedHref, threadListHref, threadListQuery } from '../../discussion.data.ts'
import { FeedLink, ThreadList } from './thread-list.tsx'

export function CompanyThreads({ company }: { company: { id: string; name: string } }) {
  const api = useApi<DiscussionContract>()
  const { siteName } = useSite()
  const address = { company: company.id }
  const first = useInfiniteQuery(threadListQuery(api, address)).data?.pages[0]
  const shown = first ? first.pinned.length + first.threads.length : 0
  const start = (
    <a href={`/create-thread?company=${company.id}`} className={buttonClasses()}>
      Create thread
    </a>
  )
  return (
    <section aria-labelledby="company-threads" className="max-w-4xl">
      <div className="mb-5 flex flex-wrap items-center justify-between gap-3">
        <h2 id="company-threads" className="font-serif text-2xl font-medium tracking-tight">
          What people say
        </h2>
        {shown > 0 && start}
      </div>
      <ThreadList
        address={address}
        showsCompany={false}
        heading="h3"
        empty={
          <EmptyState
            title={`No discussions about ${company.name} yet`}
            text="Ask what you want to know, or share what you wish you’d known. No one will find out who you are."
            action={start}
          />
        }
      />
      <p className="mt-5 flex flex-wrap items-center gap-x-5 gap-y-1">
        {shown > 1 && (
          <a
            href={threadListHref(address)}
            className="inline-flex min-h-10 items-center text-sm text-ink-soft underline decoration-line-strong underline-offset-4 hover:text-ink md:min-h-8"
          >
            Search and sort these discussions
          </a>
        )}
        <FeedLink
          of={`Discussions about ${company.name} on ${siteName}`}
          href={feedHref(address)}
        />
      </p>
      <CompanyRemovals companyId={company.id} />
    </section>
  )
}
