/** The import card, with its steps: source, columns, trial, adding, done. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FormError } from '#app/kit/forms/form.tsx'
import { newIdempotencyKey } from '#app/kit/forms/idempotency-key.ts'
import { refusalOf } from '#app/kit/forms/refusal.ts'
import { grouped } from '#app/kit/ui/format.ts'
import { toast } from '#app/kit/ui/toast.ts'
import {
  askForColumns,
  type Chosen,
  type ImportSource,
  invalidateAfterImport,
  sendImport,
  tryImport,
} from '../import.data.ts'
import { IMPORT_TEXTS, type ImportReport, type ImportTrial } from '../import-report.ts'
import type { FileColumns } from '../imports.contract.ts'
import { ImportColumns } from './import-columns.tsx'
import { ImportSourceStep } from './import-source.tsx'
import { ImportTrialStep } from './import-trial.tsx'
import { PastImports } from './past-imports.tsx'
import { ReportOfImport } from './report-of-import.tsx'

/** @param canImport others see what the card is for, and why it is disabled */
export function ImportFile({ canImport }: { canImport: boolean }) {
  const { step, isBusy, problem, read, look, add, toColumns, toSource } = useImport()
  return (
    <section
      aria-labelledby="import-file"
      className="grid min-w-0 gap-4 rounded-xl border border-line bg-surface p-5 md:p-6"
    >
      <h2 id="import-file" className="font-serif text-2xl">
        Import companies from a file
      </h2>
      <FormError>{problem && IMPORT_TEXTS.failedResult(problem)}</FormError>
      {step.is === 'source' && (
        <ImportSourceStep canImport={canImport} isBusy={isBusy} onSource={read} />
      )}
      {step.is === 'columns' && (
        <ImportColumns
          survey={step.survey}
          name={step.source.name}
          chosen={step.chosen}
          isBusy={isBusy}
          onChosen={look}
          onBack={toSource}
        />
      )}
      {step.is === 'trial' && <ImportTrialStep trial={step.trial} onAdd={add} onBack={toColumns} />}
      {step.is === 'adding' && <Progress name={step.source.name} {...step.progress} />}
      {step.is === 'done' && <ReportOfImport report={step.report} onAgain={toSource} />}
      {canImport && <PastImports />}
    </section>
  )
}

interface ProgressProps {
  name: string
  rows: number
  total: number
}

function Progress({ name, rows, total }: ProgressProps) {
  const isReading = total === 0
  const text = isReading
    ? `Reading ${name}...`
    : `${grouped(rows)} of ${grouped(total)} rows of ${name}`
  return (
    <div className="grid gap-2">
      {/* No live region: the progress bar tells screen readers, text would interrupt with each batch. */}
      <p className="text-sm break-words text-ink-soft">{text}</p>
      <progress
        aria-label={`Importing ${name}`}
        className="h-2 w-full overflow-hidden rounded-full bg-line accent-tea [&::-moz-progress-bar]:bg-tea [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:rounded-full [&::-webkit-progress-value]:bg-tea"
        max={isReading ? undefined : total}
        value={isReading ? undefined : rows}
      />
    </div>
  )
}

interface Read {
  source: ImportSource
  /** The import's id, kept when it is retried. */
  id: string
  survey: FileColumns
  chosen?: Chosen
}

type Step =
  | { is: 'source' }
  | ({ is: 'columns' } & Read)
  | ({ is: 'trial'; trial: ImportTrial } & Read)
  | ({ is: 'adding'; progress: { rows: number; total: number } } & Read)
  | { is: 'done'; report: ImportReport }

function useImport() {
  const queryClient = useQueryClient()
  const [step, setStep] = useState<Step>({ is: 'source' })
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()

  /** If `work` fails, the step stays. */
  async function go(work: () => Promise<Step>) {
    setBusy(true)
    setProblem(undefined)
    try {
      setStep(await work())
    } catch (error) {
      setProblem(refusalOf(error))
    }
    setBusy(false)
  }

  const read = (source: ImportSource) =>
    go(async () => ({
      is: 'columns',
      source,
      id: newIdempotencyKey(),
      survey: await askForColumns(source),
    }))

  const look = (chosen: Chosen) =>
    go(async () => {
      if (step.is !== 'columns') return step
      return { ...step, is: 'trial', chosen, trial: await tryImport(step.source, chosen) }
    })

  async function add(isNew: number[]) {
    if (step.is !== 'trial') return
    const { source, id, survey, chosen } = step
    const adding = { is: 'adding', source, id, survey, chosen } as const
    setProblem(undefined)
    setStep({ ...adding, progress: { rows: 0, total: 0 } })
    toast({ id: 'import', ...IMPORT_TEXTS.importing })
    try {
      const report = await sendImport(source, { ...chosen, isNew, id }, (progress) =>
        setStep({ ...adding, progress }),
      )
      setStep({ is: 'done', report })
      toast({ id: 'import', ...IMPORT_TEXTS.done(report.added) })
    } catch (error) {
      setStep({ ...adding, is: 'columns' })
      setProblem(refusalOf(error))
      toast({ id: 'import', ...IMPORT_TEXTS.failed, variant: 'destructive' })
    }
    await invalidateAfterImport(queryClient)
  }

  const toColumns = () => {
    if (step.is === 'trial') setStep({ ...step, is: 'columns' })
  }
  const toSource = () => {
    setProblem(undefined)
    setStep({ is: 'source' })
  }
  return { step, isBusy, problem, read, look, add, toColumns, toSource }
}
