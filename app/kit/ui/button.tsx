/** The button: what a person presses to make something happen. */
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { cx } from './cx.ts'
import { leaveBy } from './leaving.ts'
import { Spinner } from './spinner.tsx'

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

/** The button's classes, for a link that should look like one. */
export function buttonLook(variant: ButtonVariant = 'primary', size: ButtonSize = 'md'): string {
  return cx(
    // By `button` and `primary` clear-of-buttons.ts knows also links that look like buttons.
    'button',
    SIZES[size],
    VARIANTS[variant],
    variant !== 'link' && PADDING[size],
    variant === 'primary' && 'primary',
  )
}

/**
 * While `busy` it is disabled and shows `busyLabel`, such as "Signing in..." (Spec §2.4). It does not
 * submit unless `type="submit"`. Repeat clicks are click-guard.ts's.
 */
export function Button(props: ButtonProps) {
  const { variant, size, busy, busyLabel, icon, className, children, disabled, ...rest } = props
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={cx(buttonLook(variant, size), className)}
    >
      {busy ? <Spinner label="" className="size-4" /> : icon}
      {busy && busyLabel ? busyLabel : children}
    </button>
  )
}

/** A square button that shows only an icon; its `label` is its name and its tooltip, unless it holds its name. */
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

export type IconButtonProps = Omit<ButtonElement, 'aria-label'> & {
  label?: string
  variant?: Exclude<ButtonVariant, 'link'>
  hasTooltip?: boolean
}

/** Something is on its way to the server. */
export const BUSY_BUTTON = 'button[aria-busy="true"]'

/** The way out of a window or form without doing anything; words that were typed there are asked about. */
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

/** In a window, buttons stand beside its form. */
const around = (button: HTMLButtonElement) =>
  button.closest('[role=dialog]') ?? button.form?.parentElement ?? undefined

interface CancelButtonProps {
  onCancel: () => void
  variant?: ButtonVariant
  children?: ReactNode
}
