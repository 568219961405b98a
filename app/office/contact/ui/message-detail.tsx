/** Spec §2.12. */

import { Archive, ArchiveRestore, ArrowLeft, Mail, MailOpen, Trash } from 'lucide'
import type { RefObject } from 'react'
import { useSite } from '#app/kit/session/site.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { dateText } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { linkLook } from '#app/kit/ui/looks.ts'
import type { ContactAnswer, ContactMessage } from '../contact.contract.ts'
import { type ContactStatus, replyLink } from '../contact.ts'
import { AnswerForm } from './answer-form.tsx'
import { MessageFile } from './message-file.tsx'
import { MessageHour } from './notice-clock.tsx'

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
          <a href={replyLink(email, siteName)} className={cx(linkLook, '[overflow-wrap:anywhere]')}>
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
  /** To the list, on a phone. */
  onBack: () => void
  className?: string
}
