/** The box for an e-mail: one's own, unless it says `isOther`. */
import { useEffect, useRef } from 'react'
import { TextField } from '#app/kit/ui/text-field.tsx'
import { EMAIL_MAX } from '../../account.ts'

/**
 * As a dialog's first field it takes the focus when its view replaces another, whose button is gone.
 * At the opening the dialog sees to that itself: before, it notes who will get the focus back.
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
  /** Not the one that the browser would fill in. */
  isOther?: boolean
}
