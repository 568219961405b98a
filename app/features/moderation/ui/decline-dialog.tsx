/** Leaves a removed post removed, with words to its author. Load it with `lazyDialog`. */
import { useState } from 'react'
import { useApi } from '../../../api/client.ts'
import { ActDialog } from '../../../forms/act-dialog.tsx'
import { NoteField, noteProblem } from '../../../forms/note-field.tsx'
import type { OpenProps } from '../../../ui/lazy-component.tsx'
import { RULING_NOTE_MAX } from '../../reports/report.ts'
import { type PostQueries, rule } from '../../reports/ruling.data.ts'
import type { ModerationContract } from '../moderation.contract.ts'

export function DeclineDialog({ open, onOpenChange, queries, onDone }: DeclineDialogProps) {
  const api = useApi<ModerationContract>()
  const [note, setNote] = useState('')
  return (
    <ActDialog<'note'>
      open={open}
      onOpenChange={onOpenChange}
      title="Leave it removed?"
      words={{
        text: 'Its author is told, and cannot appeal again.',
        confirm: 'Leave it removed',
        busy: 'Sending...',
      }}
      variant="primary"
      check={() => ({ note: noteProblem(note, RULING_NOTE_MAX) })}
      act={async () => {
        await rule(queries, `The ${queries.post.kind} stays removed`, (_, params) =>
          api('POST /api/v1/moderation/posts/{kind}/{id}/decline-appeal', {
            params,
            body: { note },
          }),
        )
        onDone()
      }}
    >
      {() => (
        <NoteField
          label="Words to its author (optional)"
          hint="Your name is not shown."
          note={note}
          onChange={setNote}
          max={RULING_NOTE_MAX}
        />
      )}
    </ActDialog>
  )
}

type DeclineDialogProps = OpenProps & { queries: PostQueries; onDone: () => void }
