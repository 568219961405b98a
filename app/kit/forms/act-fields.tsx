import type { Ref } from 'react'
import { TextArea, TextField } from '../ui/field.tsx'
import { lengthOf, noteProblem } from '../writing/text.ts'

export function NoteField({ label, hint, note, onChange, max, error }: NoteFieldProps) {
  return (
    <TextArea
      label={label}
      hint={hint}
      rows={3}
      value={note}
      onChange={(event) => onChange(event.target.value)}
      error={error ?? noteProblem(note, max)}
      limit={{ length: lengthOf(note.trim()), max }}
    />
  )
}

interface NoteFieldProps {
  label: string
  hint?: string
  note: string
  onChange: (note: string) => void
  max: number
  error?: string
}

/** Before anything is deleted for good, people type its name. */
export function TypedNameField({ name, onChange, ...rest }: TypedNameFieldProps) {
  return (
    <TextField
      {...rest}
      label={
        <>
          Type <strong className="font-semibold wrap-anywhere">{name}</strong> to confirm
        </>
      }
      name="confirmation"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

export const typedNameProblem = (typed: string, name: string) =>
  typed.trim() === name ? undefined : `Type ${name} exactly as shown`

interface TypedNameFieldProps {
  name: string
  value: string
  onChange: (typed: string) => void
  error?: string
  maxLength?: number
  ref?: Ref<HTMLInputElement>
}
