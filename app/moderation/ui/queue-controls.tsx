/** The controls around the queue's cases, and which cases are selected. */
import { Check, Trash2, X } from 'lucide'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { DECISIONS_AT_ONCE_MAX } from '#app/community/reports/report.ts'
import { IconButton } from '#app/kit/ui/button.tsx'
import { Select } from '#app/kit/ui/field.tsx'
import { grouped } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { inheritorOf, stepFrom } from '#app/kit/ui/list-keys.ts'
import { toast } from '#app/kit/ui/toast.ts'
import type { QueueFilter, QueuePage } from '../moderation.contract.ts'
import { CASE_REASONS, caseReasonName } from '../moderation.ts'
import { elementIdOf } from './case-card.tsx'
import { DecisionButton } from './case-decisions.tsx'

/** Filters the queue by reason and company, each with its number of cases. */
export function QueueFilters({ filter, choices, onChange }: QueueFiltersProps) {
  const { reasons = [], companies = [] } = choices ?? {}
  // The chosen one stays even if no such cases are left.
  const whys = CASE_REASONS.filter(
    (each) => each === filter.why || reasons.some(({ why }) => why === each),
  )
  // The count comes first, because a phone cuts off the end of a long line.
  const counted = (name: string, count: number | undefined) =>
    count === undefined ? name : `${grouped(count)} · ${name}`
  const isMissing = filter.company && !companies.some(({ id }) => id === filter.company)
  /** The number of cases that aren't listed, once we know it. */
  const none = choices && 0
  return (
    <div className="mb-3 grid grid-cols-2 gap-2.5 md:mb-4">
      <Select
        label="Reason"
        isLabelHidden
        value={filter.why ?? ''}
        onChange={({ target }) =>
          onChange({ ...filter, why: CASE_REASONS.find((each) => each === target.value) })
        }
      >
        <option value="">Any reason</option>
        {whys.map((each) => (
          <option key={each} value={each}>
            {counted(caseReasonName(each), reasons.find(({ why }) => why === each)?.count ?? none)}
          </option>
        ))}
      </Select>
      <Select
        label="Company"
        isLabelHidden
        value={filter.company ?? ''}
        onChange={({ target }) => onChange({ ...filter, company: target.value || undefined })}
      >
        <option value="">Any company</option>
        {isMissing && <option value={filter.company}>{counted('The chosen company', none)}</option>}
        {companies.map(({ id, name, count }) => (
          <option key={id} value={id}>
            {counted(name, count)}
          </option>
        ))}
      </Select>
    </div>
  )
}

interface QueueFiltersProps {
  filter: QueueFilter
  /** Undefined until we know the choices. */
  choices: Pick<QueuePage, 'reasons' | 'companies'> | undefined
  onChange: (filter: QueueFilter) => void
}

export interface LeftCase {
  id: string
  title: string
  why: string
}

/** Which of several cases weren't decided with the others, and why. Usually, someone else was faster. */
export function LeftAsTheyWere({ cases, onClose }: { cases: LeftCase[]; onClose: () => void }) {
  return (
    <div role="status">
      {cases.length > 0 && (
        <section className="mb-4 flex items-start gap-3 rounded-xl border border-line-strong bg-sunken p-4 text-sm leading-6">
          <div className="min-w-0 flex-1">
            <h2 className="font-semibold text-ink">
              {cases.length === 1 ? 'One wasn’t changed' : `${cases.length} weren’t changed`}
            </h2>
            <ul className="mt-1 grid gap-1 text-ink-soft">
              {cases.map(({ id, title, why }) => (
                <li key={id} className="break-words">
                  <bdi className="font-medium text-ink">{title}</bdi>: {why}
                </li>
              ))}
            </ul>
          </div>
          <IconButton label="Close" onClick={onClose} className="-mt-1.5 -mr-1.5">
            <Icon of={X} />
          </IconButton>
        </section>
      )}
    </div>
  )
}

/** Decides the selected cases. The bar stays visible while you read the list. */
export function MarkedBar({ count, isBusy, hasKeys, onCommand }: MarkedBarProps) {
  const common = { isBusy, className: 'max-md:[&_svg]:hidden' }
  return (
    <>
      <p role="status" className="sr-only">
        {count > 0 ? `${count} selected` : ''}
      </p>
      {count > 0 && (
        <div
          role="toolbar"
          aria-label="Selected cases"
          className="sticky bottom-3 z-10 mt-4 flex items-center gap-2 rounded-xl border border-line-strong bg-surface p-2.5 pl-4 shadow-card max-md:bottom-20"
        >
          <span className="mr-auto shrink-0 text-sm font-medium whitespace-nowrap text-ink">
            {count} selected
          </span>
          <DecisionButton
            {...common}
            icon={Check}
            keyName={hasKeys ? 'A' : undefined}
            onClick={() => onCommand('keep')}
          >
            Keep
          </DecisionButton>
          <DecisionButton
            {...common}
            icon={Trash2}
            keyName={hasKeys ? 'R' : undefined}
            onClick={() => onCommand('remove')}
          >
            Remove...
          </DecisionButton>
          <IconButton label="Select none" onClick={() => onCommand('unmark')}>
            <Icon of={X} />
          </IconButton>
        </div>
      )}
    </>
  )
}

interface MarkedBarProps {
  count: number
  isBusy: boolean
  hasKeys: boolean
  onCommand: (command: 'keep' | 'remove' | 'unmark') => void
}

/**
 * The selected case. After a decision, the next one is selected. The focus never gets lost. @param panel
 * gets the focus if no case is left
 */
export function useSelection(keys: readonly string[], panel: RefObject<HTMLElement | null>) {
  const [known, setKnown] = useState<Known>({ keys, selected: undefined })
  const list = keys.join()
  const hasChanged = known.keys.join() !== list
  const selected = hasChanged ? inheritorOf(known.keys, keys, known.selected) : known.selected
  if (hasChanged) setKnown({ keys, selected })

  const select = (key: string | undefined) => setKnown({ keys, selected: key })
  /** Gets the focus as soon as it's in the list. */
  const awaited = useRef<string>(undefined)
  const moveTo = (key: string | undefined) => {
    if (!key) return
    select(key)
    if (!focusCase(key)) awaited.current = key
  }
  const focusSelected = () => {
    if (!selected || !focusCase(selected)) panel.current?.focus({ preventScroll: true })
  }

  const wasUsed = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at whenever the list changes
  useEffect(() => {
    if (awaited.current && focusCase(awaited.current)) {
      select(awaited.current)
      awaited.current = undefined
    } else if (wasUsed.current && document.activeElement === document.body) {
      // The focused button disappeared with its case.
      focusSelected()
    }
    wasUsed.current ||= selected !== undefined
  }, [list, selected])
  return {
    selected,
    select,
    moveTo,
    step: (by: 1 | -1) => moveTo(stepFrom(keys, selected, by)),
    focusSelected,
  }
}

/** A screen reader reads the focused case. Returns whether it's there. */
function focusCase(key: string): boolean {
  const element = document.getElementById(elementIdOf(key))
  element?.focus({ preventScroll: true })
  element?.scrollIntoView({ block: 'start' })
  return element !== null
}

interface Known {
  keys: readonly string[]
  selected: string | undefined
}

/** The cases selected to decide on together. A case that leaves the list is no longer selected. */
export function useMarks(keys: readonly string[]) {
  const [known, setMarked] = useState<ReadonlySet<string>>(new Set())
  const marked = new Set(keys.filter((key) => known.has(key)))
  /** Returns whether another one could be selected. */
  const mark = (next: Set<string>) => {
    const hasRoom = next.size <= DECISIONS_AT_ONCE_MAX
    if (hasRoom) setMarked(next)
    else toast({ title: `You can decide on at most ${DECISIONS_AT_ONCE_MAX} at once` })
    return hasRoom
  }
  return {
    marked: marked as ReadonlySet<string>,
    clear: () => setMarked(new Set()),
    toggle(key: string) {
      const next = new Set(marked)
      if (!next.delete(key)) next.add(key)
      mark(next)
    },
    add: (...added: (string | undefined)[]) =>
      mark(new Set([...marked, ...added.filter((key) => key !== undefined)])),
  }
}
