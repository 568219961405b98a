import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { Badge } from '#app/kit/ui/badge.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { EmptyState, LoadError } from '#app/kit/ui/message.tsx'
import { type GrowingList, MoreButton } from '#app/kit/ui/more-button.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { cutText } from '#app/kit/writing/text.ts'
import type { ContactMessage } from '../contact.contract.ts'
import {
  type ContactFilter,
  EMPTY_TEXTS,
  INBOX_FAILED,
  NO_MESSAGES,
  SUBJECT_NAMES,
} from '../contact.ts'
import { MessageHour, NoticeClock } from './notice-clock.tsx'

/** The id of the focused row's element. */
export const rowIdOf = (id: string) => `contact-message-${id}`

export function InboxList(props: InboxListProps) {
  const { query, messages, filter, search, isNarrowed, selected, onOpen, className } = props
  if (query.isError && messages.length === 0)
    return (
      <div className={cx('md:col-span-1', className)}>
        <LoadError title={INBOX_FAILED.description} onRetry={query.refetch} />
      </div>
    )
  if (query.isPending)
    return (
      <div role="status" aria-label="Loading messages..." className={cx('md:p-3', className)}>
        <div className="grid gap-3">
          {['a', 'b', 'c', 'd'].map((key) => (
            <Skeleton key={key} className="h-20 w-full" />
          ))}
        </div>
      </div>
    )
  if (messages.length === 0)
    return (
      <div className={className}>
        <EmptyState
          title={NO_MESSAGES}
          text={search ? NOTHING_FOUND : isNarrowed ? NOTHING_SO : EMPTY_TEXTS[filter]}
        />
      </div>
    )
  return (
    <div className={className}>
      <ul className="divide-y divide-line">
        {messages.map((message) => (
          <li key={message.id}>
            <Row
              message={message}
              isSelected={message.id === selected}
              onOpen={() => onOpen(message)}
            />
          </li>
        ))}
      </ul>
      <MoreButton list={query} size="sm" className="my-4" />
    </div>
  )
}

const NOTHING_SO = 'Try another assignee or label.'
const NOTHING_FOUND = 'Try other words or a full email.'

function Row({ message, isSelected, onOpen }: RowProps) {
  const { id, name, status, createdAt, answers, subject, answerBy, assignee, labels } = message
  const isMarked =
    status === 'archived' ||
    answers.length > 0 ||
    subject !== 'general' ||
    assignee ||
    labels.length > 0
  const isUnread = status === 'unread'
  return (
    <button
      type="button"
      id={rowIdOf(id)}
      aria-current={isSelected || undefined}
      onClick={onOpen}
      className={cx(
        'grid w-full grid-cols-1 gap-1 px-4 py-3 text-left transition-colors max-md:-mx-2 max-md:w-[calc(100%+1rem)]',
        'focus-visible:-outline-offset-2',
        isSelected ? 'bg-tea-soft' : 'hover:bg-sunken',
      )}
    >
      <span className="flex items-baseline justify-between gap-3">
        <span
          className={cx('truncate text-sm', isUnread ? 'font-semibold text-ink' : 'text-ink-soft')}
        >
          {isUnread && (
            <span className="mr-2 inline-block size-2 rounded-full bg-tea align-middle">
              <span className="sr-only">Unread</span>
            </span>
          )}
          <bdi>{name}</bdi>
        </span>
        <span className="shrink-0 text-xs text-ink-faint">
          <MessageHour iso={createdAt} />
        </span>
      </span>
      <span
        dir="auto"
        className="line-clamp-2 text-[0.8125rem] leading-5 [overflow-wrap:anywhere] text-ink-soft"
      >
        {cutText(message.message, EXCERPT_MAX)}
      </span>
      {isMarked && (
        <span className="flex flex-wrap gap-1.5">
          {subject !== 'general' && (
            <Badge tone={subject === 'legal' ? 'danger' : 'quiet'}>{SUBJECT_NAMES[subject]}</Badge>
          )}
          {answerBy && <NoticeClock answerBy={answerBy} />}
          {status === 'archived' && <Badge>Archived</Badge>}
          {answers.length > 0 && <Badge tone="leaf">Answered</Badge>}
          {assignee && (
            <Badge>
              <span className="sr-only">Assigned to </span>
              {assignee}
            </Badge>
          )}
          {labels.map((label) => (
            <Badge key={label}>
              <span className="sr-only">Label </span>
              {label}
            </Badge>
          ))}
        </span>
      )}
    </button>
  )
}

/** More than two lines hold. */
const EXCERPT_MAX = 240

interface InboxListProps {
  query: GrowingList & Pick<UseInfiniteQueryResult, 'isError' | 'isPending' | 'refetch'>
  messages: ContactMessage[]
  filter: ContactFilter
  search: string
  /** By assignee or label. */
  isNarrowed: boolean
  selected: string | undefined
  onOpen: (message: ContactMessage) => void
  className?: string
}

interface RowProps {
  message: ContactMessage
  isSelected: boolean
  onOpen: () => void
}
