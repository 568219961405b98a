import { useEffect, useRef } from 'react'
import { TextField } from '#app/kit/ui/field.tsx'
import { EMAIL_MAX } from '../../account.ts'

/**
 * Takes the focus when its view replaces another, because the focused button is gone. When the
 * dialog opens, it sets the focus itself, after noting where to return it.
 */
export function EmailField(props: EmailFieldProps) {
  const { value, onValue, error, hasFocus, label = 'Email', hint, name = 'email', isOther } = props
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (hasFocus && document.activeElement === document.body) input.current?.focus()
  }, [hasFocus])
  return (
    <TextField
      ref={input}
      label={label}
      hint={hint}
      type="email"
      name={name}
      autoComplete={isOther ? 'off' : 'email'}
      autoCapitalize="none"
      spellCheck={false}
      maxLength={EMAIL_MAX}
      required
      value={value}
      onChange={(event) => onValue(event.target.value)}
      error={error}
    />
  )
}

interface EmailFieldProps {
  value: string
  onValue: (email: string) => void
  error?: string
  hasFocus?: boolean
  label?: string
  hint?: string
  name?: string
  /** Whether the address is someone else's, so browsers shouldn't fill it in. */
  isOther?: boolean
}
