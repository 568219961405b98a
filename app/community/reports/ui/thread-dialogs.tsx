/** What moderators do to a whole thread. Load it with `lazyDialog`. */
import { useState } from 'react'
import { CompanyPicker, type PickedCompany } from '#app/companies/ui/company-picker.tsx'
import { ActDialog } from '#app/kit/forms/act-dialog.tsx'
import { NoteField } from '#app/kit/forms/act-fields.tsx'
import { Select } from '#app/kit/ui/field.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { noteProblem } from '#app/kit/writing/text.ts'
import { decide, type PostQueries, setThreadLocked } from '../decision.data.ts'
import { LOCK_NOTE_MAX, SLOW_MINUTES, type SlowMinutes, slowText } from '../report.ts'

export function LockDialog({ open, onOpenChange, queries }: LockDialogProps) {
  const [note, setNote] = useState('')
  return (
    <ActDialog<'note'>
      open={open}
      onOpenChange={onOpenChange}
      title="Lock this thread?"
      texts={{
        text: 'People can still read it, but no one can comment. We’ll tell its author.',
        confirm: 'Lock thread',
        busy: 'Sending...',
      }}
      variant="primary"
      check={() => ({ note: noteProblem(note, LOCK_NOTE_MAX) })}
      act={() => setThreadLocked(queries, true, note)}
    >
      {() => (
        <NoteField
          label="Reason for readers (optional)"
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

export function SlowDialog({ open, onOpenChange, queries }: OpenProps & { queries: PostQueries }) {
  const [minutes, setMinutes] = useState<SlowMinutes>(10)
  return (
    <ActDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Slow mode"
      texts={{
        text: 'People can only comment this often. A line below the thread says so.',
        confirm: 'Slow it down',
        busy: 'Sending...',
      }}
      variant="primary"
      act={() =>
        decide(queries, 'Slow mode is on', (api, { id }, seen) =>
          api('POST /api/v1/moderation/threads/{id}/slow', {
            params: { id },
            body: { minutes, seen },
          }),
        )
      }
    >
      {() => (
        <Select
          label="One comment every"
          value={minutes}
          onChange={({ target }) =>
            setMinutes(SLOW_MINUTES.find((each) => String(each) === target.value) ?? minutes)
          }
        >
          {SLOW_MINUTES.map((each) => (
            <option key={each} value={each}>
              {slowText(each)}
            </option>
          ))}
        </Select>
      )}
    </ActDialog>
  )
}

export function MoveDialog({ open, onOpenChange, queries, company }: MoveDialogProps) {
  const [picked, setPicked] = useState<PickedCompany | null>(company)
  return (
    <ActDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Move this thread"
      texts={{
        text: 'Pick the company it’s about, or none. We’ll tell its author.',
        confirm: 'Move thread',
        busy: 'Sending...',
      }}
      variant="primary"
      check={() =>
        picked?.id === company?.id
          ? {
              form: company
                ? `This thread is already about ${company.name}`
                : 'This thread already has no company',
            }
          : {}
      }
      act={() =>
        decide(
          queries,
          picked ? `Moved to ${picked.name}` : 'No longer about a company',
          (api, { id }, seen) =>
            api('POST /api/v1/moderation/threads/{id}/move', {
              params: { id },
              body: { companyId: picked?.id ?? null, seen },
            }),
        )
      }
    >
      {() => (
        // Room for the list of companies that drops from the box.
        <div className="min-h-72">
          <CompanyPicker company={picked} isLoading={false} onPick={setPicked} />
        </div>
      )}
    </ActDialog>
  )
}

type MoveDialogProps = OpenProps & { queries: PostQueries; company: PickedCompany | null }
