import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide'
import { useApi } from '#app/api/client.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { LoadErrorLine } from '#app/kit/ui/message.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import type { AdministrationContract } from '../administration.contract.ts'
import { waitingQuery } from '../waiting.data.ts'
import { ageText, shownCount, WAITING, type WaitingItem, waitingName } from '../waiting.ts'

export function WaitingList() {
  const { data, isError, refetch } = useQuery(waitingQuery(useApi<AdministrationContract>()))
  return (
    <section aria-labelledby="waiting" className="mt-8">
      <h2 id="waiting" className="text-sm font-semibold text-ink-soft">
        Waiting for you
      </h2>
      <div className="mt-3">
        {data && data.waiting.length === 0 && (
          <p className="rounded-xl border border-line bg-surface px-4 py-3 text-sm leading-6 text-ink-soft">
            Nothing to do. Put the kettle on.
          </p>
        )}
        {data && data.waiting.length > 0 && (
          <ul className="grid gap-2 sm:grid-cols-2 lg:grid-cols-3">
            {data.waiting.map((item) => (
              <li key={item.kind} className="min-w-0">
                <Waiting item={item} />
              </li>
            ))}
          </ul>
        )}
        {!data && !isError && <Skeleton className="h-14 w-full rounded-xl" />}
        {!data && isError && (
          <LoadErrorLine text="Couldn't load what's waiting." onRetry={refetch} />
        )}
      </div>
    </section>
  )
}

function Waiting({ item }: { item: WaitingItem }) {
  const { kind, count, age } = item
  return (
    <a
      href={WAITING[kind].href}
      className="group flex h-full min-h-14 items-center gap-3 rounded-xl border border-line bg-surface px-4 py-2.5 transition-colors hover:border-line-strong"
    >
      <span className="min-w-8 font-serif text-2xl leading-none font-medium whitespace-nowrap text-ink tabular-nums">
        {shownCount(count)}
      </span>
      <span className="min-w-0 flex-1 text-sm leading-5">
        <span className="block font-medium text-ink">{waitingName(item)}</span>
        {age && (
          <span className="block text-[0.8125rem] text-ink-faint">
            {count > 1 && 'the oldest '}
            {ageText(age)}
          </span>
        )}
      </span>
      <Icon of={ChevronRight} className="size-4 shrink-0 text-ink-faint group-hover:text-tea" />
    </a>
  )
}
