import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { refusalOf } from '#app/kit/forms/refusal.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { dateText, grouped } from '#app/kit/ui/format.ts'
import { LoadErrorLine } from '#app/kit/ui/message.tsx'
import { pastImportsQuery, undoImport } from '../import.data.ts'
import { STEP_TEXTS } from '../import-report.ts'
import type { ImportsContract } from '../imports.contract.ts'
import {
  companiesCounted,
  type PastImport,
  type UndoneImport,
  undoneSentence,
} from '../past-imports.ts'

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
        {STEP_TEXTS.past}
      </h3>
      <ul className="divide-y divide-line">
        {data.imports.map((made) => (
          <li
            key={made.id}
            className="grid gap-x-4 gap-y-2 py-3 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center"
          >
            <div className="min-w-0 text-sm leading-6">
              <p className="font-medium [overflow-wrap:anywhere] text-ink">{made.source}</p>
              <p className="text-ink-soft">{sentenceOf(made)}</p>
            </div>
            <UndoButton id={made.id} label={`Undo ${made.source}`} isOff={made.left === 0} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function sentenceOf({ day, admin, added, left, isUndone }: PastImport) {
  const what = isUndone
    ? left > 0
      ? `undone, ${grouped(left)} stayed`
      : 'undone'
    : `${companiesCounted(added)} added`
  return `${dateText(day)}, ${admin}: ${what}`
}

interface UndoButtonProps {
  id: string
  /** For screen readers. */
  label?: string
  /** Nothing is left to undo; the outcome stays. */
  isOff?: boolean
}

export function UndoButton({ id, label, isOff = false }: UndoButtonProps) {
  const api = useApi<ImportsContract>()
  const queryClient = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<UndoneImport | string>()
  const undo = async () => {
    setBusy(true)
    setOutcome(await undoImport({ api, queryClient }, id).catch(refusalOf))
    setBusy(false)
  }
  const undone = typeof outcome === 'object' ? outcome : undefined
  return (
    <div className="grid min-w-0 justify-items-start gap-2">
      {!isOff && (!undone || undone.keptCount > 0) && (
        <Button
          variant="secondary"
          size="sm"
          busy={isBusy}
          busyLabel={STEP_TEXTS.undoing}
          aria-label={label}
          onClick={undo}
        >
          {label ? 'Undo' : STEP_TEXTS.undo}
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
