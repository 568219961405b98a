/** Asks why a post is removed, and for words to its author. Load it with `lazyDialog`. */
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
            ? 'Its words are no longer shown; its stars still count. Its author finds out why beside their rating, and may appeal once.'
            : all
              ? 'They are no longer shown. Who wrote them learns why and may appeal once about each.'
              : 'It is no longer shown. Its author learns why and may appeal once.',
        confirm: all ? 'Remove all' : `Remove ${kind}`,
        busy: 'Sending...',
      }}
      check={() => ({
        reason: reason ? undefined : 'Please choose why',
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
            label={all ? 'Words to who wrote them (optional)' : 'Words to its author (optional)'}
            hint="Say what would have been fine. Your name is not shown."
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
  /** What it was reported for most. */
  reason?: Reason
  hasDigits?: boolean
  /** After the server has done it. */
  onDone?: () => void
  /** The same of several, with what became of each. */
  onTogether?: (together: Together) => void
}
