import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { cx } from './cx.ts'
import { Spinner } from './skeleton.tsx'
import { leaveBy } from './unsaved-guard.ts'

const VARIANTS = {
  primary: 'bg-tea text-on-tea hover:bg-tea-strong',
  secondary:
    'border border-line-strong/60 bg-surface text-ink hover:border-ink-soft hover:bg-sunken',
  ghost: 'text-ink-soft hover:bg-sunken hover:text-ink',
  danger: 'bg-danger text-on-danger hover:bg-danger/90',
  link: 'text-tea underline decoration-tea/40 underline-offset-4 hover:decoration-tea',
} as const

const SIZES = {
  sm: 'h-10 text-sm md:h-9',
  md: 'h-11 text-[0.9375rem] md:h-10 md:text-sm',
  lg: 'h-12 text-base',
} as const

const PADDING = { sm: 'px-3', md: 'px-4', lg: 'px-6' } as const

export type ButtonVariant = keyof typeof VARIANTS
export type ButtonSize = keyof typeof SIZES

/** Makes a link look like a button. */
export function buttonClasses(variant: ButtonVariant = 'primary', size: ButtonSize = 'md'): string {
  return cx(
    // clear-of-buttons.ts finds links that look like buttons by `button` and `primary`.
    'button',
    SIZES[size],
    VARIANTS[variant],
    variant !== 'link' && PADDING[size],
    variant === 'primary' && 'primary',
  )
}

/** While `busy` it's disabled and shows `busyLabel` (Spec §2.4). Submits only with `type="submit"`. */
export function Button(props: ButtonProps) {
  const { variant, size, busy, busyLabel, icon, className, children, disabled, ...rest } = props
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={cx(buttonClasses(variant, size), className)}
    >
      {busy ? <Spinner label="" className="size-4" /> : icon}
      {busy && busyLabel ? busyLabel : children}
    </button>
  )
}

/** A square button with only an icon. `label` is its name and tooltip, unless it contains its name. */
export function IconButton(props: IconButtonProps) {
  const { label, variant = 'ghost', className, children, hasTooltip = true, ...rest } = props
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      data-tooltip={hasTooltip ? label : undefined}
      className={cx('icon-button', VARIANTS[variant], className)}
    >
      {children}
    </button>
  )
}

type ButtonElement = ButtonHTMLAttributes<HTMLButtonElement> & { ref?: Ref<HTMLButtonElement> }

export type ButtonProps = ButtonElement & {
  variant?: ButtonVariant
  size?: ButtonSize
  busy?: boolean
  busyLabel?: string
  icon?: ReactNode
}

type IconButtonProps = Omit<ButtonElement, 'aria-label'> & {
  label?: string
  variant?: Exclude<ButtonVariant, 'link'>
  hasTooltip?: boolean
}

/** Something is being sent. */
export const BUSY_BUTTON = 'button[aria-busy="true"]'

/** Leaves a dialog or form without doing anything, after asking about typed words. */
export const CancelButton = (props: CancelButtonProps) => {
  const { onCancel, variant = 'secondary', children = 'Cancel' } = props
  return (
    <Button
      variant={variant}
      onClick={({ currentTarget }) => leaveBy(onCancel, around(currentTarget))}
    >
      {children}
    </Button>
  )
}

/** What surrounds a button. In a dialog, buttons are outside of its form. */
const around = (button: HTMLButtonElement) =>
  button.closest('[role=dialog]') ?? button.form?.parentElement ?? undefined

interface CancelButtonProps {
  onCancel: () => void
  variant?: ButtonVariant
  children?: ReactNode
}
