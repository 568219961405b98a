/** Load it with `lazyDialog`. */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import type { Reason } from '#app/identity/accounts/suspension.ts'
import { ActDialog } from '#app/kit/forms/act-dialog.tsx'
import { NoteField } from '#app/kit/forms/act-fields.tsx'
import { Select } from '#app/kit/ui/field.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import type { DecidedTogether, DecisionContract } from '../decision.contract.ts'
import { decide, decideTogether, type PostQueries, templatesQuery } from '../decision.data.ts'
import {
  noteToAuthorProblem,
  PLACEHOLDERS_TEXT,
  placeholderProblem,
  withTemplate,
} from '../note-to-author.ts'
import { NOTE_TO_AUTHOR_MAX, postName } from '../report.ts'
import { ReasonChoices } from './reason-choices.tsx'

export function RemovalDialog(props: RemovalDialogProps) {
  const { open, onOpenChange, queries, hasDigits, onDone, onTogether } = props
  const { kind } = queries.post
  const name = postName(kind)
  const { together } = queries
  const all = together?.length
  const [reason, setReason] = useState(props.reason)
  const [note, setNote] = useState('')
  return (
    <ActDialog<'reason' | 'note'>
      open={open}
      onOpenChange={onOpenChange}
      title={all ? `Remove all ${all} posts?` : `Remove this ${name}?`}
      texts={{
        text:
          kind === 'note'
            ? 'The note disappears, but the stars or answers with it still count. Its author sees why, and can appeal once.'
            : all
              ? 'The posts disappear. Their authors see why, and can appeal each one once.'
              : `The ${name} disappears. Its author sees why, and can appeal once.`,
        confirm: all ? 'Remove all' : `Remove ${name}`,
        busy: 'Sending...',
      }}
      check={() => ({
        reason: reason ? undefined : 'Please choose a reason',
        note: noteToAuthorProblem(note),
      })}
      act={async () => {
        if (!reason) return
        if (together)
          return onTogether?.(
            await decideTogether(queries, 'removed', (api) =>
              api('POST /api/v1/moderation/posts/remove', {
                body: { posts: [...together], reason, note },
              }),
            ),
          )
        await decide(queries, `The ${name} was removed`, (api, params, seen) =>
          api('POST /api/v1/moderation/posts/{kind}/{id}/remove', {
            params,
            body: { reason, note, seen },
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
          <NoteToAuthorField
            label={all ? 'Note to their authors (optional)' : 'Note to the author (optional)'}
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
  onTogether?: (together: DecidedTogether) => void
}

/** A moderator's text to an author, typed or from a template. The server fills in its placeholders for each post. */
export function NoteToAuthorField({ label, hint, note, onChange }: NoteToAuthorFieldProps) {
  const templates = useQuery(templatesQuery(useApi<DecisionContract>())).data ?? []
  return (
    <>
      {templates.length > 0 && (
        <Select
          label="Template"
          value=""
          onChange={({ target }) => {
            const chosen = templates.find(({ id }) => id === target.value)
            if (chosen) onChange(withTemplate(note, chosen.body, templates))
          }}
        >
          <option value="">Choose one...</option>
          {templates.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
      <NoteField
        label={label}
        hint={
          /[{}]/.test(note) ? `${PLACEHOLDERS_TEXT} are filled in for each post. ${hint}` : hint
        }
        note={note}
        onChange={onChange}
        max={NOTE_TO_AUTHOR_MAX}
        error={placeholderProblem(note)}
      />
    </>
  )
}

interface NoteToAuthorFieldProps {
  label: string
  hint: string
  note: string
  onChange: (note: string) => void
}
