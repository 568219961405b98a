/** Leaves a removed post removed, with words to its author. Load it with `lazyDialog`. */
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { type PostQueries, rule } from '#app/community/reports/ruling.data.ts'
import { RulingWords, rulingProblem } from '#app/community/reports/ui/ruling-words.tsx'
import { ActDialog } from '#app/kit/forms/act-dialog.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
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
      check={() => ({ note: rulingProblem(note) })}
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
        <RulingWords
          label="Words to its author (optional)"
          hint="Your name is not shown."
          note={note}
          onChange={setNote}
        />
      )}
    </ActDialog>
  )
}

type DeclineDialogProps = OpenProps & { queries: PostQueries; onDone: () => void }
