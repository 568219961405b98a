/** Load it with `lazyDialog`. */
import { useState } from 'react'
import { ActDialog } from '#app/kit/forms/act-dialog.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import type { Together } from '../report.contract.ts'
import type { Reason } from '../report.ts'
import { type PostQueries, rule, ruleTogether } from '../ruling.data.ts'
import { ReasonChoices } from './reason-choices.tsx'
import { RulingWords, rulingProblem } from './ruling-words.tsx'

export function RemovalDialog(props: RemovalDialogProps) {
  const { open, onOpenChange, queries, hasDigits, onDone, onTogether } = props
  const { kind } = queries.post
  const { together } = queries
  const all = together?.length
  const [reason, setReason] = useState(props.reason)
  const [note, setNote] = useState('')
  return (
    <ActDialog<'reason' | 'note'>
      open={open}
      onOpenChange={onOpenChange}
      title={all ? `Remove all ${all} posts?` : `Remove this ${kind}?`}
      words={{
        text:
          kind === 'note'
            ? 'Its text disappears; its stars still count. Its author sees why next to their rating, and can appeal once.'
            : all
              ? 'They disappear. Their authors see why, and can appeal each one once.'
              : 'It disappears. Its author sees why, and can appeal once.',
        confirm: all ? 'Remove all' : `Remove ${kind}`,
        busy: 'Sending...',
      }}
      check={() => ({
        reason: reason ? undefined : 'Please choose a reason',
        note: rulingProblem(note),
      })}
      act={async () => {
        if (!reason) return
        if (together)
          return onTogether?.(
            await ruleTogether(queries, 'are removed', (api) =>
              api('POST /api/v1/moderation/posts/remove', {
                body: { posts: [...together], reason, note },
              }),
            ),
          )
        await rule(queries, `The ${kind} is removed`, (api, params) =>
          api('POST /api/v1/moderation/posts/{kind}/{id}/remove', {
            params,
            body: { reason, note },
          }),
        )
        onDone?.()
      }}
    >
      {(errors) => (
        <>
          <ReasonChoices
            reason={reason}
            onChoose={setReason}
            hasDigits={hasDigits}
            error={errors.reason}
          />
          <RulingWords
            label={all ? 'Note to their authors (optional)' : 'Note to its author (optional)'}
            hint="Say what would have been fine. Your name isn’t shown."
            note={note}
            onChange={setNote}
          />
        </>
      )}
    </ActDialog>
  )
}

type RemovalDialogProps = OpenProps & {
  queries: PostQueries
  reason?: Reason
  hasDigits?: boolean
  onDone?: () => void
  onTogether?: (together: Together) => void
}
