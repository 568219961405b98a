/** Asks people to confirm before something is done. */

import { useSyncExternalStore } from 'react'
import { lazyDialog } from '../ui/lazy-component.tsx'
import { leaving } from '../ui/unsaved-guard.ts'
import type { ActDialogProps } from './act-dialog.tsx'

export const ConfirmDialog = lazyDialog<Omit<ActDialogProps<never>, 'check' | 'children'>>(() =>
  import('./act-dialog.tsx').then((it) => it.ActDialog<never>),
)

/** Asks before someone leaves unsaved text. Each page has one. */
export function LeaveQuestion() {
  const leave = useSyncExternalStore(leaving.watch, leaving.current)
  return (
    <ConfirmDialog
      open={leave !== undefined}
      onOpenChange={leaving.stay}
      title="Leave without saving?"
      texts={{
        text: 'What you typed isn’t saved yet.',
        confirm: 'Leave',
        busy: 'Leaving...',
        cancel: 'Stay',
      }}
      act={async () => {}}
      onDone={leave}
    />
  )
}
