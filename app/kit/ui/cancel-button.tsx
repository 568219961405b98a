/** The way out of a window without doing anything; words that were typed there are asked about. */
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { leaveBy } from './leaving.ts'

export const CancelButton = ({ onCancel, children = 'Cancel' }: CancelButtonProps) => (
  <Button
    variant="secondary"
    onClick={({ currentTarget }) =>
      leaveBy(onCancel, currentTarget.closest('[role=dialog]') ?? undefined)
    }
  >
    {children}
  </Button>
)

interface CancelButtonProps {
  onCancel: () => void
  children?: ReactNode
}
