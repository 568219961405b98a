import { grouped } from '../ui/number.ts'
import { TextArea } from '../ui/text-field.tsx'

export function NoteField({ label, hint, note, onChange, max, error }: NoteFieldProps) {
  return (
    <TextArea
      label={label}
      hint={hint}
      rows={3}
      value={note}
      onChange={(event) => onChange(event.target.value)}
      error={error ?? noteProblem(note, max)}
      limit={{ length: note.trim().length, max }}
    />
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
