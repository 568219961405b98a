/** A few words to go with a report or a decision, counted while they are written. */
import { grouped } from '../ui/number.ts'
import { TextArea } from '../ui/text-field.tsx'

export function NoteField({ label, hint, note, onChange, max, error }: NoteFieldProps) {
  const { length } = note.trim()
  return (
    <div>
      <TextArea
        label={label}
        hint={hint}
        rows={3}
        value={note}
        onChange={(event) => onChange(event.target.value)}
        error={error ?? noteProblem(note, max)}
      />
      <p className="mt-1 text-right text-xs text-ink-faint tabular-nums">
        {`${grouped(length)} of ${grouped(max)}`}
        <span className="sr-only"> characters</span>
      </p>
    </div>
  )
}

export const noteProblem = (note: string, max: number) =>
  note.trim().length > max ? `At most ${grouped(max)} characters, please` : undefined

interface NoteFieldProps {
  label: string
  hint?: string
  note: string
  onChange: (note: string) => void
  max: number
  error?: string
}
