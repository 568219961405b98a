/** One case of the queue. */

import { ChevronDown, ExternalLink, Lock, Pin } from 'lucide'
import { type ReactNode, useState } from 'react'
import { Byline } from '#app/community/discussions/posts/ui/byline.tsx'
import { isAuthorless } from '#app/community/reports/report.ts'
import { reasonName } from '#app/identity/accounts/suspension.ts'
import { useReach } from '#app/kit/session/site.tsx'
import { Badge } from '#app/kit/ui/badge.tsx'
import { buttonClasses } from '#app/kit/ui/button.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { dateText } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { textOfHtml } from '#app/kit/ui/trusted.ts'
import { useIsPhone } from '#app/kit/ui/use-screen.ts'
import { PostBody } from '#app/kit/writing/post-body.tsx'
import { cutText } from '#app/kit/writing/text.ts'
import type { Case } from '../moderation.contract.ts'
import { causeText, heldVotesText, MODERATION_REFUSALS } from '../moderation.ts'
import { DecisionButtons, type DecisionButtonsProps, KeySign } from './case-decisions.tsx'

export const elementIdOf = (key: string) => `case-${key.replace('/', '-')}`

const KIND_NAMES = {
  thread: 'Thread',
  comment: 'Comment',
  note: 'Note',
  job: 'Job',
  reply: 'Company reply',
  room: 'Room post',
}
/** How much of a text a phone shows before you open its case. */
const EXCERPT = 140

const subjectOf = ({ kind, thread }: Case) =>
  isAuthorless(kind) ? thread.title : `${kind} in “${thread.title}”`

export function CaseCard(props: CaseCardProps) {
  const { item, caseKey, position, total, isSelected, isMarked, isBusy, onSelect } = props
  const why = causeText(item)
  const id = elementIdOf(caseKey)
  const [isOpen, setOpen] = useState(false)
  const isPhone = useIsPhone()
  return (
    <article
      id={id}
      data-case={caseKey}
      tabIndex={-1}
      aria-label={`Case ${position} of ${total}: ${subjectOf(item)}. ${why}`}
      aria-current={isSelected ? 'true' : undefined}
      aria-busy={isBusy || undefined}
      onFocus={onSelect}
      className={cx(
        // Shown below the notice of the last decision.
        'scroll-mt-28 rounded-xl border bg-surface outline-none transition-[border-color,box-shadow,opacity] md:p-6',
        isMarked && 'bg-tea-soft/40',
        isSelected ? 'border-tea shadow-card ring-1 ring-tea' : 'border-line',
        'focus-visible:ring-2',
        isBusy && 'opacity-60',
      )}
    >
      {isPhone && <Compact {...props} why={why} isOpen={isOpen} onOpen={() => setOpen(!isOpen)} />}
      {(isOpen || !isPhone) && (
        <div id={`${id}-all`} className="max-md:px-4 max-md:pb-4">
          <Whole {...props} why={why} isPhone={isPhone} />
        </div>
      )}
    </article>
  )
}

/** How a phone shows a case until you open it. */
function Compact({ item, why, isMarked, onMark, isOpen, onOpen, caseKey }: CompactProps) {
  const { kind, thread, company, html } = item
  return (
    <div className="flex items-start">
      {onMark && (
        <Mark
          subject={subjectOf(item)}
          isMarked={isMarked}
          onMark={onMark}
          className="self-stretch py-3.5 pr-2 pl-3.5"
        />
      )}
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${elementIdOf(caseKey)}-all` : undefined}
        onClick={onOpen}
        className={cx('min-w-0 flex-1 rounded-xl py-2.5 pr-3 text-left', !onMark && 'pl-3.5')}
      >
        <span className="flex items-center gap-2 text-xs text-ink-faint">
          <span className="font-semibold text-tea-strong">{KIND_NAMES[kind]}</span>
          <span className="truncate">{company?.name}</span>
          <Icon
            of={ChevronDown}
            className={cx('ml-auto size-4 shrink-0 transition-transform', isOpen && 'rotate-180')}
          />
        </span>
        <bdi className="mt-0.5 block truncate text-[0.9375rem] font-medium text-ink">
          {thread.title}
        </bdi>
        {!isOpen && (
          <bdi className="block truncate text-sm text-ink-soft">
            {cutText(textOfHtml(html), EXCERPT) || 'Only a title, no text.'}
          </bdi>
        )}
        <span className="mt-0.5 block truncate text-xs text-ink-faint">
          {item.state === 'held' && <span className="font-semibold text-danger">Held. </span>}
          {item.appeal ? `Removed: ${reasonName(item.reason)}. Appeal.` : whyShort(item, why)}
        </span>
      </button>
    </div>
  )
}

const whyShort = ({ reports }: Case, why: string) =>
  [why, ...reports.map(({ reason }) => reasonName(reason))].join(' · ')

function Mark({ subject, isMarked, onMark, className }: MarkProps) {
  return (
    <label className={className}>
      <input
        type="checkbox"
        aria-label={`Select ${subject}`}
        checked={isMarked}
        onChange={onMark}
        className="block size-[1.125rem] accent-tea"
      />
    </label>
  )
}

function Whole({ why, isPhone, ...props }: CaseCardProps & { why: string; isPhone: boolean }) {
  const { item, isMarked, onMark, hasKeys } = props
  const { kind, thread, company, author, html, postedAt } = item
  return (
    <>
      <header>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1.5 text-[0.8125rem] text-ink-faint">
          {onMark && !isPhone && (
            <Mark
              subject={subjectOf(item)}
              isMarked={isMarked}
              onMark={onMark}
              className="-m-2 p-2"
            />
          )}
          {!isPhone && <Badge tone="tea">{KIND_NAMES[kind]}</Badge>}
          <Marks item={item} />
          <OpenLink href={item.href} keyName={hasKeys ? 'O' : undefined} />
        </p>
        {!isPhone && (
          <h2 className="mt-2.5 font-serif text-xl leading-7 font-medium text-pretty text-ink">
            {kind === 'comment' && <span className="text-ink-faint">In </span>}
            <bdi>{thread.title}</bdi>
          </h2>
        )}
        <p className="dotted mt-1 gap-y-1 text-sm text-ink-faint">
          {author ? (
            <Byline author={author} badge={null} postedAt={postedAt} />
          ) : (
            <span>{`From ${dateText(postedAt)}`}</span>
          )}
          {company && kind !== 'note' && (
            <span>
              about <span className="font-medium text-ink-soft">{company.name}</span>
            </span>
          )}
        </p>
      </header>

      {html ? (
        <Words label={`What the ${kind} says`}>
          <PostBody html={html} />
        </Words>
      ) : (
        <p className="mt-4 text-sm text-ink-faint italic">
          {kind === 'note' ? 'The author has removed the text.' : 'Only a title, no text.'}
        </p>
      )}

      <div className="mt-4 grid gap-3 text-sm leading-6">
        {item.appeal ? <Appeal item={item} /> : <Why item={item} text={why} />}
        {item.heldVotes && (
          <p className="text-ink-soft">
            {`Many visitors voted within minutes. Pending: ${heldVotesText(item.heldVotes)}. Members’ votes count as usual.`}
          </p>
        )}
        {item.sameAuthor.length > 0 && <SameAuthor item={item} />}
        {item.suspendedUntil && (
          <p className="text-ink-soft">
            {`The author can’t post until ${dateText(item.suspendedUntil)}.`}
          </p>
        )}
      </div>
      <DecisionButtons {...props} />
    </>
  )
}

function OpenLink({ keyName, ...link }: { href: string; keyName?: string }) {
  const href = useReach()(link.href)
  if (!href) return null
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener"
      className={cx(buttonClasses('ghost', 'sm'), '-my-1.5 -mr-2 ml-auto')}
    >
      <Icon of={ExternalLink} />
      Open
      <span className="sr-only"> in a new tab</span>
      <KeySign name={keyName} />
    </a>
  )
}

function Marks({ item }: { item: Case }) {
  return (
    <>
      {item.state === 'held' && <Badge tone="danger">Held: no one sees it</Badge>}
      {item.state === 'removed' && <Badge tone="danger">Removed</Badge>}
      {item.isCleared && <Badge tone="leaf">Kept before</Badge>}
      {item.isLocked && <Badge icon={<Icon of={Lock} />}>Locked</Badge>}
      {item.isPinned && <Badge icon={<Icon of={Pin} />}>Pinned</Badge>}
    </>
  )
}

/** Long texts scroll in place, also with the keyboard, so the decision stays visible. */
function Words({ label, children }: { label: string; children: ReactNode }) {
  return (
    // Not a landmark, because a queue would have twenty of them.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
      tabIndex={0}
      className="mt-4 max-h-80 overflow-y-auto rounded-lg bg-sunken px-4 py-3 text-[0.9375rem]"
    >
      {children}
    </div>
  )
}

function Why({ item, text }: { item: Case; text: string }) {
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1.5">
        <strong className="font-semibold text-ink">{text}</strong>
        {item.reports.map(({ reason, count }) => (
          <Badge key={reason}>{`${reasonName(reason)}${count > 1 ? ` × ${count}` : ''}`}</Badge>
        ))}
      </p>
      {item.notes.length > 0 && (
        <ul aria-label="What people who reported it say" className="grid gap-2">
          {item.notes.map((note, at) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: two may say the same, and none moves
              key={at}
              className="border-l-2 border-line-strong pl-3 whitespace-pre-line text-ink-soft"
            >
              {note}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** The author's other cases, with their texts, so no one decides about what they haven't read. */
function SameAuthor({ item: { sameAuthor } }: { item: Case }) {
  return (
    <details className="text-ink-soft">
      <summary className="cursor-pointer font-semibold text-ink">
        {`${sameAuthor.length} more from the same author`}
      </summary>
      <ul className="mt-2 grid gap-2">
        {sameAuthor.map(({ kind, id, title, excerpt }) => (
          <li key={id} className="border-l-2 border-line-strong pl-3">
            <span className="block font-medium text-ink">
              {kind === 'comment' ? 'In ' : ''}
              <bdi>{title}</bdi>
            </span>
            <bdi>{excerpt}</bdi>
          </li>
        ))}
      </ul>
    </details>
  )
}

function Appeal({ item }: { item: Case }) {
  return (
    <>
      <p>
        <strong className="font-semibold text-ink">{`Removed: ${reasonName(item.reason)}`}</strong>
        {item.note && <span className="block whitespace-pre-line text-ink-soft">{item.note}</span>}
      </p>
      <div>
        <p className="font-semibold text-ink">The author says</p>
        <p className="mt-1 border-l-2 border-tea pl-3 whitespace-pre-line text-ink">
          {item.appeal?.text}
        </p>
      </div>
      {item.appeal?.mayDecide === false && (
        <p className="text-ink-faint">{`${MODERATION_REFUSALS.ownDecision}.`}</p>
      )}
    </>
  )
}

interface CaseCardProps extends DecisionButtonsProps {
  caseKey: string
  /** The first case is 1. */
  position: number
  total: number
  isSelected: boolean
  /** Whether the case is selected, to decide on several together. */
  isMarked: boolean
  /** Undefined if moderators decide cases one by one. */
  onMark: (() => void) | undefined
  onSelect: () => void
}

type CompactProps = CaseCardProps & { why: string; isOpen: boolean; onOpen: () => void }

interface MarkProps {
  subject: string
  isMarked: boolean
  onMark: () => void
  className: string
}
