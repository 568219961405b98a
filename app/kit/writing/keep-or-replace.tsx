/** Two texts for one place. Nothing is overwritten before the person chooses. */
import type { ReactNode, Ref } from 'react'
import { Button } from '../ui/button.tsx'

export const KEEP_OR_REPLACE = 'Keep it, or replace it?'

/** @param children what isn't visible nearby */
export function KeepOrReplace({
  ref,
  title,
  children,
  replace,
  onKeep,
  onReplace,
}: KeepOrReplaceProps) {
  return (
    <div
      ref={ref}
      role="alert"
      tabIndex={-1}
      className="grid w-full scroll-mt-24 gap-3 rounded-lg bg-sunken p-4 text-sm leading-6 text-ink-soft outline-none"
    >
      <p className="font-semibold text-ink">{title}</p>
      {children}
      <p>{KEEP_OR_REPLACE}</p>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" size="sm" onClick={onKeep}>
          Keep it
        </Button>
        <Button variant="secondary" size="sm" onClick={onReplace}>
          {replace}
        </Button>
      </div>
    </div>
  )
}

export const ShownText = ({ children }: { children: string }) => (
  <blockquote className="max-h-40 overflow-y-auto border-l-2 border-line-strong pl-3 break-words whitespace-pre-wrap">
    <bdi>{children}</bdi>
  </blockquote>
)

interface KeepOrReplaceProps {
  ref?: Ref<HTMLDivElement>
  title: string
  children: ReactNode
  /** The label of the button that replaces. */
  replace: string
  onKeep: () => void
  onReplace: () => void
}
