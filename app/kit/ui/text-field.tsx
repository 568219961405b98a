import type { InputHTMLAttributes, Ref, TextareaHTMLAttributes } from 'react'
import { cx } from './cx.ts'
import { Field, FieldNotes, type FieldProps, useField } from './field.tsx'
import { controlLook } from './looks.ts'

/** One line. Passwords, emails and addresses too, by `type`. */
export function TextField(props: TextFieldProps) {
  const { label, isLabelHidden, hint, error, limit, className, ...input } = props
  const field = useField(props)
  return (
    <Field {...{ label, isLabelHidden, hint, error, limit }} ids={field}>
      <input
        type="text"
        // In the direction of its text.
        dir="auto"
        {...input}
        {...field.control}
        className={cx(controlLook, 'h-11 md:h-10', className)}
      />
    </Field>
  )
}

/** Several lines. It grows with its text where the browser can. */
export function TextArea(props: TextAreaProps) {
  const { label, isLabelHidden, hint, error, limit, className, ...area } = props
  const field = useField(props)
  return (
    <Field {...{ label, isLabelHidden, hint, error, limit }} ids={field}>
      <textarea
        rows={5}
        dir="auto"
        {...area}
        {...field.control}
        className={cx(controlLook, 'field-sizing-content min-h-28 py-2.5 leading-6', className)}
      />
    </Field>
  )
}

export function Checkbox(props: CheckboxProps) {
  const { label, hint, error, className, ...input } = props
  const field = useField(props)
  return (
    <div className={cx('grid gap-1', className)}>
      <label htmlFor={field.id} className="flex min-h-10 items-center gap-3 text-sm md:min-h-8">
        <input
          {...input}
          {...field.control}
          type="checkbox"
          className="size-[1.125rem] shrink-0 accent-tea disabled:opacity-60"
        />
        <span>{label}</span>
      </label>
      <div className="pl-[1.875rem] empty:hidden">
        <FieldNotes hint={hint} error={error} ids={field} />
      </div>
    </div>
  )
}

type TextFieldProps = FieldProps &
  InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }

type TextAreaProps = FieldProps &
  TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement> }

type CheckboxProps = Omit<FieldProps, 'isLabelHidden' | 'limit'> &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> & { ref?: Ref<HTMLInputElement> }
