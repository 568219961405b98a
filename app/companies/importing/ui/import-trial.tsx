import { ChevronDown } from 'lucide'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { SiteLink } from '#app/kit/session/site.tsx'
import { KeyCap } from '#app/kit/ui/badge.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { grouped } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { isPlain } from '#app/kit/ui/list-keys.ts'
import { REASONS } from '../company-matching.ts'
import { countOutcomes, type FillField, fieldCounts, fieldNames } from '../filling.ts'
import type { Chosen } from '../import.data.ts'
import {
  companiesCounted,
  type Decision,
  fieldsCounted,
  type ImportTrial,
  type TriedDoubt,
} from '../import-report.ts'
import type { Meanings } from '../unclear-cells.ts'
import { FieldsHere } from './fields-here.tsx'
import { titled } from './import-columns.tsx'
import { Question } from './question.tsx'
import { StepHeading } from './step-heading.tsx'
import { UnclearColumns } from './unclear-columns.tsx'

/** The import's third step: a preview, questions about columns, and decisions about possible duplicates. */

interface ImportTrialStepProps {
  trial: ImportTrial
  /** What someone chose before, and what they said about the trial's unclear cells. */
  chosen?: Chosen
  isBusy: boolean
  onMeanings: (meanings: Meanings) => void
  onAdd: (decided: Pick<Chosen, 'isNew' | 'isSame' | 'replace'>) => void
  onBack: () => void
}

export function ImportTrialStep(props: ImportTrialStepProps) {
  const { trial, chosen, isBusy, onMeanings, onAdd, onBack } = props
  const [decisions, setDecisions] = useState(() => decidedBefore(trial))
  const [ticked, setTicked] = useState<FillField[]>([])
  const decide = (row: number, decision: Decision) =>
    setDecisions((all) => ({ ...all, [row]: decision }))
  const [asked, before] = [
    trial.doubts.filter(({ decided }) => !decided),
    trial.doubts.filter(({ decided }) => decided),
  ]
  const decided = (decision: Decision) =>
    trial.doubts.filter(({ row }) => decisions[row] === decision)
  const same = decided('same')
  const isNew = decided('new').map(({ row }) => row)
  const isSame = same.map(({ row, companyId }) => ({ row, companyId }))
  const counts = countsWith(trial, same)
  const replace = ticked.filter((field) => counts[field]?.kept)
  const added = trial.newCount + isNew.length
  const filled = sum(fieldCounts(counts).map(({ filled }) => filled))
  const replaced = sum(replace.map((field) => counts[field]?.kept ?? 0))
  const {
    newRows,
    existingRows,
    failures,
    newCount,
    existingCount,
    doubtful,
    failed,
    omittedCount,
    omittedCells,
  } = trial
  return (
    <div className="grid min-w-0 gap-5">
      <StepHeading>Preview</StepHeading>
      <RowCounts
        className="grid-cols-2 sm:grid-cols-4"
        counts={{
          New: newCount,
          'Possible duplicates': doubtful,
          'Already here': existingCount,
          Unreadable: failed,
        }}
      />
      {asked.length > 0 && <Doubts doubts={asked} decisions={decisions} onDecide={decide} />}
      <Rows title="Decided for an earlier list" total={before.length}>
        {before.map((doubt) => (
          <DoubtRow
            key={doubt.row}
            doubt={doubt}
            decision={decisions[doubt.row]}
            onDecide={(decision) => decide(doubt.row, decision)}
          />
        ))}
      </Rows>
      {trial.unclear.length > 0 && (
        <UnclearColumns
          columns={trial.unclear}
          chosen={chosen}
          isBusy={isBusy}
          onMeanings={onMeanings}
        />
      )}
      <Rows title="New" total={newCount}>
        {newRows.map(({ row, name, category }) => (
          <Row key={row} row={row}>
            {name} <span className="text-ink-soft">{category}</span>
          </Row>
        ))}
      </Rows>
      <Rows title="Already here" total={existingCount}>
        {existingRows.map(({ row, name, sameAs, changed }) => (
          <Row key={row} row={row}>
            {name} <Same {...sameAs} />
            <FieldNames fields={changed} />
          </Row>
        ))}
      </Rows>
      <FieldsHere counts={counts} replace={replace} onReplace={setTicked} />
      <Rows title="Cells we leave out" total={omittedCount}>
        {omittedCells.map(({ row, field, reason }) => (
          <Row key={`${row} ${field}`} row={row}>
            <span className="text-ink-soft">{field}</span> {reason}
          </Row>
        ))}
      </Rows>
      <Rows title="Unreadable" total={failed}>
        {failures.map(({ row, reason }) => (
          <Row key={row} row={row}>
            {reason}
          </Row>
        ))}
      </Rows>
      {filled + replaced > 0 && (
        <p role="status" className="text-sm text-ink">
          {changesSentence({ added, filled, replaced })}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button
          disabled={added + filled + replaced === 0}
          busy={isBusy}
          busyLabel="Checking..."
          onClick={() => onAdd({ isNew, isSame, replace })}
        >
          {added > 0
            ? `Add ${companiesCounted(added)}`
            : filled + replaced > 0
              ? 'Update companies'
              : 'Nothing to add'}
        </Button>
        <Button variant="secondary" disabled={isBusy} onClick={onBack}>
          Back to the columns
        </Button>
      </div>
    </div>
  )
}

/** By row. */
const decidedBefore = ({ doubts }: ImportTrial): Record<number, Decision> =>
  Object.fromEntries(doubts.flatMap(({ row, decided }) => (decided ? [[row, decided]] : [])))

/**
 * Counts including the rows that someone decided are the same. If several are about one company, the
 * first decides.
 */
function countsWith({ fields }: ImportTrial, same: TriedDoubt[]) {
  const counts = structuredClone(fields)
  const given = new Set<string>()
  for (const { companyId, cellOutcomes } of same)
    for (const [field, outcome] of Object.entries(cellOutcomes)) {
      const cell = `${companyId} ${field}`
      if (!given.has(cell)) countOutcomes(counts, { [field]: outcome })
      given.add(cell)
    }
  return counts
}

const sum = (counts: number[]) => counts.reduce((all, count) => all + count, 0)

type Changes = Record<'added' | 'filled' | 'replaced', number>

/** Such as "Adds 3 companies and fills in 12 fields." */
function changesSentence({ added, filled, replaced }: Changes) {
  const parts = [
    added > 0 ? `adds ${companiesCounted(added)}` : [],
    filled > 0 ? `fills in ${fieldsCounted(filled)}` : [],
    replaced > 0 ? `replaces ${fieldsCounted(replaced)}` : [],
  ].flat()
  return `${titled(new Intl.ListFormat('en').format(parts))}.`
}

interface RowsProps {
  title: string
  total: number
  children: ReactNode[]
}

/** Collapsed, because the counts say most. */
function Rows({ title, total, children }: RowsProps) {
  if (total === 0) return null
  return (
    <details className="group min-w-0 rounded-lg border border-line">
      <summary className="flex min-h-11 cursor-pointer items-center justify-between gap-3 px-3 text-sm text-ink">
        {`${title}: ${grouped(total)}`}
        <Icon
          of={ChevronDown}
          className="size-4 text-ink-faint transition-transform group-open:rotate-180"
        />
      </summary>
      <ul
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it
        tabIndex={0}
        className="max-h-80 divide-y divide-line overflow-y-auto border-t border-line"
      >
        {children}
      </ul>
      {total > children.length && (
        <p className="border-t border-line px-3 py-2 text-sm text-ink-soft">
          {`And ${grouped(total - children.length)} more.`}
        </p>
      )}
    </details>
  )
}

const Row = ({ row, children }: { row: number; children: ReactNode }) => (
  <li className="grid grid-cols-[3.5rem_minmax(0,1fr)] px-3 py-2 text-sm leading-6">
    <span className="tabular-nums text-ink-soft">{grouped(row)}</span>
    <span className="[overflow-wrap:anywhere]">{children}</span>
  </li>
)

const Same = ({ name, path }: { name: string; path: string }) => (
  <>
    <span className="text-ink-soft">is </span>
    <SiteLink
      href={path}
      target="_blank"
      rel="noopener"
      className="underline decoration-line-strong underline-offset-4"
    >
      {name}
    </SiteLink>
  </>
)

export const FieldNames = ({ fields }: { fields: FillField[] }) =>
  fields.length > 0 && <span className="text-ink-soft">{`: ${fieldNames(fields)}`}</span>

interface DoubtsProps {
  doubts: TriedDoubt[]
  decisions: Record<number, Decision>
  onDecide: (row: number, decision: Decision) => void
}

const KEYS: Record<string, Decision> = { s: 'same', n: 'new' }
const STEPS: Record<string, 1 | -1> = { j: 1, k: -1 }

/** One key decides and moves the focus to the next duplicate. */
function Doubts({ doubts, decisions, onDecide }: DoubtsProps) {
  const list = useRef<HTMLUListElement>(null)
  const focusOn = (at: number) => {
    const doubt = list.current?.children[at]
    const choice = doubt?.querySelector('input:checked') ?? doubt?.querySelector('input')
    if (choice instanceof HTMLElement) choice.focus()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when they appear
  useEffect(() => focusOn(0), [])
  const press = (event: KeyboardEvent<HTMLUListElement>) => {
    const { nativeEvent, target } = event
    if (!isPlain(nativeEvent) || nativeEvent.shiftKey || nativeEvent.repeat) return
    const at = [...event.currentTarget.children].findIndex((item) => item.contains(target as Node))
    const decision = KEYS[event.key.toLowerCase()]
    const step = decision ? 1 : STEPS[event.key.toLowerCase()]
    const doubt = doubts[at]
    if (!doubt || !step) return
    event.preventDefault()
    if (decision) onDecide(doubt.row, decision)
    focusOn(Math.min(Math.max(at + step, 0), doubts.length - 1))
  }
  const decided = doubts.filter(({ row }) => decisions[row]).length
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h4 className="text-sm font-semibold text-ink">
          {`Possible duplicates: ${grouped(decided)} of ${grouped(doubts.length)} decided`}
        </h4>
        <p className="flex flex-wrap gap-x-4 text-xs leading-6 text-ink-faint max-md:hidden">
          <span>
            <KeyCap>S</KeyCap> the same
          </span>
          <span>
            <KeyCap>N</KeyCap> another company
          </span>
          <span>
            <KeyCap>J</KeyCap> <KeyCap>K</KeyCap> next, previous
          </span>
        </p>
      </div>
      <p className="text-sm text-ink-soft">Rows you don’t decide on are skipped.</p>
      <ul
        ref={list}
        onKeyDown={press}
        className="max-h-[32rem] divide-y divide-line overflow-y-auto rounded-lg border border-line"
      >
        {doubts.map((doubt) => (
          <DoubtRow
            key={doubt.row}
            doubt={doubt}
            decision={decisions[doubt.row]}
            onDecide={(decision) => onDecide(doubt.row, decision)}
          />
        ))}
      </ul>
    </div>
  )
}

interface DoubtRowProps {
  doubt: TriedDoubt
  decision: Decision | undefined
  onDecide: (decision: Decision) => void
}

function DoubtRow({ doubt, decision, onDecide }: DoubtRowProps) {
  const { row, name, sameAs, because } = doubt
  return (
    <Question
      legend={`Is ${name} the same as ${sameAs.name}?`}
      hint={`Row ${grouped(row)}. ${REASONS[because]}.`}
      choices={[
        ['same', 'The same'],
        ['new', 'Another company'],
      ]}
      chosen={decision}
      onChoose={onDecide}
    >
      <span className="font-medium text-ink">{name}</span>{' '}
      <span className="text-ink-soft">and</span>{' '}
      <SiteLink
        href={sameAs.path}
        target="_blank"
        rel="noopener"
        className="underline decoration-line-strong underline-offset-4"
      >
        {sameAs.name}
      </SiteLink>
    </Question>
  )
}

interface RowCountsProps {
  counts: Record<string, number>
  /** Sets the columns. */
  className: string
}

export const RowCounts = ({ counts, className }: RowCountsProps) => (
  <dl
    className={cx(
      'grid gap-px overflow-hidden rounded-lg border border-line bg-line text-center',
      className,
    )}
  >
    {Object.entries(counts).map(([name, count]) => (
      <div key={name} className="grid bg-surface px-2 py-3">
        <dt className="order-2 text-xs text-ink-soft">{name}</dt>
        <dd className="font-serif text-2xl leading-tight tabular-nums">{grouped(count)}</dd>
      </div>
    ))}
  </dl>
)
