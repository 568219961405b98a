/** The cases that wait for a decision, which moderators make with keys or buttons. */
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import type {
  DecidedTogether,
  DecisionContract,
  SeenPost,
} from '#app/community/reports/decision.contract.ts'
import {
  keepPost,
  keepPosts,
  type PostQueries,
  setThreadLocked,
  undoLast,
  withdrawOffer,
} from '#app/community/reports/decision.data.ts'
import type { PostKind } from '#app/community/reports/report.ts'
import type { Reason } from '#app/identity/accounts/suspension.ts'
import { errorSentence, reportError } from '#app/kit/forms/refusal.ts'
import { useSession } from '#app/kit/session/session.data.ts'
import { useReach } from '#app/kit/session/site.tsx'
import { KeyCap } from '#app/kit/ui/badge.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'
import { stepFrom } from '#app/kit/ui/list-keys.ts'
import { EmptyState, LoadError } from '#app/kit/ui/message.tsx'
import { MoreButton } from '#app/kit/ui/paged-list.tsx'
import { Loading, SkeletonCard } from '#app/kit/ui/skeleton.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import type { Case, ModerationContract, QueueFilter, QueueList } from '../moderation.contract.ts'
import {
  acceptAppeal,
  acceptHeldVotes,
  chooseShortcuts,
  discardHeldVotes,
  leaveQueue,
  queueQuery,
  wantsShortcuts,
} from '../moderation.data.ts'
import {
  closesWithVotes,
  type GroupCommand,
  MODERATION_REFUSALS,
  noAuthorToSuspend,
  type QueueCommand,
  queueCommandOf,
} from '../moderation.ts'
import { CaseCard } from './case-card.tsx'
import {
  LeftAsTheyWere,
  type LeftCase,
  MarkedBar,
  QueueFilters,
  useMarks,
  useSelection,
} from './queue-controls.tsx'

const RemovalDialog = lazyDialog(() =>
  import('#app/community/reports/ui/removal-dialog.tsx').then((it) => it.RemovalDialog),
)
const SuspensionDialog = lazyDialog(() =>
  import('#app/community/reports/ui/suspension-dialog.tsx').then((it) => it.SuspensionDialog),
)
const DeclineDialog = lazyDialog(() => import('./queue-dialogs.tsx').then((it) => it.DeclineDialog))
const KeysDialog = lazyDialog(() => import('./queue-dialogs.tsx').then((it) => it.KeysDialog))

const keyOf = ({ kind, id }: Pick<Case, 'kind' | 'id'>) => `${kind}/${id}`

const EMPTY: Record<QueueList, { title: string; text: string }> = {
  open: { title: 'Nothing to review', text: 'You’re all caught up. Put the kettle on.' },
  appeals: { title: 'No appeals', text: 'No one has appealed a removal.' },
}

/** The message when you press a key for something this post can't do. */
const withoutThread = (wanted: 'lock' | 'suspend', kind: PostKind) => {
  if (wanted === 'suspend') return noAuthorToSuspend(kind)
  return kind === 'note' ? 'A note has no thread to lock' : 'This has no thread to lock'
}

export function Queue({ list }: { list: QueueList }) {
  const api = useApi<DecisionContract & ModerationContract>()
  const queryClient = useQueryClient()
  const reach = useReach()
  const maySuspend = useSession().me?.can.includes('suspendAuthors') ?? false
  const [filter, setFilter] = useState<QueueFilter>({})
  const query = useInfiniteQuery(queueQuery(api, list, filter))
  const cases = query.data?.pages.flatMap((page) => page.cases) ?? []
  const panel = useRef<HTMLDivElement>(null)
  const keys = cases.map(keyOf)
  const { selected, select, moveTo, step, focusSelected } = useSelection(keys, panel)
  const marks = useMarks(keys)
  const [left, setLeft] = useState<LeftCase[]>([])
  const [hasKeys, setHasKeys] = useState(wantsShortcuts)
  const [busy, setBusy] = useState<string>()
  const [asking, setAsking] = useState<'remove' | 'suspend' | 'help'>()
  // A dialog still shows its case while it closes.
  const [subject, setSubject] = useState<Case>()
  const [together, setTogether] = useState<SeenPost[]>()

  const queriesOf = ({ kind, id, seen, thread }: Case): PostQueries => ({
    api,
    queryClient,
    post: { kind, id },
    seen,
    threadId: thread.id,
  })
  const decide = async (
    it: Case,
    send: (queries: PostQueries) => Promise<void>,
    isLast: boolean,
  ) => {
    const queries = queriesOf(it)
    setBusy(keyOf(it))
    try {
      await send(queries)
      if (isLast) leave([it])
    } catch (error) {
      reportError('Couldn’t save your decision')(error)
    }
    setBusy(undefined)
  }
  const leave = (posts: Pick<Case, 'kind' | 'id'>[]) =>
    leaveQueue(api, { queryClient }, { list, filter, posts })
  /** Decided cases leave the list. For the others, we say why they stay. */
  const settle = ({ decided, left }: DecidedTogether) => {
    setLeft(
      left.map((post) => ({
        ...post,
        title: cases.find(({ id }) => id === post.id)?.thread.title ?? `A ${post.kind}`,
      })),
    )
    marks.clear()
    leave(decided)
  }
  const ask = (wanted: 'remove' | 'suspend', it: Case, posts?: SeenPost[]) => {
    withdrawOffer()
    setSubject(it)
    setTogether(posts)
    setAsking(wanted)
  }
  const decideTogether = async (wanted: 'keep' | 'remove', posts: SeenPost[]) => {
    const it = cases.find(({ id }) => id === posts[0]?.id)
    if (!it) return
    if (wanted === 'remove') return ask('remove', it, posts)
    setBusy('together')
    try {
      settle(await keepPosts(queriesOf(it), posts))
    } catch (error) {
      reportError('Couldn’t save your decisions')(error)
    }
    setBusy(undefined)
  }
  const command = async (wanted: QueueCommand | GroupCommand, it: Case | undefined) => {
    if (wanted === 'next') return step(1)
    if (wanted === 'previous') return step(-1)
    if (wanted === 'help') return setAsking('help')
    if (wanted === 'unmark') return marks.clear()
    if (wanted === 'mark-next' || wanted === 'mark-previous') {
      if (list !== 'open') return
      const by = wanted === 'mark-next' ? 1 : -1
      const other = stepFrom(keys, selected, by)
      return moveTo(marks.add(selected, other) ? other : undefined)
    }
    if (wanted === 'undo') {
      const post = await undoLast()
      return moveTo(post && keyOf(post))
    }
    if (busy || !it) return
    if (wanted === 'mark') return list === 'open' ? marks.toggle(keyOf(it)) : undefined
    if (wanted === 'open') {
      const href = reach(it.href)
      return href ? void window.open(href, '_blank', 'noopener') : undefined
    }
    if (wanted === 'suspend' && !maySuspend)
      return void toast({ title: MODERATION_REFUSALS.onlyAdminsSuspend })
    const threadId = it.thread.id
    if (threadId === null) {
      if (wanted === 'lock' || wanted === 'suspend')
        return void toast({ title: withoutThread(wanted, it.kind) })
    } else if (wanted === 'lock')
      return decide(
        it,
        (queries) => setThreadLocked({ ...queries, threadId, seen: it.threadSeen }, !it.isLocked),
        false,
      )
    if (wanted === 'count' || wanted === 'drop') {
      if (!it.heldVotes) return void toast({ title: MODERATION_REFUSALS.noVotes })
      const endVotes = wanted === 'count' ? acceptHeldVotes : discardHeldVotes
      const isAll = list === 'open' && closesWithVotes(it.reports.length > 0, it.state)
      return decide(it, (queries) => endVotes(api, queries), isAll)
    }
    const isTheirs = (wanted === 'keep' || wanted === 'remove') && it.appeal?.mayDecide === false
    if (isTheirs) return void toast({ title: MODERATION_REFUSALS.ownDecision })
    if (wanted === 'keep' && list === 'open' && it.heldVotes)
      return void toast({ title: MODERATION_REFUSALS.votesFirst })
    if (wanted === 'keep')
      return decide(it, list === 'open' ? keepPost : (queries) => acceptAppeal(api, queries), true)
    if (wanted === 'keep-all') return decideTogether('keep', [it, ...it.sameAuthor])
    if (wanted === 'remove-all') return decideTogether('remove', [it, ...it.sameAuthor])
    ask(wanted, it)
  }
  /** A key or the bar decides all selected cases, if there are any. A case's own buttons decide only that case. */
  const commandSelected = (wanted: QueueCommand, it?: Case) => {
    if (marks.marked.size === 0 || (wanted !== 'keep' && wanted !== 'remove'))
      return command(wanted, it)
    if (!busy)
      decideTogether(
        wanted,
        cases
          .filter((each) => marks.marked.has(keyOf(each)))
          .map(({ kind, id, seen }) => ({ kind, id, seen })),
      )
  }

  const isOpen = asking !== undefined
  useEffect(() => {
    if (!hasKeys || isOpen) return
    const press = (event: KeyboardEvent) => {
      const wanted = isForUs(event) ? queueCommandOf(event) : undefined
      if (!wanted || (wanted === 'unmark' && marks.marked.size === 0)) return
      event.preventDefault()
      commandSelected(
        wanted,
        cases.find((it) => keyOf(it) === selected),
      )
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  })
  const wasOpen = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when a dialog has closed
  useEffect(() => {
    // Focus the selected case, because the one whose button opened this may be gone.
    if (wasOpen.current && !isOpen) focusSelected()
    wasOpen.current = isOpen
  }, [isOpen])

  if (query.isError && cases.length === 0)
    return (
      <LoadError
        title="The queue didn’t load"
        text={errorSentence(query.error)}
        onRetry={query.refetch}
      />
    )
  const dialogProps = (what: typeof asking) => ({
    open: asking === what,
    onOpenChange: (open: boolean) => setAsking(open ? what : undefined),
  })
  const [first] = query.data?.pages ?? []
  const matching = first?.matching ?? 0
  const isFiltered = filter.why !== undefined || filter.company !== undefined
  const mostly = subject?.reports.toSorted((one, other) => other.count - one.count)[0]?.reason
  return (
    <div ref={panel} tabIndex={-1} className="outline-none">
      {(isFiltered || cases.length > 1) && (
        <QueueFilters filter={filter} choices={first} onChange={setFilter} />
      )}
      <LeftAsTheyWere cases={left} onClose={() => setLeft([])} />
      {query.isPending ? (
        <QueueSkeleton />
      ) : cases.length === 0 ? (
        <div role="status">
          {isFiltered ? (
            <EmptyState
              title="No matching cases"
              text="Other cases are waiting."
              action={
                <Button variant="secondary" onClick={() => setFilter({})}>
                  Show all
                </Button>
              }
            />
          ) : (
            <EmptyState {...EMPTY[list]} />
          )}
        </div>
      ) : (
        <>
          <KeysChoice hasKeys={hasKeys} onChange={setHasKeys} onHelp={() => setAsking('help')} />
          <ol className="grid gap-2.5 md:mt-4 md:gap-5">
            {cases.map((item, at) => (
              <li key={keyOf(item)} className="min-w-0">
                <CaseCard
                  item={item}
                  caseKey={keyOf(item)}
                  position={at + 1}
                  total={Math.max(matching, cases.length)}
                  isSelected={selected === keyOf(item)}
                  isMarked={marks.marked.has(keyOf(item))}
                  onMark={list === 'open' ? () => marks.toggle(keyOf(item)) : undefined}
                  isBusy={
                    busy === keyOf(item) || (busy !== undefined && marks.marked.has(keyOf(item)))
                  }
                  hasKeys={hasKeys}
                  onSelect={() => selected !== keyOf(item) && select(keyOf(item))}
                  onCommand={(wanted) => command(wanted, item)}
                />
              </li>
            ))}
          </ol>
          <MoreButton list={query} className="mt-6" />
          <MarkedBar
            count={marks.marked.size}
            isBusy={busy !== undefined}
            hasKeys={hasKeys}
            onCommand={commandSelected}
          />
        </>
      )}
      <KeysDialog {...dialogProps('help')} />
      {subject && (
        <Dialogs
          key={keyOf(subject) + (together?.length ?? '')}
          subject={subject}
          mostly={mostly}
          queries={{
            ...queriesOf(subject),
            ...(together && { together }),
          }}
          hasKeys={hasKeys}
          dialogProps={dialogProps}
          onGone={() => leave([subject])}
          onTogether={settle}
        />
      )}
    </div>
  )
}

function Dialogs(props: DialogsProps) {
  const { subject, mostly, queries, hasKeys, dialogProps, onGone, onTogether } = props
  return (
    <>
      {subject.appeal?.status === 'open' ? (
        <DeclineDialog {...dialogProps('remove')} queries={queries} onDone={onGone} />
      ) : (
        <RemovalDialog
          {...dialogProps('remove')}
          queries={queries}
          reason={mostly}
          hasDigits={hasKeys}
          onDone={onGone}
          onTogether={onTogether}
        />
      )}
      <SuspensionDialog
        {...dialogProps('suspend')}
        queries={queries}
        reason={subject.reason ?? mostly}
        hasDigits={hasKeys}
      />
    </>
  )
}

function KeysChoice({ hasKeys, onChange, onHelp }: KeysChoiceProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 text-sm text-ink-soft max-md:hidden">
      {/* Looks like our forms' checkbox, which would add a kilobyte. */}
      <label className="flex min-h-8 items-center gap-3">
        <input
          type="checkbox"
          checked={hasKeys}
          onChange={(event) => {
            onChange(event.target.checked)
            chooseShortcuts(event.target.checked)
          }}
          className="size-[1.125rem] shrink-0 accent-tea"
        />
        Keyboard shortcuts
      </label>
      {hasKeys && (
        <p className="flex items-center gap-4">
          <span>
            <KeyCap>J</KeyCap> <KeyCap>K</KeyCap> go through the cases
          </span>
          <Button variant="link" size="sm" {...KeysDialog.preload} onClick={onHelp}>
            All shortcuts
          </Button>
        </p>
      )}
    </div>
  )
}

/** Keys don't work while you type or choose, or in a dialog. Arrows only work while a case has the focus. */
function isForUs({ target, key, defaultPrevented }: KeyboardEvent) {
  if (defaultPrevented || !(target instanceof HTMLElement)) return false
  if (target.isContentEditable) return false
  if (target.matches('input:not([type=checkbox]), textarea, select')) return false
  if (target.closest('[role=dialog], [role=menu], [role=listbox]')) return false
  return !key.startsWith('Arrow') || target.matches('[data-case]')
}

const QueueSkeleton = () => (
  <Loading label="Loading the queue..." times={4} className="grid gap-2.5 md:gap-5">
    <SkeletonCard className="h-28 md:h-64" />
  </Loading>
)

interface DialogsProps {
  subject: Case
  /** The most common reason for its reports. */
  mostly: Reason | undefined
  queries: PostQueries
  hasKeys: boolean
  dialogProps: (what: 'remove' | 'suspend') => {
    open: boolean
    onOpenChange: (open: boolean) => void
  }
  onGone: () => void
  onTogether: (together: DecidedTogether) => void
}

interface KeysChoiceProps {
  hasKeys: boolean
  onChange: (hasKeys: boolean) => void
  onHelp: () => void
}
