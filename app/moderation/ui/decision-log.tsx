import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import type { ReportContract } from '#app/community/reports/report.contract.ts'
import { reasonName } from '#app/community/reports/report.ts'
import { undoEntries } from '#app/community/reports/ruling.data.ts'
import { SiteLink } from '#app/kit/session/site.tsx'
import { Badge } from '#app/kit/ui/badge.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { dateText } from '#app/kit/ui/format.ts'
import { linkLook } from '#app/kit/ui/looks.ts'
import { EmptyState } from '#app/kit/ui/message.tsx'
import { PagedList } from '#app/kit/ui/paged-list.tsx'
import type { LogEntry, ModerationContract } from '../moderation.contract.ts'
import { logQuery } from '../moderation.data.ts'
import { decisionText } from '../moderation.ts'

export function DecisionLog() {
  const query = useInfiniteQuery(logQuery(useApi<ModerationContract>()))
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <PagedList
      query={query}
      items={entries.map((entry) => ({ ...entry, id: String(entry.entry) }))}
      empty={
        <EmptyState
          title="No decisions yet"
          text="You’ll see what moderators decide here, and can undo it."
        />
      }
      render={(entry) => <Decision entry={entry} />}
    />
  )
}

function Decision({ entry }: { entry: LogEntry }) {
  const { moderator, thread, href, reason, note, isUndone } = entry
  return (
    <article className="flex items-start justify-between gap-4 text-sm leading-6">
      <div className="min-w-0">
        <p className={cx('text-ink-soft', isUndone && 'line-through decoration-line-strong')}>
          <strong className="font-semibold text-ink">{moderator}</strong> {decisionText(entry)}
          {reason && `: ${reasonName(reason)}`}
        </p>
        {thread ? (
          <SiteLink href={href ?? thread.path} dir="auto" className={linkLook}>
            {thread.title}
          </SiteLink>
        ) : (
          <span className="text-ink-faint italic">No longer exists</span>
        )}
        {note && <p className="mt-1 whitespace-pre-line text-ink-faint">“{note}”</p>}
        <p className="mt-1 flex flex-wrap items-center gap-x-3 text-[0.8125rem] text-ink-faint">
          {dateText(entry.day)}
          {isUndone && <Badge>Undone</Badge>}
        </p>
      </div>
      {entry.mayUndo && <UndoButton entry={entry} />}
    </article>
  )
}

function UndoButton({ entry }: { entry: LogEntry }) {
  const api = useApi<ReportContract>()
  const queryClient = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  return (
    <Button
      variant="secondary"
      size="sm"
      aria-disabled={isBusy || undefined}
      aria-label={`Undo: ${entry.moderator} ${decisionText(entry)}`}
      onClick={async () => {
        if (isBusy) return
        setBusy(true)
        const threadId = entry.thread?.id ?? null
        await undoEntries({ api, queryClient, threadId }, [entry.entry])
        setBusy(false)
      }}
    >
      Undo
    </Button>
  )
}
