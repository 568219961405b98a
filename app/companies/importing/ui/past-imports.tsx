import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { errorSentence } from '#app/kit/forms/refusal.ts'
import { SiteLink } from '#app/kit/session/site.tsx'
import { Badge } from '#app/kit/ui/badge.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { dateText, grouped } from '#app/kit/ui/format.ts'
import { LoadErrorLine } from '#app/kit/ui/message.tsx'
import type { FillField } from '../filling.ts'
import { pastImportsQuery, undoImport } from '../import.data.ts'
import {
  companiesCounted,
  IMPORT_TEXTS,
  type ImportReport,
  type SameCompany,
  undoneSentence,
} from '../import-report.ts'
import type { ImportsContract, PastImport, UndoneImport } from '../imports.contract.ts'
import { FieldsHere } from './fields-here.tsx'
import { FieldNames, RowCounts } from './import-trial.tsx'

export function PastImports() {
  const { data, isError, refetch } = useQuery(pastImportsQuery(useApi<ImportsContract>()))
  if (!data)
    return isError ? (
      <LoadErrorLine text="Couldn’t load earlier imports." onRetry={refetch} />
    ) : null
  if (data.imports.length === 0) return null
  return (
    <section aria-labelledby="past-imports" className="grid gap-2 border-t border-line pt-4">
      <h3 id="past-imports" className="text-base font-semibold text-ink">
        Earlier imports
      </h3>
      <ul className="divide-y divide-line">
        {data.imports.map((made) => (
          <li
            key={made.id}
            className="grid gap-x-4 gap-y-2 py-3 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center"
          >
            <div className="min-w-0 text-sm leading-6">
              <p className="font-medium [overflow-wrap:anywhere] text-ink">{made.source}</p>
              <p className="text-ink-soft">{importSentence(made)}</p>
            </div>
            <UndoButton
              id={made.id}
              label={`Undo ${made.source}`}
              isOff={made.left + made.filled === 0}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

function importSentence({ day, admin, added, left, filled, isUndone }: PastImport) {
  const stayed = left + filled
  const what = isUndone
    ? stayed > 0
      ? `undone, ${grouped(stayed)} stayed`
      : 'undone'
    : `${companiesCounted(added)} added${filled > 0 ? `, ${grouped(filled)} updated` : ''}`
  return `${dateText(day)}, ${admin}: ${what}`
}

interface UndoButtonProps {
  id: string
  /** What screen readers say instead. */
  label?: string
  /** Nothing is left to undo, but the outcome stays visible. */
  isOff?: boolean
}

function UndoButton({ id, label, isOff = false }: UndoButtonProps) {
  const api = useApi<ImportsContract>()
  const queryClient = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<UndoneImport | string>()
  const undo = async () => {
    setBusy(true)
    setOutcome(await undoImport({ api, queryClient }, id).catch(errorSentence))
    setBusy(false)
  }
  const undone = typeof outcome === 'object' ? outcome : undefined
  return (
    <div className="grid min-w-0 justify-items-start gap-2">
      {!isOff && (!undone || undone.keptCount + undone.keptFields > 0) && (
        <Button
          variant="secondary"
          size="sm"
          busy={isBusy}
          busyLabel="Undoing..."
          aria-label={label}
          onClick={undo}
        >
          {label ? 'Undo' : 'Undo this import'}
        </Button>
      )}
      <div role="status" className="grid gap-2 text-sm leading-6 empty:hidden">
        {typeof outcome === 'string' && outcome}
        {undone && <p>{undoneSentence(undone)}</p>}
        {undone && undone.kept.length > 0 && (
          <ul>
            {undone.kept.map(({ name, path, has }) => (
              <li key={path}>
                <a href={path} className="underline decoration-line-strong underline-offset-4">
                  {name}
                </a>
                {has.length > 0 && <span className="text-ink-soft">{`: ${has.join(', ')}`}</span>}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}

/** Shows counts, and the rows that weren't added, with reasons. */
interface ReportOfImportProps {
  report: ImportReport
  onAgain: () => void
}

export function ReportOfImport({ report, onAgain }: ReportOfImportProps) {
  const { added, skipped, failed, skips, failures, doubts, omittedCount, omittedCells, importId } =
    report
  const { filled, fields } = report
  const rows = [
    ...failures.map(({ row, reason }) => ({ row, reason, sameAs: undefined })),
    ...omittedCells.map(({ row, field, reason }) => ({ row, reason, sameAs: undefined, field })),
    ...skips.map(({ row, name, sameAs, changed }) => ({ row, reason: name, sameAs, changed })),
    ...doubts.map(({ row, name, sameAs }) => ({ row, reason: name, sameAs, isDoubt: true })),
  ].sort((a, b) => a.row - b.row)
  const more = skipped + failed + omittedCount - rows.length
  return (
    <div className="grid gap-4">
      <p role="status" className="text-sm leading-6">
        {IMPORT_TEXTS.doneResult(added)}
      </p>
      <RowCounts
        className="grid-cols-2 sm:grid-cols-4"
        counts={{ Added: added, Updated: filled, Skipped: skipped - filled, Failed: failed }}
      />
      <FieldsHere counts={fields} />
      {rows.length > 0 && (
        <section
          aria-label="What wasn’t added"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard.
          tabIndex={0}
          className="max-h-96 overflow-y-auto rounded-lg border border-line"
        >
          <table className="w-full text-left text-sm">
            <thead className="sticky top-0 bg-sunken text-xs text-ink-soft">
              <tr>
                <th scope="col" className="px-3 py-2 font-medium whitespace-nowrap">
                  Row
                </th>
                <th scope="col" className="px-3 py-2 font-medium whitespace-nowrap">
                  Reason
                </th>
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {rows.map(({ row, reason, sameAs, ...more }) => (
                <tr key={`${row} ${reason}`} className="align-top">
                  <td className="px-3 py-2 leading-6 whitespace-nowrap tabular-nums text-ink-soft">
                    {grouped(row)}
                  </td>
                  <td className="px-3 py-2 leading-6 break-words [overflow-wrap:anywhere]">
                    {sameAs ? (
                      <Skip name={reason} sameAs={sameAs} {...more} />
                    ) : (
                      <Failure reason={reason} {...more} />
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {more > 0 && <p className="text-sm text-ink-soft">{`And ${grouped(more)} more.`}</p>}
      <div className="flex flex-wrap items-start gap-3">
        <Button variant="secondary" size="sm" onClick={onAgain}>
          Import another list
        </Button>
        {importId && <UndoButton id={importId} />}
      </div>
    </div>
  )
}

/** The problem of a row, or of one field's cell. */
const Failure = ({ reason, field }: { reason: string; field?: string }) => (
  <>
    {field ? <Badge>{`Without ${field}`}</Badge> : <Badge tone="danger">Failed</Badge>} {reason}
  </>
)

interface SkipProps {
  name: string
  sameAs: SameCompany
  /** Possibly the same company, and not decided. */
  isDoubt?: boolean
  changed?: FillField[]
}

const Skip = ({ name, sameAs, isDoubt, changed = [] }: SkipProps) => (
  <>
    {changed.length > 0 ? <Badge tone="leaf">Updated</Badge> : <Badge>Skipped</Badge>}{' '}
    {`${name} ${isDoubt ? 'may already be' : 'is already'} here: `}
    <SiteLink href={sameAs.path} className="underline decoration-line-strong underline-offset-4">
      {sameAs.name}
    </SiteLink>
    <FieldNames fields={changed} />
  </>
)
