/** Whatever is deleted for good has its name typed first. */
import type { Ref } from 'react'
import { TextField } from '../ui/text-field.tsx'

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
