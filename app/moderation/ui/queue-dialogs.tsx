/** Load them with `lazyDialog`. */
import { Fragment, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { decide, type PostQueries } from '#app/community/reports/decision.data.ts'
import { noteToAuthorProblem } from '#app/community/reports/note-to-author.ts'
import { postName } from '#app/community/reports/report.ts'
import { NoteToAuthorField } from '#app/community/reports/ui/removal-dialog.tsx'
import { ActDialog } from '#app/kit/forms/act-dialog.tsx'
import { KeyCap } from '#app/kit/ui/badge.tsx'
import { Dialog } from '#app/kit/ui/dialog.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import type { ModerationContract } from '../moderation.contract.ts'
import { QUEUE_KEYS, type QueueCommand } from '../moderation.ts'

const MEANINGS: Record<QueueCommand, string> = {
  next: 'Next case',
  previous: 'Previous case',
  keep: 'Keep or restore this post, or all selected posts',
  remove: 'Remove this post or leave it removed, or all selected posts',
  suspend: 'Suspend the author',
  lock: 'Lock or unlock the thread',
  count: 'Count the pending votes',
  drop: 'Drop the pending votes',
  mark: 'Select this case, so you can decide on several at once',
  'mark-next': 'Select this case and the next one',
  'mark-previous': 'Select this case and the previous one',
  unmark: 'Select none',
  open: 'Open in a new tab',
  undo: 'Undo the last decision',
  help: 'Show this list',
}

const SIGNS: Record<string, string> = { ArrowDown: '↓', ArrowUp: '↑', Escape: 'Esc' }

export function KeysDialog({ open, onOpenChange }: OpenProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Keyboard shortcuts"
      description="These keys work in the queue while you’re not typing. Arrow keys work on a selected case."
    >
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-5 gap-y-3 text-sm">
        {QUEUE_KEYS.map(({ command, keys }) => (
          <Fragment key={command}>
            <dt className="flex gap-1.5">
              {keys.map((key) => (
                <span key={key} className="flex gap-1">
                  {key.split('+').map((cap) => (
                    <KeyCap key={cap}>
                      {SIGNS[cap] ?? (cap.length === 1 ? cap.toUpperCase() : cap)}
                    </KeyCap>
                  ))}
                </span>
              ))}
            </dt>
            <dd className="text-ink-soft">{MEANINGS[command]}</dd>
          </Fragment>
        ))}
        <dt className="flex items-center gap-1.5">
          <KeyCap>1</KeyCap>–<KeyCap>7</KeyCap>
        </dt>
        <dd className="text-ink-soft">Choose a reason. Enter confirms, Esc goes back.</dd>
      </dl>
    </Dialog>
  )
}

/** Leaves a removed post removed, with a note to its author. */
export function DeclineDialog({ open, onOpenChange, queries, onDone }: DeclineDialogProps) {
  const api = useApi<ModerationContract>()
  const [note, setNote] = useState('')
  return (
    <ActDialog<'note'>
      open={open}
      onOpenChange={onOpenChange}
      title="Leave it removed?"
      texts={{
        text: 'We’ll tell its author, who can’t appeal again.',
        confirm: 'Leave it removed',
        busy: 'Sending...',
      }}
      variant="primary"
      check={() => ({ note: noteToAuthorProblem(note) })}
      act={async () => {
        await decide(queries, `The ${postName(queries.post.kind)} stays removed`, (_, params) =>
          api('POST /api/v1/moderation/posts/{kind}/{id}/decline-appeal', {
            params,
            body: { note },
          }),
        )
        onDone()
      }}
    >
      {() => (
        <NoteToAuthorField
          label="Note to the author (optional)"
          hint="Your name isn’t shown."
          note={note}
          onChange={setNote}
        />
      )}
    </ActDialog>
  )
}

type DeclineDialogProps = OpenProps & { queries: PostQueries; onDone: () => void }
