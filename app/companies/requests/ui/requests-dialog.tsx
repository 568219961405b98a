/** Company requests, which only the owner manages. Spec §2.11. */
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { RefreshCw } from 'lucide'
import { useRef, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { Dialog } from '#app/kit/ui/dialog.tsx'
import { Select } from '#app/kit/ui/field.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { EmptyState, ErrorState } from '#app/kit/ui/message.tsx'
import { MoreButton } from '#app/kit/ui/paged-list.tsx'
import { SkeletonCard } from '#app/kit/ui/skeleton.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { REQUEST_STATUSES, type RequestStatus } from '../company-request.ts'
import type { CompanyRequest, RequestContract } from '../request.contract.ts'
import { REVIEW_TEXTS, STATUS_NAMES } from '../request-review.ts'
import { deleteFromDialog, requestsQuery } from '../review.data.ts'
import { RequestCard } from './request-card.tsx'

export function RequestsDialog({ open, onOpenChange }: OpenProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} width="lg" title={REVIEW_TEXTS.title}>
      {/* Mounted each time it opens, so the list is refetched. */}
      <RequestList />
    </Dialog>
  )
}

function RequestList() {
  const api = useApi<RequestContract>()
  const queryClient = useQueryClient()
  const [status, setStatus] = useState<RequestStatus>()
  const list = useInfiniteQuery(requestsQuery(api, status))
  const [asking, setAsking] = useState<CompanyRequest>()
  const [isAsking, setIsAsking] = useState(false)
  const [removing, setRemoving] = useState<string>()
  const [announcement, announce] = useState('')
  const top = useRef<HTMLParagraphElement>(null)

  const requests = list.data?.pages.flatMap((page) => page.requests) ?? []
  const remove = async (request: CompanyRequest) => {
    setRemoving(request.id)
    setIsAsking(false)
    const deletion = await deleteFromDialog({ api, queryClient, status }, request)
    setRemoving(undefined)
    announce(deletion.sentence)
    // The card with the focus is gone.
    if (deletion.outcome === 'deleted' || deletion.outcome === 'already') top.current?.focus()
  }

  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-3 border-b border-line pb-4">
        <p ref={top} tabIndex={-1} className="text-sm font-medium text-ink outline-none md:pb-2">
          {list.data ? REVIEW_TEXTS.total(list.data.pages[0]?.total ?? 0) : ' '}
        </p>
        <div className="flex items-end gap-3">
          <div className="w-36">
            <Select
              label="Status"
              name="status"
              value={status ?? ''}
              onChange={(event) =>
                setStatus((event.target.value || undefined) as RequestStatus | undefined)
              }
            >
              <option value="">All</option>
              {REQUEST_STATUSES.map((value) => (
                <option key={value} value={value}>
                  {STATUS_NAMES[value]}
                </option>
              ))}
            </Select>
          </div>
          <Button
            variant="secondary"
            icon={<Icon of={RefreshCw} />}
            onClick={() => {
              toast({ id: 'requests-refresh', title: REVIEW_TEXTS.refreshing })
              list.refetch()
            }}
          >
            {REVIEW_TEXTS.refresh}
          </Button>
        </div>
      </div>
      <p className={announcement ? 'pt-4 text-sm text-ink-soft' : 'sr-only'}>{announcement}</p>
      {list.isPending && <Loading />}
      {list.isError && (
        <ErrorState
          title={REVIEW_TEXTS.failed(list.error.message)}
          action={
            <Button onClick={() => list.refetch()} busy={list.isFetching}>
              {REVIEW_TEXTS.tryAgain}
            </Button>
          }
        />
      )}
      {list.isSuccess && requests.length === 0 && (
        <div role="status">
          <EmptyState title={REVIEW_TEXTS.nothing} />
        </div>
      )}
      {requests.length > 0 && (
        <ul className="grid divide-y divide-line">
          {requests.map((request) => (
            <li key={request.id} className="min-w-0 py-5 last:pb-0">
              <RequestCard
                request={request}
                isRemoving={removing === request.id}
                onRemove={() => {
                  setAsking(request)
                  setIsAsking(true)
                }}
                onDecided={() => top.current?.focus()}
              />
            </li>
          ))}
        </ul>
      )}
      <MoreButton list={list} busyLabel="" className="mt-6" />
      <Dialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title="Delete this request?"
        description={asking && REVIEW_TEXTS.confirmation(asking.companyName)}
        footer={
          <>
            <Button variant="secondary" onClick={() => setIsAsking(false)}>
              Cancel
            </Button>
            <Button variant="danger" onClick={() => asking && remove(asking)}>
              {REVIEW_TEXTS.remove}
            </Button>
          </>
        }
      />
    </>
  )
}

function Loading() {
  return (
    <div role="status" className="grid gap-4 pt-5">
      <p className="text-sm text-ink-faint">{REVIEW_TEXTS.loading}</p>
      <SkeletonCard className="h-28" />
      <SkeletonCard className="h-28" />
      <SkeletonCard className="h-28" />
    </div>
  )
}
