import { Eye, EyeOff } from 'lucide'
import { type InputHTMLAttributes, type Ref, useState } from 'react'
import { controlClasses } from './class-names.ts'
import { cx } from './cx.ts'
import { Field, type FieldProps, useField } from './field.tsx'
import { Icon } from './icon.tsx'

/**
 * A password field with a button that shows the password. `autoComplete` is `current-password` or
 * `new-password`.
 */
export function PasswordField(props: PasswordFieldProps) {
  const { label, isLabelHidden, hint, error, className, ...input } = props
  const field = useField(props)
  const [isShown, setShown] = useState(false)
  return (
    <Field label={label} isLabelHidden={isLabelHidden} hint={hint} error={error} ids={field}>
      <span className="relative block">
        <input
          autoCapitalize="none"
          spellCheck={false}
          {...input}
          {...field.control}
          type={isShown ? 'text' : 'password'}
          className={cx(controlClasses, 'h-11 pr-11 md:h-10', className)}
        />
        <button
          type="button"
          aria-label={isShown ? 'Hide password' : 'Show password'}
          aria-controls={field.id}
          disabled={input.disabled}
          onClick={() => setShown(!isShown)}
          className="absolute inset-y-0 right-0 inline-flex w-11 items-center justify-center rounded-md text-ink-faint transition-colors hover:text-ink disabled:cursor-not-allowed md:w-10"
        >
          <Icon of={isShown ? EyeOff : Eye} className="size-[1.125rem]" />
        </button>
      </span>
    </Field>
  )
}

type PasswordFieldProps = FieldProps &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> & { ref?: Ref<HTMLInputElement> }

/** Asks signed-in people, whose email we know, for their password. */
export const CurrentPasswordField = ({ email, onPassword, ...field }: CurrentPasswordProps) => (
  <>
    <WhosePassword email={email} />
    <PasswordField
      {...field}
      label="Your password"
      name="current-password"
      autoComplete="current-password"
      required
      onChange={(event) => onPassword(event.target.value)}
    />
  </>
)

interface CurrentPasswordProps {
  email: string | null | undefined
  value: string
  onPassword: (password: string) => void
  error: string | undefined
  ref?: Ref<HTMLInputElement>
}

/** Tells password managers whose password it is. */
export const WhosePassword = ({ email }: { email: string | null | undefined }) => (
  <input type="text" name="username" autoComplete="username" value={email ?? ''} readOnly hidden />
)
