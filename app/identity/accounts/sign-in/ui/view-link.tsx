import type { ReactNode } from 'react'
import { cx } from '#app/kit/ui/cx.ts'
import { linkLook } from '#app/kit/ui/looks.ts'

export function ViewLink({ onPress, children }: { onPress: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      onClick={onPress}
      className={cx(linkLook, 'inline-flex min-h-10 items-center rounded-sm text-sm font-medium')}
    >
      {children}
    </button>
  )
}
