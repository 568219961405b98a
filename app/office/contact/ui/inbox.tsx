/**
 * Spec §2.12. Messages on the left, the open one on the right. Phones show one at a time. Load it
 * with its dialog or screen.
 */
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { hasCode, useApi } from '#app/api/client.ts'
import { reportError } from '#app/kit/forms/refusal.ts'
import { KeyCap } from '#app/kit/ui/badge.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { Dialog } from '#app/kit/ui/dialog.tsx'
import { plural } from '#app/kit/ui/format.ts'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { inheritorOf, stepFrom } from '#app/kit/ui/list-keys.ts'
import { toast } from '#app/kit/ui/toast.ts'
import { useDebounced } from '#app/kit/ui/use-debounced.ts'
import type { ContactContract, ContactMessage } from '../contact.contract.ts'
import {
  ALL_MESSAGES,
  assign,
  choicesQuery,
  inboxQuery,
  moveMessage,
  refreshInbox,
  unreadQuery,
} from '../contact.data.ts'
import {
  ALLOWED_PREVIOUS_STATUSES,
  type ContactFilter,
  type ContactStatus,
  INBOX_FAILED,
  INBOX_TITLE,
  NO_MESSAGES,
  NOTHING_SELECTED,
  STATUS_CHANGED,
  STATUS_FAILED,
} from '../contact.ts'
import { INBOX_KEYS, type InboxCommand, inboxCommandOf } from '../inbox-keys.ts'
import { InboxFilters, InboxNarrow } from './inbox-filters.tsx'
import { InboxList, rowIdOf } from './inbox-list.tsx'
import { MessageDetail } from './message-detail.tsx'

const TYPING_MS = 250
/** Stays long enough for people to change their mind. */
const DELETED_TOAST_MS = 10_000

export function Inbox({ className }: { className?: string }) {
  const api = useApi<ContactContract>()
  const queries = { api, queryClient: useQueryClient() }
  const [filter, setFilter] = useState<ContactFilter>('all')
  const [typed, setTyped] = useState('')
  const search = useDebounced(typed.trim(), TYPING_MS)
  const [narrowed, setNarrowed] = useState(ALL_MESSAGES)
  const query = useInfiniteQuery(inboxQuery(api, filter, search, narrowed))
  const unread = useQuery(unreadQuery(api))
  const choices = useQuery(choicesQuery(api))
  const messages = query.data?.pages.flatMap((page) => page.messages) ?? []
  const keys = messages.map(({ id }) => id)
  // Kept as it was when it left the list, so it doesn't disappear while people read it.
  const [opened, setOpened] = useState<ContactMessage>()
  const shown = messages.find(({ id }) => id === opened?.id) ?? opened
  const openedNow = useRef<string>(undefined)
  openedNow.current = opened?.id
  /** Where the keyboard continues after the open message has left the list. */
  const [resting, setResting] = useState<string>()
  const panel = useRef<HTMLElement>(null)
  const detail = useRef<HTMLHeadingElement>(null)

  const { isError, errorUpdatedAt } = query
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each failure
  useEffect(() => {
    if (isError) toast({ id: 'contact-inbox', ...INBOX_FAILED })
  }, [isError, errorUpdatedAt])

  const focusOn = (id: string | undefined) => {
    const row = id === undefined ? null : document.getElementById(rowIdOf(id))
    // On a phone, the message covers the list.
    const target = row && row.offsetParent !== null ? row : (detail.current ?? panel.current)
    target?.focus({ preventScroll: true })
    if (target === row) row?.scrollIntoView({ block: 'nearest' })
  }
  const close = () => {
    const id = opened?.id
    flushSync(() => setOpened(undefined))
    focusOn(id)
  }
  const open = async (message: ContactMessage) => {
    flushSync(() => {
      setOpened(message)
      setResting(undefined)
    })
    focusOn(message.id)
    // Spec §4: opening an unread message marks it read.
    if (message.status === 'unread') await move(message, 'read', true)
  }
  const leave = (message: ContactMessage) => {
    const next = inheritorOf(
      keys,
      keys.filter((id) => id !== message.id),
      message.id,
    )
    flushSync(() => {
      setOpened(undefined)
      setResting(next)
    })
    focusOn(next)
  }
  async function move(message: ContactMessage, status: ContactStatus, isOpening = false) {
    try {
      const { isListed } = await moveMessage(queries, message, filter, status, isOpening)
      toastStatus(message, status)
      // The open message keeps its updated status even after it left the list.
      setOpened((now) => (now?.id === message.id ? { ...now, status } : now))
      if (!isListed && openedNow.current === message.id) leave(message)
    } catch (error) {
      // Someone else was faster. When a message is just being opened, we don't have to mention that.
      if (!isOpening || !hasCode(error, 'changed-meanwhile'))
        toast({ id: 'contact-status', ...STATUS_FAILED })
      refreshInbox(queries.queryClient)
    }
  }
  /** We keep deleted messages for a while, and people can still archive them. Spec §4. */
  function toastStatus(message: ContactMessage, status: ContactStatus) {
    const archiveInstead = async () => {
      try {
        await moveMessage(queries, message, filter, 'archived', false)
        toastStatus(message, 'archived')
      } catch {
        toast({ id: 'contact-status', ...STATUS_FAILED })
      }
      refreshInbox(queries.queryClient)
    }
    toast({
      id: 'contact-status',
      title: STATUS_CHANGED[status],
      ...(status === 'deleted' && {
        duration: DELETED_TOAST_MS,
        action: { label: 'Archive instead', onPress: archiveInstead },
      }),
    })
  }
  /** If two administrators take a message at once, one of them learns that the other has it. */
  async function take(message: ContactMessage) {
    const me = choices.data?.administrators.find(({ isMe }) => isMe)?.name
    if (!me || message.assignee !== null) return
    try {
      await assign(queries, message, me)
      toast({ id: 'contact-filing', title: 'Assigned to you' })
    } catch (error) {
      reportError('Couldn’t save the change', 'contact-filing')(error)
      refreshInbox(queries.queryClient)
    }
  }
  const command = (wanted: InboxCommand) => {
    if (wanted === 'next' || wanted === 'previous') {
      const id = !shown && resting ? resting : stepFrom(keys, shown?.id, wanted === 'next' ? 1 : -1)
      const message = messages.find((it) => it.id === id)
      if (message && message.id !== shown?.id) open(message)
      else focusOn(id)
      return
    }
    if (!shown) return
    if (wanted === 'take') {
      take(shown)
      return
    }
    const status =
      wanted === 'archive'
        ? shown.status === 'archived'
          ? 'read'
          : 'archived'
        : shown.status === 'unread'
          ? 'read'
          : 'unread'
    if (ALLOWED_PREVIOUS_STATUSES[status].includes(shown.status)) move(shown, status)
  }

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const wanted = isForUs(event, panel.current) ? inboxCommandOf(event) : undefined
      if (!wanted) return
      event.preventDefault()
      command(wanted)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  })

  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-label="Contact messages"
      className={cx('grid min-w-0 grid-cols-1 gap-4 outline-none', className)}
    >
      <InboxFilters
        filter={filter}
        unread={unread.data?.unread}
        onFilter={(next) => {
          setFilter(next)
          setOpened(undefined)
          setResting(undefined)
        }}
        search={typed}
        onSearch={setTyped}
        className={shown && 'max-md:hidden'}
      />
      <InboxNarrow
        narrowed={narrowed}
        onChoose={(next) => {
          setNarrowed(next)
          setOpened(undefined)
          setResting(undefined)
        }}
        className={shown && 'max-md:hidden'}
      />
      <p role="status" className="sr-only">
        {query.isSuccess &&
          (messages.length > 0 ? plural(messages.length, 'message') : NO_MESSAGES)}
      </p>
      <div className="grid min-w-0 grid-cols-1 md:h-[min(32rem,calc(100dvh-20rem))] md:min-h-72 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] md:overflow-hidden md:rounded-lg md:border md:border-line">
        <InboxList
          query={query}
          messages={messages}
          filter={filter}
          search={search}
          isNarrowed={narrowed.assigned !== 'anybody' || narrowed.label !== undefined}
          selected={shown?.id}
          onOpen={open}
          className={cx(
            'min-w-0 md:overflow-y-auto md:overscroll-contain md:border-r md:border-line',
            shown && 'max-md:hidden',
          )}
        />
        {shown ? (
          <MessageDetail
            key={shown.id}
            message={shown}
            heading={detail}
            onMove={(status) => move(shown, status)}
            onBack={close}
            className="min-w-0 md:overflow-y-auto md:overscroll-contain md:px-6 md:py-5"
          />
        ) : (
          <p className="m-auto px-6 text-center text-sm text-ink-faint max-md:hidden">
            {NOTHING_SELECTED}
          </p>
        )}
      </div>
      <KeysHint />
    </section>
  )
}

function KeysHint() {
  return (
    <p className="flex flex-wrap gap-x-5 gap-y-1 text-xs text-ink-faint max-md:hidden">
      {INBOX_KEYS.map(({ key, meaning }) => (
        <span key={key} className="inline-flex items-center gap-1.5">
          <KeyCap>{key.toUpperCase()}</KeyCap> {meaning}
        </span>
      ))}
    </p>
  )
}

/**
 * Keys don't work while typing, and only if the focus is in the inbox or its dialog, because single keys belong to
 * what has the focus.
 */
function isForUs({ target, defaultPrevented }: KeyboardEvent, panel: HTMLElement | null) {
  if (defaultPrevented || !panel || !(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.matches('input, textarea, select')) return false
  return (panel.closest('[role=dialog]') ?? panel).contains(target)
}

/** Load it with `lazyDialog`. */
export function InboxDialog({ open, onOpenChange }: OpenProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} width="lg" title={INBOX_TITLE}>
      <Inbox />
    </Dialog>
  )
}
