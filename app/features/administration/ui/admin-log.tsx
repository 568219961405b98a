/** Who of the administrators did what, newest first. */

import { useInfiniteQuery } from '@tanstack/react-query'
import { useApi } from '../../../api/client.ts'
import { dateText } from '../../../ui/date-text.ts'
import { linkLook } from '../../../ui/link-look.ts'
import { EmptyState } from '../../../ui/message.tsx'
import { OwnList } from '../../../ui/own-list.tsx'
import type { AdministrationContract } from '../administration.contract.ts'
import { adminLogQuery } from '../administration.data.ts'
import { ADMIN_ACTION_WORDS } from '../administration.ts'

export function AdminLog() {
  const query = useInfiniteQuery(adminLogQuery(useApi<AdministrationContract>()))
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <>
      <p className="mb-5 max-w-prose text-sm leading-6 text-ink-soft">
        {
          'What administrators did to accounts, requests and data. Decisions about posts stand in the '
        }
        <a href="/admin/moderation?tab=log" className={linkLook}>
          moderation log
        </a>
        .
      </p>
      <OwnList
        query={query}
        items={entries.map((entry) => ({ ...entry, id: String(entry.entry) }))}
        empty={
          <EmptyState
            title="Nothing has been done yet"
            text="What administrators do is written down here, with the day and their name."
          />
        }
        render={({ admin, action, subject, day }) => (
          <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 text-sm leading-6">
            <p className="min-w-0 break-words text-ink-soft">
              <strong className="font-semibold text-ink">{admin}</strong>
              {` ${ADMIN_ACTION_WORDS[action]} `}
              <span className="text-ink">{subject}</span>
            </p>
            <p className="shrink-0 text-[0.8125rem] text-ink-faint">{dateText(day)}</p>
          </div>
        )}
      />
    </>
  )
}
