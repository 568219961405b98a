/** A filter's messages, and what the list says if there are none. Spec §2.12. */

import { Clock } from 'lucide'
import { Badge } from '#app/kit/ui/badge.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { plural } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { EmptyState } from '#app/kit/ui/message.tsx'
import { PagedList, type PagedListProps } from '#app/kit/ui/paged-list.tsx'
import { useMinute } from '#app/kit/ui/relative-time.tsx'
import { Loading, Skeleton } from '#app/kit/ui/skeleton.tsx'
import { cutText } from '#app/kit/writing/text.ts'
import type { ContactMessage } from '../contact.contract.ts'
import {
  type ContactFilter,
  EMPTY_TEXTS,
  INBOX_FAILED,
  NO_MESSAGES,
  SUBJECT_NAMES,
} from '../contact.ts'

/** The id of the focused row's element. */
export const rowIdOf = (id: string) => `contact-message-${id}`

export function InboxList(props: InboxListProps) {
  const { query, messages, filter, search, isNarrowed, selected, onOpen, className } = props
  const nothing = search ? NOTHING_FOUND : isNarrowed ? NOTHING_SO : EMPTY_TEXTS[filter]
  return (
    <div className={className}>
      <PagedList
        query={query}
        items={messages}
        render={(message) => (
          <Row
            message={message}
            isSelected={message.id === selected}
            onOpen={() => onOpen(message)}
          />
        )}
        empty={<EmptyState title={NO_MESSAGES} text={nothing} />}
        failure={{ title: INBOX_FAILED.description, text: undefined }}
        loading={
          <Loading label="Loading messages..." times={4} className="grid gap-3 md:p-3">
            <Skeleton className="h-20 w-full" />
          </Loading>
        }
        more={{ size: 'sm', className: 'my-4' }}
        className="divide-y divide-line"
        rowClassName=""
      />
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

/** Longer than two lines, which is all that's shown. */
const EXCERPT_MAX = 240

interface InboxListProps {
  query: PagedListProps<ContactMessage>['query']
  messages: ContactMessage[]
  filter: ContactFilter
  search: string
  /** Whether the list is filtered by assignee or label. */
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

/** Time left to answer a legal notice. Red once it's late. */
export function NoticeClock({ answerBy }: { answerBy: string }) {
  const { text, isLate } = clockText(answerBy, useMinute())
  return (
    <Badge tone={isLate ? 'danger' : 'tea'} icon={<Icon of={Clock} />}>
      <time dateTime={answerBy}>
        <span className="sr-only">Answer: </span>
        {text}
      </time>
    </Badge>
  )
}

const HOUR_MS = 3_600_000

/**
 * "5 hours left", "2 days late".
 * @param now ms since 1970
 */
export function clockText(answerBy: string, now: number): { text: string; isLate: boolean } {
  const left = Date.parse(answerBy) - now
  const hours = Math.floor(Math.abs(left) / HOUR_MS)
  const isLate = left <= 0
  const span =
    hours < 1
      ? 'less than an hour'
      : hours < 48
        ? plural(hours, 'hour')
        : plural(Math.floor(hours / 24), 'day')
  return { text: `${span} ${isLate ? 'late' : 'left'}`, isLate }
}

/** We only store the hour. */
const SHORT = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', hour: 'numeric' })
const LONG = new Intl.DateTimeFormat('en', { dateStyle: 'long' })
const HOUR = new Intl.DateTimeFormat('en', { hour: 'numeric' })

export function MessageHour({ iso, isLong }: { iso: string; isLong?: boolean }) {
  const moment = new Date(iso)
  return (
    <time dateTime={iso}>
      {isLong ? `${LONG.format(moment)}, about ${HOUR.format(moment)}` : SHORT.format(moment)}
    </time>
  )
}
