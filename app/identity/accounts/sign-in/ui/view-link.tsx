import type { ReactNode } from 'react'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { cx } from '#app/kit/ui/cx.ts'

export function ViewLink({ onPress, children }: { onPress: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      onClick={onPress}
      className={cx(
        linkClasses,
        'inline-flex min-h-10 items-center rounded-sm text-sm font-medium',
      )}
    >
      {children}
    </button>
  )
}
