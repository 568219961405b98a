import { useQuery } from '@tanstack/react-query'
import { Reply } from 'lucide'
import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { CompanyLogo } from '#app/companies/logos/ui/company-logo.tsx'
import { useIsKnown, useSession, useSessionKey } from '#app/kit/session/session.data.ts'
import { SiteLink } from '#app/kit/session/site.tsx'
import { Badge } from '#app/kit/ui/badge.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { lazyComponent, lazyDialog } from '#app/kit/ui/lazy-component.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { PostBody } from '#app/kit/writing/post-body.tsx'
import { ReportButton } from '../../reports/ui/report-button.tsx'
import type { CompanyReply, CompanyReplyContract } from '../reply.contract.ts'
import { type Answered, replyRightsQuery } from '../reply.data.ts'
import type { ReplyToolsProps } from './reply-tools.tsx'
import { WrittenAt } from './written-at.tsx'

/** The editor is heavy, and only writing needs it. */
const ReplyComposer = lazyComponent(
  () => import('./reply-composer.tsx').then((it) => it.ReplyComposer),
  <Skeleton className="h-48 w-full" />,
)
const HistoryDialog = lazyDialog(() =>
  import('./history-dialog.tsx').then((it) => it.HistoryDialog),
)
const ReplyTools = lazyComponent(() => import('./reply-tools.tsx').then((it) => it.ReplyTools))

export function CompanyReplySection(props: ReplySectionProps) {
  const { reply, answered, isOpen, level, onChange, className } = props
  const [isWriting, setWriting] = useState(false)
  const { canReply, canRemove } = useReplyRights(answered.company.id)
  const canWrite = canReply && isOpen
  const heading = useRef<HTMLHeadingElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  /** The focused element is gone, so move the focus to what replaces it. */
  const isFocusLost = useRef(false)
  useEffect(() => {
    if (!isFocusLost.current || isWriting) return
    const target = heading.current ?? opener.current
    if (target) isFocusLost.current = false
    target?.focus()
  })
  const close = () => {
    isFocusLost.current = true
    setWriting(false)
  }
  if (!reply && !canWrite) return null
  return (
    <div className={cx('grid grid-cols-[minmax(0,1fr)]', className)}>
      {isWriting && canWrite ? (
        <ReplyComposer
          answered={answered}
          replyId={reply?.id}
          onCancel={close}
          onDone={async () => {
            await onChange()
            close()
            toast({ title: reply ? 'Reply saved' : 'Reply published' })
          }}
        />
      ) : reply ? (
        <ReplyCard
          reply={reply}
          level={level}
          heading={heading}
          onEdit={canWrite ? () => setWriting(true) : undefined}
          onRemoved={
            canRemove
              ? async () => {
                  isFocusLost.current = true
                  await onChange()
                }
              : undefined
          }
        />
      ) : (
        <Button
          ref={opener}
          variant="secondary"
          size="sm"
          className="max-w-full justify-self-start overflow-hidden"
          icon={<Icon of={Reply} />}
          onClick={() => setWriting(true)}
        >
          <span className="truncate">{`Reply as ${answered.company.name}`}</span>
        </Button>
      )}
    </div>
  )
}

/** Only sends a request for people who act for a company at all. */
function useReplyRights(companyId: string) {
  const api = useApi<CompanyReplyContract>()
  const sessionKey = useSessionKey()
  const isKnown = useIsKnown()
  const { me } = useSession()
  const mayAct =
    isKnown && (me?.role === 'employer' || me?.role === 'admin' || me?.role === 'owner')
  const { data } = useQuery({ ...replyRightsQuery(api, companyId, sessionKey), enabled: mayAct })
  const canReply = mayAct && data?.canReply === true
  const mayRemoveAny = isKnown && (me?.can.includes('removeReplies') ?? false)
  return { canReply, canRemove: canReply || mayRemoveAny }
}

function ReplyCard({ reply, level, heading, onEdit, onRemoved }: ReplyCardProps) {
  const id = useId()
  const [isHistory, setHistory] = useState(false)
  const { company, html, writtenAt, isEdited } = reply
  const Heading = `h${level}` as const
  return (
    <section
      data-company-reply
      aria-labelledby={id}
      className="rounded-xl border border-line bg-surface px-4 py-4 md:px-5"
    >
      <header className="flex items-center gap-3">
        <CompanyLogo name={company.name} logoUrl={company.logoUrl} className="size-9" />
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <Heading
              id={id}
              ref={heading}
              tabIndex={-1}
              className="text-[0.9375rem] leading-6 font-semibold break-words text-ink outline-none"
            >
              <SiteLink
                href={company.path}
                className="underline-offset-4 hover:text-tea-strong hover:underline"
              >
                {company.name}
              </SiteLink>
              {' replied'}
            </Heading>
            <Badge tone="leaf">Company</Badge>
          </div>
          <p className="flex flex-wrap items-center gap-x-2 text-[0.8125rem] leading-5 text-ink-faint">
            <WrittenAt at={writtenAt} />
            {isEdited && (
              <>
                <span aria-hidden="true">·</span>
                <span className="js:hidden">edited</span>
                <button
                  type="button"
                  {...HistoryDialog.preload}
                  onClick={() => setHistory(true)}
                  className="inline-flex min-h-6 items-center rounded-sm underline decoration-ink-faint/50 underline-offset-4 hover:text-ink no-js:hidden"
                >
                  edited
                  <span className="sr-only">: what it said before</span>
                </button>
              </>
            )}
          </p>
        </div>
      </header>
      <div className="mt-3 max-w-prose text-[0.9375rem]">
        <PostBody html={html} />
      </div>
      {onEdit || onRemoved ? (
        <ReplyTools replyId={reply.id} onEdit={onEdit} onRemoved={onRemoved} />
      ) : (
        <p className="mt-2 -ml-3 no-js:hidden">
          <ReportButton post={{ kind: 'reply', id: reply.id }} />
        </p>
      )}
      <HistoryDialog open={isHistory} onOpenChange={setHistory} reply={reply} />
    </section>
  )
}

interface ReplySectionProps {
  reply: CompanyReply | null
  answered: Answered
  isOpen: boolean
  level: 2 | 3
  onChange: () => Promise<unknown>
  className?: string
}

interface ReplyCardProps extends Omit<ReplyToolsProps, 'replyId'> {
  reply: CompanyReply
  level: ReplySectionProps['level']
  heading: RefObject<HTMLHeadingElement | null>
}
