import type { IconNode } from 'lucide'
import type { ReactNode } from 'react'
import { Icon } from '#app/kit/ui/icon.tsx'

export interface FinderOption {
  key: string
  row: ReactNode
  /** Without it, `act` runs. */
  href?: string
  act?: () => void
  /** Fills the box instead of closing the finder. */
  staysOpen?: boolean
}

export interface FinderGroup {
  name: string
  options: FinderOption[]
}

export const FinderRow = ({ icon, children, note }: FinderRowProps) => (
  <>
    <span className="flex size-8 shrink-0 items-center justify-center rounded-md bg-sunken text-ink-soft">
      <Icon of={icon} className="size-4" strokeWidth={1.75} />
    </span>
    <span className="min-w-0 flex-1">
      <span dir="auto" className="block truncate text-ink">
        {children}
      </span>
      {note && (
        <span dir="auto" className="block truncate text-xs text-ink-faint">
          {note}
        </span>
      )}
    </span>
  </>
)

interface FinderRowProps {
  icon: IconNode
  children: ReactNode
  note?: ReactNode
}
