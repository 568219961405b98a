import { useState } from 'react'
import { counted, grouped } from '#app/kit/ui/format.ts'
import type { Chosen } from '../import.data.ts'
import { FIELD_NAMES, type ImportField } from '../imported-company.ts'
import type { Meanings, UnclearColumn } from '../unclear-cells.ts'
import { titled } from './import-columns.tsx'
import { Question } from './question.tsx'

interface UnclearColumnsProps {
  columns: UnclearColumn[]
  chosen?: Chosen
  isBusy: boolean
  onMeanings: (meanings: Meanings) => void
}

/** Asks once per column what its cells mean. Each answer makes another preview. */
export function UnclearColumns({ columns, chosen, isBusy, onMeanings }: UnclearColumnsProps) {
  const [pressed, setPressed] = useState<Meanings>({})
  const meanings = (isBusy ? pressed : chosen?.meanings) ?? {}
  const answered = columns.filter(({ about }) => meanings[about]).length
  const say = (about: UnclearColumn['about'], meaning: string) => {
    const said = { ...meanings, [about]: meaning }
    setPressed(said)
    onMeanings(said)
  }
  return (
    <div className="grid gap-3">
      <h4 className="text-sm font-semibold text-ink">
        {`Unclear cells: ${grouped(answered)} of ${counted(columns.length, 'question')} answered`}
      </h4>
      <p className="text-sm text-ink-soft">
        Each answer counts for the whole column. Without one, we leave its unclear cells out.
      </p>
      <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line">
        {columns.map(({ about, field, text, row, count, readings }) => (
          <Question
            key={about}
            legend={`What does “${text}” mean in ${titleOf(field, chosen)}?`}
            hint={
              count === 1
                ? `Row ${grouped(row)}.`
                : `Row ${grouped(row)}, and ${counted(count - 1, 'more cell')}.`
            }
            choices={readings.map(
              ({ meaning, shown }) =>
                [meaning, NAMED.has(about) ? `${shown} (${meaning})` : titled(shown)] as const,
            )}
            chosen={meanings[about]}
            onChoose={(meaning) => say(about, meaning)}
          >
            <span className="text-ink-soft">{titleOf(field, chosen)}: </span>
            <span className="font-medium text-ink">{`what does “${text}” mean?`}</span>
          </Question>
        ))}
      </ul>
    </div>
  )
}

/** Where one example may not say what happens to other cells. */
const NAMED = new Set<UnclearColumn['about']>(['point', 'years'])

const titleOf = (field: ImportField, chosen: Chosen = {}) =>
  Object.entries(chosen.columns ?? {}).find(([, of]) => of === field)?.[0] ??
  titled(FIELD_NAMES[field])
