/** A code from an app or an email. Submits by itself once it's complete. */
import { useEffect, useRef, useState } from 'react'
import { FormError, type FormErrors, useForm } from '#app/kit/forms/form.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { TextField } from '#app/kit/ui/field.tsx'
import type { MAIL_CODE } from '#app/kit/writing/mail-code.ts'
import { APP_CODE, SECOND_STEP } from '../second-step.ts'
import type { Problem } from '../sign-in.data.ts'

export function CodeForm({ hint, label, kind = APP_CODE, ...props }: CodeFormProps) {
  const { verify, onDone, hasFocus } = props
  const [code, setCode] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const [refused, setRefused] = useState<FormErrors<'code'>>()
  const { form, errors, isBusy, clearErrors } = useForm<'code'>({
    // We emptied the field. Whoever presses the button then still needs to know why.
    check: () => (!code && refused) || { code: kind.problem(code) },
    send: async () => {
      const problem = await verify(code)
      if (!problem) return onDone()
      setCode('')
      const why = problem.code ? { code: problem.message } : { form: problem.message }
      setRefused(why)
      return why
    },
  })
  useEffect(() => {
    if (hasFocus) input.current?.focus()
  }, [hasFocus])
  const { ref } = form
  useEffect(() => {
    if (code.length === kind.length) ref.current?.requestSubmit()
  }, [code, kind, ref])
  return (
    <form {...form} className="grid gap-5">
      <FormError>{errors.form}</FormError>
      <TextField
        ref={input}
        label="Code"
        hint={hint}
        name="code"
        inputMode={kind.inputMode}
        autoComplete="one-time-code"
        spellCheck={false}
        required
        readOnly={isBusy}
        value={code}
        onChange={(event) => {
          setCode(kind.tidy(event.target.value))
          setRefused(undefined)
          clearErrors()
        }}
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
  hint?: string
  label: string
  kind?: typeof APP_CODE | typeof MAIL_CODE
  verify: (code: string) => Promise<Problem | undefined>
  onDone: () => void
  hasFocus?: boolean
}
