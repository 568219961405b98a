/** Asks before someone leaves unsaved words. Once in every page. */
import { useSyncExternalStore } from 'react'
import { leaving } from '../ui/leaving.ts'
import { ConfirmDialog } from './confirm-dialog.ts'

export function LeaveQuestion() {
  const leave = useSyncExternalStore(leaving.watch, leaving.current)
  return (
    <ConfirmDialog
      open={leave !== undefined}
      onOpenChange={leaving.stay}
      title="Leave without saving?"
      words={{
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
