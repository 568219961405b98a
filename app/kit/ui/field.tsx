/** A form control's label, hint and error, connected by ids. */

import { ChevronDown } from 'lucide'
import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react'
import { controlClasses } from './class-names.ts'
import { cx } from './cx.ts'
import { grouped } from './format.ts'
import { Icon } from './icon.tsx'

export type FieldProps = {
  label: ReactNode
  /** Shows the label to screen readers only. */
  isLabelHidden?: boolean
  hint?: ReactNode
  error?: ReactNode
  limit?: CharacterLimit
}

/** Spread `control` on the control itself. */
export function useField(props: FieldProps & { id?: string; required?: boolean }) {
  const ownId = useId()
  const id = props.id ?? ownId
  const hintId = props.hint ? `${id}-hint` : undefined
  const errorId = props.error ? `${id}-error` : undefined
  const countId = props.limit && isLimitTold(props.limit) ? `${id}-count` : undefined
  return {
    id,
    hintId,
    errorId,
    countId,
    control: {
      id,
      'aria-describedby': cx(errorId, hintId, countId) || undefined,
      'aria-invalid': props.error ? true : undefined,
    },
  }
}

export function Field(props: FieldProps & { ids: FieldIds; children: ReactNode }) {
  const { label, isLabelHidden, hint, error, limit, ids, children } = props
  return (
    <div className="grid gap-1.5">
      <label
        htmlFor={ids.id}
        className={cx(isLabelHidden ? 'sr-only' : 'text-sm font-medium text-ink')}
      >
        {label}
      </label>
      {children}
      <FieldNotes hint={hint} error={error} limit={limit} ids={ids} />
    </div>
  )
}

export function FieldNotes({ hint, error, limit, ids }: FieldNotesProps) {
  return (
    <>
      {hint && (
        <p id={ids.hintId} className="text-sm text-ink-faint">
          {hint}
        </p>
      )}
      {error && (
        <p id={ids.errorId} className="text-sm text-danger">
          {error}
        </p>
      )}
      {limit && <CharacterCount id={ids.countId} limit={limit} />}
    </>
  )
}

type FieldIds = Pick<ReturnType<typeof useField>, 'id' | 'hintId' | 'errorId' | 'countId'>
type FieldNotesProps = Pick<FieldProps, 'hint' | 'error' | 'limit'> & { ids: FieldIds }

/** People who write little don't need to see the limit. */
const SHOWN_FROM = 0.5

interface CharacterLimit {
  /** Counts characters as the server does. */
  length: number
  max: number
}

const isLimitTold = ({ length, max }: CharacterLimit) => length >= max * SHOWN_FROM

/** Shows nothing while there's enough room. */
export function CharacterCount({ id, limit }: { id?: string; limit: CharacterLimit }) {
  const { length, max } = limit
  if (!isLimitTold(limit)) return null
  const over = length - max
  return (
    <p
      id={id}
      className={cx('text-right text-sm tabular-nums', over > 0 ? 'text-danger' : 'text-ink-faint')}
    >
      {over > 0
        ? over === 1
          ? '1 character too many'
          : `${grouped(over)} characters too many`
        : `${grouped(length)} of ${grouped(max)} characters`}
    </p>
  )
}

/** A single line. `type` makes it a field for passwords, emails or addresses. */
export function TextField(props: TextFieldProps) {
  const { label, isLabelHidden, hint, error, limit, className, ...input } = props
  const field = useField(props)
  return (
    <Field {...{ label, isLabelHidden, hint, error, limit }} ids={field}>
      <input
        type="text"
        // Follows the direction of its text.
        dir="auto"
        {...input}
        {...field.control}
        className={cx(controlClasses, 'h-11 md:h-10', className)}
      />
    </Field>
  )
}

/** Several lines. The box grows with its text if the browser can do that. */
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
        className={cx(controlClasses, 'field-sizing-content min-h-28 py-2.5 leading-6', className)}
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

/** The browser's own select, because its picker on phones beats any we could build. */
export function Select(props: SelectProps) {
  const { label, isLabelHidden, hint, error, className, children, ...select } = props
  const field = useField(props)
  return (
    <Field label={label} isLabelHidden={isLabelHidden} hint={hint} error={error} ids={field}>
      <span className="relative block">
        <select
          {...select}
          {...field.control}
          className={cx(controlClasses, 'h-11 appearance-none pr-9 md:h-10', className)}
        >
          {children}
        </select>
        <Icon
          of={ChevronDown}
          className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-ink-faint"
        />
      </span>
    </Field>
  )
}

export const Options = ({ names }: { names: Record<string, string> }) =>
  Object.entries(names).map(([value, name]) => (
    <option key={value} value={value}>
      {name}
    </option>
  ))

type SelectProps = FieldProps &
  SelectHTMLAttributes<HTMLSelectElement> & { ref?: Ref<HTMLSelectElement> }

/** A radio button as a card, with its text beside it. */
export function Choice({ name, value, isChosen, onChoose, title, text }: ChoiceProps) {
  return (
    <label
      className={cx(
        'flex min-h-12 items-start gap-3 rounded-lg border px-4 py-3 text-sm transition-colors',
        isChosen ? 'border-tea bg-tea-soft' : 'border-line hover:border-line-strong',
      )}
    >
      <input
        type="radio"
        name={name}
        value={value}
        checked={isChosen}
        onChange={onChoose}
        className="mt-0.5 size-4 shrink-0 accent-tea"
      />
      <span>
        <span className="block leading-5 font-medium text-ink">{title}</span>
        {text && <span className="mt-0.5 block leading-5 text-ink-soft">{text}</span>}
      </span>
    </label>
  )
}

interface ChoiceProps {
  /** All buttons of a group share this name. */
  name: string
  value: string
  isChosen: boolean
  onChoose: () => void
  title: ReactNode
  text?: ReactNode
}
