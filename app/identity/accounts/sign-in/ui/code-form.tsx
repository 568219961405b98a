/** Submits by itself after the sixth digit. */
import { useEffect, useRef, useState } from 'react'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { TextField } from '#app/kit/ui/field.tsx'
import { CODE_DIGITS, codeProblem, digitsOf, SECOND_STEP } from '../second-step.ts'
import type { Problem } from '../sign-in.data.ts'

export function CodeForm({ hint, label, prove, onDone, hasFocus }: CodeFormProps) {
  const [digits, setDigits] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const { form, errors, isBusy } = useForm<'code'>({
    check: () => ({ code: codeProblem(digits) }),
    send: async () => {
      const problem = await prove(digits)
      if (!problem) return onDone()
      setDigits('')
      return problem.code ? { code: problem.message } : { form: problem.message }
    },
  })
  useEffect(() => {
    if (hasFocus) input.current?.focus()
  }, [hasFocus])
  const { ref } = form
  useEffect(() => {
    if (digits.length === CODE_DIGITS) ref.current?.requestSubmit()
  }, [digits, ref])
  return (
    <form {...form} className="grid gap-5">
      <FormError>{errors.form}</FormError>
      <TextField
        ref={input}
        label="Code"
        hint={hint}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        spellCheck={false}
        required
        readOnly={isBusy}
        value={digits}
        onChange={(event) => setDigits(digitsOf(event.target.value))}
        error={errors.code}
        className="tracking-[0.3em] tabular-nums"
      />
      <Button type="submit" size="lg" busy={isBusy} busyLabel={SECOND_STEP.busy}>
        {label}
      </Button>
    </form>
  )
}

interface CodeFormProps {
  hint: string
  label: string
  prove: (digits: string) => Promise<Problem | undefined>
  onDone: () => void
  hasFocus?: boolean
}
