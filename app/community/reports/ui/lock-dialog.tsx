/** Load it with `lazyDialog`. */
import { useState } from 'react'
import { ActDialog } from '#app/kit/forms/act-dialog.tsx'
import { NoteField, noteProblem } from '#app/kit/forms/act-fields.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { LOCK_NOTE_MAX } from '../report.ts'
import type { PostQueries } from '../ruling.data.ts'
import { lockThread } from '../ruling-orders.data.ts'

export function LockDialog({ open, onOpenChange, queries }: LockDialogProps) {
  const [note, setNote] = useState('')
  return (
    <ActDialog<'note'>
      open={open}
      onOpenChange={onOpenChange}
      title="Lock this thread?"
      words={{
        text: 'People can still read it, but no one can comment. We’ll tell its author.',
        confirm: 'Lock thread',
        busy: 'Sending...',
      }}
      variant="primary"
      check={() => ({ note: noteProblem(note, LOCK_NOTE_MAX) })}
      act={() => lockThread(queries, true, note)}
    >
      {() => (
        <NoteField
          label="Why, for its readers (optional)"
          hint="Shown below the thread, without your name."
          note={note}
          onChange={setNote}
          max={LOCK_NOTE_MAX}
        />
      )}
    </ActDialog>
  )
}

type LockDialogProps = OpenProps & { queries: PostQueries & { threadId: string } }
