/** Earlier versions of a company's reply. Load it with `lazyDialog`. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useApi } from '#app/api/client.ts'
import { errorSentence } from '#app/kit/forms/refusal.ts'
import { Dialog } from '#app/kit/ui/dialog.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { LoadError } from '#app/kit/ui/message.tsx'
import { MoreButton } from '#app/kit/ui/paged-list.tsx'
import { Loading, Skeleton } from '#app/kit/ui/skeleton.tsx'
import { PostBody } from '#app/kit/writing/post-body.tsx'
import type { CompanyReply, CompanyReplyContract } from '../reply.contract.ts'
import { replyVersionsQuery } from '../reply.data.ts'
import { WrittenAt } from './written-at.tsx'

export function HistoryDialog({ open, onOpenChange, reply }: HistoryDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      width="md"
      title="Earlier versions"
      description={`Earlier versions of ${reply.company.name}’s reply, newest first.`}
    >
      {/* Loaded each time it opens, because it may have changed. */}
      {open && <Versions id={reply.id} />}
    </Dialog>
  )
}

function Versions({ id }: { id: string }) {
  const api = useApi<CompanyReplyContract>()
  const list = useInfiniteQuery({ ...replyVersionsQuery(api, id), refetchOnMount: 'always' })
  const versions = list.data?.pages.flatMap((page) => page.versions) ?? []
  if (list.isPending)
    return (
      <Loading>
        <Skeleton className="h-24 w-full" />
      </Loading>
    )
  if (list.isError && versions.length === 0)
    return (
      <LoadError
        title="The history didn’t load"
        text={errorSentence(list.error)}
        onRetry={list.refetch}
      />
    )
  if (versions.length === 0) return <p className="text-ink-soft">No earlier versions.</p>
  return (
    <>
      <ol className="grid grid-cols-[minmax(0,1fr)] gap-6">
        {versions.map(({ version, html, writtenAt }) => (
          <li key={version} className="border-l-2 border-line pl-4">
            <p className="text-[0.8125rem] leading-5 text-ink-faint">
              <WrittenAt at={writtenAt} />
            </p>
            <div className="mt-1.5 text-[0.9375rem]">
              <PostBody html={html} />
            </div>
          </li>
        ))}
      </ol>
      <MoreButton list={list} label="Show more" className="mt-6" />
    </>
  )
}

type HistoryDialogProps = OpenProps & { reply: CompanyReply }
