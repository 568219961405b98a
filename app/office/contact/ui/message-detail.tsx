/** Spec §2.12. */

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Archive, ArchiveRestore, ArrowLeft, Mail, MailOpen, Tag, Trash, X } from 'lucide'
import { type FormEvent, type RefObject, useId, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { reportError } from '#app/kit/forms/refusal.ts'
import { SiteLink, useSite } from '#app/kit/session/site.tsx'
import { Badge } from '#app/kit/ui/badge.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { cx } from '#app/kit/ui/cx.ts'
import { Select, TextField } from '#app/kit/ui/field.tsx'
import { dateText } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import type { ContactAnswer, ContactContract, ContactMessage } from '../contact.contract.ts'
import { assign, choicesQuery, refreshInbox, setLabel } from '../contact.data.ts'
import { type ContactStatus, LABEL_MAX, LABELS_MAX, replyLink, SUBJECT_NAMES } from '../contact.ts'
import { AnswerForm } from './answer-form.tsx'
import { MessageHour, NoticeClock } from './inbox-list.tsx'

export function MessageDetail({ message, heading, onMove, onBack, className }: DetailProps) {
  const { siteName } = useSite()
  const { name, email, status, createdAt, answers } = message
  return (
    <article className={cx('grid grid-cols-1 content-start gap-5', className)}>
      <Button
        variant="ghost"
        size="sm"
        icon={<Icon of={ArrowLeft} />}
        className="-ml-3 justify-self-start md:hidden"
        onClick={onBack}
      >
        All messages
      </Button>
      <header className="grid gap-1">
        <h3
          ref={heading}
          tabIndex={-1}
          dir="auto"
          className="font-serif text-xl leading-7 font-medium [overflow-wrap:anywhere] text-ink outline-none"
        >
          {name}
        </h3>
        <p className="flex flex-wrap gap-x-3 text-sm leading-6 text-ink-faint">
          <a
            href={replyLink(email, siteName)}
            className={cx(linkClasses, '[overflow-wrap:anywhere]')}
          >
            {email}
          </a>
          <MessageHour iso={createdAt} isLong />
        </p>
      </header>
      <Actions status={status} onMove={onMove} />
      <MessageFile message={message} />
      <p
        dir="auto"
        className="text-[0.9375rem] leading-7 [overflow-wrap:anywhere] whitespace-pre-wrap text-ink"
      >
        {message.message}
      </p>
      {answers.length > 0 && (
        <ul className="grid gap-4 border-l-2 border-tea/40 pl-4">
          {answers.map((answer) => (
            <li key={answer.id}>
              <SentAnswer answer={answer} />
            </li>
          ))}
        </ul>
      )}
      <AnswerForm message={message} />
    </article>
  )
}

function Actions({ status, onMove }: Pick<DetailProps, 'onMove'> & { status: ContactStatus }) {
  return (
    <div className="flex flex-wrap gap-2">
      {status === 'archived' ? (
        <Button
          variant="secondary"
          size="sm"
          icon={<Icon of={ArchiveRestore} />}
          onClick={() => onMove('read')}
        >
          Unarchive
        </Button>
      ) : (
        <Button
          variant="secondary"
          size="sm"
          icon={<Icon of={Archive} />}
          onClick={() => onMove('archived')}
        >
          Archive
        </Button>
      )}
      {status === 'read' && (
        <Button
          variant="secondary"
          size="sm"
          icon={<Icon of={Mail} />}
          onClick={() => onMove('unread')}
        >
          Mark Unread
        </Button>
      )}
      {status === 'unread' && (
        <Button
          variant="secondary"
          size="sm"
          icon={<Icon of={MailOpen} />}
          onClick={() => onMove('read')}
        >
          Mark Read
        </Button>
      )}
      <Button
        variant="ghost"
        size="sm"
        icon={<Icon of={Trash} />}
        onClick={() => onMove('deleted')}
      >
        Delete
      </Button>
    </div>
  )
}

function SentAnswer({ answer }: { answer: ContactAnswer }) {
  const { administrator, day, body, isSent } = answer
  return (
    <>
      <p className="text-[0.8125rem] leading-6 text-ink-faint">
        <strong className="font-semibold text-ink-soft">{administrator}</strong>
        {` answered on ${dateText(day)}`}
        {!isSent && ' · sending'}
      </p>
      <p className="text-sm leading-6 [overflow-wrap:anywhere] whitespace-pre-wrap text-ink-soft">
        {body}
      </p>
    </>
  )
}

interface DetailProps {
  message: ContactMessage
  heading: RefObject<HTMLHeadingElement | null>
  onMove: (status: ContactStatus) => void
  /** On a phone, returns to the list. */
  onBack: () => void
  className?: string
}

function MessageFile({ message }: { message: ContactMessage }) {
  const { subject, answerBy, links } = message
  return (
    <div className="grid gap-3">
      {(subject !== 'general' || answerBy) && (
        <p className="flex flex-wrap gap-1.5">
          <Badge tone={subject === 'legal' ? 'danger' : 'quiet'}>{SUBJECT_NAMES[subject]}</Badge>
          {answerBy && <NoticeClock answerBy={answerBy} />}
        </p>
      )}
      {links.length > 0 && (
        <ul aria-label="Links in this message" className="grid gap-1 text-sm leading-6">
          {links.map(({ href, title }) => (
            <li key={href} className="min-w-0 truncate">
              {title === null ? (
                <span className="text-ink-faint">A deleted thread</span>
              ) : (
                <SiteLink href={href} target="_blank" rel="noopener" className={linkClasses}>
                  {title}
                  <span className="sr-only"> (opens in a new tab)</span>
                </SiteLink>
              )}
            </li>
          ))}
        </ul>
      )}
      <Assignee message={message} />
      <Labels message={message} />
    </div>
  )
}

/** Reports a refusal, and refetches the current state. `file` says whether it's saved. */
function useFiling() {
  const queries = { api: useApi<ContactContract>(), queryClient: useQueryClient() }
  const [isBusy, setBusy] = useState(false)
  const file = async (work: (own: typeof queries) => Promise<void>) => {
    if (isBusy) return false
    setBusy(true)
    try {
      await work(queries)
      return true
    } catch (error) {
      reportError('Couldn’t save the change', 'contact-filing')(error)
      refreshInbox(queries.queryClient)
      return false
    } finally {
      setBusy(false)
    }
  }
  return { file, isBusy }
}

function Assignee({ message }: { message: ContactMessage }) {
  const { data } = useQuery(choicesQuery(useApi<ContactContract>()))
  const { file, isBusy } = useFiling()
  const { assignee, isMine } = message
  const administrators = data?.administrators ?? []
  const me = administrators.find(({ isMe }) => isMe)?.name
  const give = (name: string | null) => file((queries) => assign(queries, message, name))
  return (
    <div className="flex flex-wrap items-end gap-2">
      <div className="min-w-0 flex-1 basis-40 sm:max-w-60">
        <Select
          label="Assigned to"
          value={assignee ?? ''}
          aria-disabled={isBusy || undefined}
          onChange={(event) => give(event.target.value || null)}
        >
          <option value="">No one yet</option>
          {/* Keeps the assignee available while the others load. */}
          {[...new Set([...(assignee ? [assignee] : []), ...administrators.map((it) => it.name)])]
            .sort((a, b) => a.localeCompare(b))
            .map((name) => (
              <option key={name} value={name}>
                {name === me ? `${name} (me)` : name}
              </option>
            ))}
        </Select>
      </div>
      {me && !isMine && assignee === null && (
        <Button variant="secondary" aria-disabled={isBusy || undefined} onClick={() => give(me)}>
          Assign to me
        </Button>
      )}
    </div>
  )
}

function Labels({ message }: { message: ContactMessage }) {
  const { data } = useQuery(choicesQuery(useApi<ContactContract>()))
  const { file } = useFiling()
  const [text, setText] = useState('')
  const listId = useId()
  const { labels } = message
  const set = (label: string, isOn: boolean) =>
    file((queries) => setLabel(queries, message, label, isOn))
  const add = async (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '') return
    if (await set(text.trim(), true)) setText('')
  }
  return (
    <div className="grid gap-2">
      {labels.length > 0 && (
        <ul aria-label="Labels" className="flex flex-wrap gap-1.5">
          {labels.map((label) => (
            <li
              key={label}
              className="inline-flex items-center rounded-full border border-line bg-sunken pl-2.5 text-xs leading-5 text-ink-soft"
            >
              {label}
              <button
                type="button"
                aria-label={`Remove the label ${label}`}
                onClick={() => set(label, false)}
                className="grid size-8 place-items-center rounded-full text-ink-faint transition-colors hover:text-ink md:size-6 [&_svg]:size-3.5"
              >
                <Icon of={X} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {labels.length < LABELS_MAX && (
        <form onSubmit={add} className="flex items-end gap-2">
          <div className="min-w-0 flex-1 sm:max-w-60">
            <TextField
              label="New label"
              list={listId}
              autoComplete="off"
              maxLength={LABEL_MAX}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
            <datalist id={listId}>
              {data?.labels
                .filter((label) => !labels.includes(label))
                .map((label) => (
                  <option key={label} value={label} />
                ))}
            </datalist>
          </div>
          <Button type="submit" variant="secondary" icon={<Icon of={Tag} />}>
            Label
          </Button>
        </form>
      )}
    </div>
  )
}
