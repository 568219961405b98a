/** The import's first step: a file, chosen or dropped, or a pasted table. */
import { FileUp } from 'lucide'
import { type ChangeEvent, type DragEvent, useRef, useState } from 'react'
import { FormError } from '#app/kit/forms/form.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { TextArea } from '#app/kit/ui/field.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { asksFirst } from '#app/kit/ui/leaving.ts'
import type { ImportSource } from '../import.data.ts'
import {
  FILE_ENDINGS,
  formatOfFile,
  IMPORT_FILE_MAX,
  IMPORT_TEXTS,
  STEP_TEXTS,
} from '../import-report.ts'

/** Checks before the upload. */
function problemOf(file: File): string | undefined {
  if (file.size > IMPORT_FILE_MAX)
    return `A file has at most ${IMPORT_FILE_MAX / 1024 / 1024} MB. Please split it.`
  return file.size === 0 ? 'This file is empty' : undefined
}

interface ImportSourceStepProps {
  canImport: boolean
  isBusy: boolean
  onSource: (source: ImportSource) => void
}

export function ImportSourceStep({ canImport, isBusy, onSource }: ImportSourceStepProps) {
  const [isOver, setOver] = useState(false)
  const [problem, setProblem] = useState<string>()
  const isOpen = canImport && !isBusy
  const choose = (file: File) => {
    const format = formatOfFile(file.name)
    const wrong = format ? problemOf(file) : 'Please choose a CSV or JSON file'
    setProblem(wrong)
    if (format && !wrong) onSource({ name: file.name, format, content: file })
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file && isOpen) choose(file)
  }
  return (
    <>
      <p className="max-w-prose text-sm leading-6 text-ink-soft">
        CSV or JSON, up to 50 MB. The first row names the columns. We guess what they are, and you
        can change it. You’ll see a preview before anything is added, and you can undo an import.
      </p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a second way for those with a mouse;
          the button does the same. */}
      <div
        onDragOver={(event) => {
          event.preventDefault()
          setOver(isOpen)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={cx(
          'grid justify-items-center gap-3 rounded-lg border border-dashed px-4 py-8 text-center transition-colors',
          isOver ? 'border-tea bg-tea-soft' : 'border-line-strong/60 bg-sunken',
        )}
      >
        <Icon of={FileUp} className="size-6 text-ink-faint" strokeWidth={1.5} />
        <FileButton isBusy={isBusy} isOff={!canImport} onFile={choose} />
        <p className="text-sm text-ink-faint">
          {canImport ? 'or drop one here' : 'Importing needs an administrator.'}
        </p>
      </div>
      <FormError>{problem && IMPORT_TEXTS.failedResult(problem)}</FormError>
      {canImport && <PasteTable isBusy={isBusy} onSource={onSource} />}
      <p className="text-sm">
        <a
          href="/api/v1/imports/template.csv"
          download="companies.csv"
          className="inline-flex min-h-8 items-center text-tea underline decoration-tea/40 underline-offset-4 hover:decoration-tea"
        >
          Download a template
        </a>
      </p>
    </>
  )
}

function PasteTable({ isBusy, onSource }: Omit<ImportSourceStepProps, 'canImport'>) {
  const [text, setText] = useState('')
  const paste = () =>
    onSource({
      name: STEP_TEXTS.pastedName,
      format: /^\s*[[{]/.test(text) ? 'json' : 'csv',
      content: new Blob([text]),
    })
  return (
    <form
      {...asksFirst()}
      className="grid justify-items-start gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') paste()
      }}
    >
      <div className="w-full">
        <TextArea
          label={STEP_TEXTS.paste}
          name="table"
          spellCheck={false}
          autoComplete="off"
          rows={4}
          className="max-h-60 font-mono text-[0.8125rem]"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <Button type="submit" variant="secondary" disabled={text.trim() === ''} busy={isBusy}>
        {STEP_TEXTS.readPasted}
      </Button>
    </form>
  )
}

interface FileButtonProps {
  isBusy: boolean
  isOff: boolean
  onFile: (file: File) => void
}

function FileButton({ isBusy, isOff, onFile }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0]
    // Allows choosing the same file again.
    target.value = ''
    if (file) onFile(file)
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={FILE_ENDINGS.join()}
        aria-label="File with companies"
        className="sr-only"
        tabIndex={-1}
        disabled={isBusy || isOff}
        onChange={choose}
      />
      <Button
        variant="secondary"
        busy={isBusy}
        busyLabel="Reading..."
        disabled={isOff}
        onClick={() => input.current?.click()}
      >
        Choose a file
      </Button>
    </>
  )
}
