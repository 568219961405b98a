import { ChevronDown } from 'lucide'
import type { Ref, SelectHTMLAttributes } from 'react'
import { cx } from './cx.ts'
import { Field, type FieldProps, useField } from './field.tsx'
import { Icon } from './icon.tsx'
import { controlLook } from './looks.ts'

/** The browser's own select, whose picker on phones beats any we could draw. */
export function Select(props: SelectProps) {
  const { label, isLabelHidden, hint, error, className, children, ...select } = props
  const field = useField(props)
  return (
    <Field label={label} isLabelHidden={isLabelHidden} hint={hint} error={error} ids={field}>
      <span className="relative block">
        <select
          {...select}
          {...field.control}
          className={cx(controlLook, 'h-11 appearance-none pr-9 md:h-10', className)}
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
