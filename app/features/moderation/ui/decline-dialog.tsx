/** Leaves a removed post removed, with words to its author. Load it with `lazyDialog`. */
import { useState } from 'react'
import { NoteField, noteProblem } from '../../../forms/note-field.tsx'
import type { OpenProps } from '../../../ui/lazy-component.tsx'
import { RULING_NOTE_MAX } from '../../reports/report.ts'
import { type PostQueries, rule } from '../../reports/ruling.data.ts'
import { RulingDialog } from '../../reports/ui/ruling-dialog.tsx'

export function DeclineDialog({ open, onOpenChange, queries, onDone }: DeclineDialogProps) {
  const [note, setNote] = useState('')
  return (
    <RulingDialog<'note'>
      open={open}
      onOpenChange={onOpenChange}
      title="Leave it removed?"
      description="Its author is told, and cannot appeal again."
      submitLabel="Leave it removed"
      check={() => ({ note: noteProblem(note, RULING_NOTE_MAX) })}
      send={async () => {
        await rule(queries, `The ${queries.post.kind} stays removed`, (api, params) =>
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
    </RulingDialog>
  )
}

type DeclineDialogProps = OpenProps & { queries: PostQueries; onDone: () => void }
