/** Counts, and the rows that weren't added, with reasons. */
import { SiteLink } from '#app/kit/session/site.tsx'
import { Badge } from '#app/kit/ui/badge.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { grouped } from '#app/kit/ui/format.ts'
import { IMPORT_TEXTS, type ImportReport, type SameCompany, STEP_TEXTS } from '../import-report.ts'
import { UndoButton } from './past-imports.tsx'
import { RowCounts } from './row-counts.tsx'

interface ReportOfImportProps {
  report: ImportReport
  onAgain: () => void
}

export function ReportOfImport({ report, onAgain }: ReportOfImportProps) {
  const { added, skipped, failed, skips, failures, doubts, importId } = report
  const rows = [
    ...failures.map(({ row, reason }) => ({ row, reason, sameAs: undefined })),
    ...skips.map(({ row, name, sameAs }) => ({ row, reason: name, sameAs })),
    ...doubts.map(({ row, name, sameAs }) => ({ row, reason: name, sameAs, isDoubt: true })),
  ].sort((a, b) => a.row - b.row)
  const more = skipped + failed - rows.length
  return (
    <div className="grid gap-4">
      <p role="status" className="text-sm leading-6">
        {IMPORT_TEXTS.doneResult(added)}
      </p>
      <RowCounts
        className="grid-cols-3"
        counts={{ Added: added, Skipped: skipped, Failed: failed }}
      />
      {rows.length > 0 && (
        <section
          aria-label="Rows not added"
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
                      <Failure reason={reason} />
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {more > 0 && <p className="text-sm text-ink-soft">{`And ${grouped(more)} more rows.`}</p>}
      <div className="flex flex-wrap items-start gap-3">
        <Button variant="secondary" size="sm" onClick={onAgain}>
          {STEP_TEXTS.again}
        </Button>
        {importId && <UndoButton id={importId} />}
      </div>
    </div>
  )
}

const Failure = ({ reason }: { reason: string }) => (
  <>
    <Badge tone="danger">Failed</Badge> {reason}
  </>
)

interface SkipProps {
  name: string
  sameAs: SameCompany
  /** Possibly the same, and not decided. */
  isDoubt?: boolean
}

const Skip = ({ name, sameAs, isDoubt }: SkipProps) => (
  <>
    <Badge>Skipped</Badge> {`${name} ${isDoubt ? 'may already be' : 'is already'} here: `}
    <SiteLink href={sameAs.path} className="underline decoration-line-strong underline-offset-4">
      {sameAs.name}
    </SiteLink>
  </>
)
