import { useState } from 'react'
import { NoteField, noteProblem } from '#app/kit/forms/act-fields.tsx'
import { ConfirmDialog } from '#app/kit/forms/confirm-dialog.tsx'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import { Button, CancelButton } from '#app/kit/ui/button.tsx'
import { dateText } from '#app/kit/ui/format.ts'
import { toast } from '#app/kit/ui/toast.ts'
import { PostBody } from '#app/kit/writing/post-body.tsx'
import { stubText } from '../../reports/case-texts.ts'
import { APPEAL_MAX, APPEAL_MIN, APPEAL_TOO_SHORT } from '../../reports/report.ts'
import { ReportDialog } from '../../reports/ui/lazy-report-dialog.ts'
import type { RoomPost } from '../room.contract.ts'
import {
  appealInRoom,
  changeInRoom,
  type Door,
  removeFromRoom,
  reportInRoom,
} from '../room.data.ts'
import { ROOM } from '../room.ts'
import { ChangedRoomPost } from './room-composer.tsx'

export function RoomPostRow({ door, threadId, path, post, title, onChanged }: RoomPostProps) {
  const { id, name, html, body, month, isNew, isOwn, isEdited, isDeleted, hidden } = post
  const [doing, setDoing] = useState<'change' | 'remove' | 'report' | 'appeal'>()
  const done = () => setDoing(undefined)
  const open = (what: typeof doing) => (isOpen: boolean) => setDoing(isOpen ? what : undefined)
  if (isDeleted) return <li className="py-5 text-sm text-ink-faint italic">{ROOM.deleted}</li>
  return (
    <li className="py-5">
      <p className="dotted text-sm">
        <span className="font-medium text-ink">{name}</span>
        {isOwn && <span className="text-tea">You</span>}
        <span className="text-ink-faint">{isNew ? ROOM.isNew : dateText(month)}</span>
        {isEdited && <span className="text-ink-faint">edited</span>}
      </p>
      {hidden && (
        <p className="mt-2 text-sm text-ink-faint italic">
          {stubText({ state: hidden, reason: post.reason })}
        </p>
      )}
      {doing === 'change' && body !== null ? (
        <div className="mt-3">
          <ChangedRoomPost
            label="Edit your post"
            submitLabel="Save"
            draftKey={{ kind: 'room', key: `edit/${id}`, path }}
            source={{ title, body }}
            refetch={onChanged}
            onCancel={done}
            send={(text) => changeInRoom(door, { id, threadId, ...text })}
            onDone={async () => {
              await onChanged()
              done()
            }}
          />
        </div>
      ) : (
        html && (
          <div className="mt-2">
            <PostBody html={html} />
          </div>
        )
      )}
      {doing === 'appeal' && (
        <Appeal
          onCancel={done}
          send={async (text) => {
            await appealInRoom(door, { id, threadId, text })
            toast({ title: 'Another moderator will review it.' })
            done()
          }}
        />
      )}
      {doing === undefined && (
        <div className="mt-2 -ml-3 flex flex-wrap gap-1">
          {isOwn && !hidden && (
            <Button variant="ghost" size="sm" onClick={() => setDoing('change')}>
              Edit
            </Button>
          )}
          {isOwn && (
            <Button variant="ghost" size="sm" onClick={() => setDoing('remove')}>
              Delete
            </Button>
          )}
          {isOwn && hidden === 'removed' && (
            <Button variant="ghost" size="sm" onClick={() => setDoing('appeal')}>
              Appeal
            </Button>
          )}
          {!isOwn && !hidden && (
            <Button variant="ghost" size="sm" onClick={() => setDoing('report')}>
              Report
            </Button>
          )}
        </div>
      )}
      <ReportDialog
        open={doing === 'report'}
        onOpenChange={open('report')}
        post={{ kind: 'room', id }}
        send={(report) => reportInRoom(door, id, report)}
      />
      <ConfirmDialog
        open={doing === 'remove'}
        onOpenChange={open('remove')}
        title={ROOM.removeTitle}
        words={{ text: ROOM.removeText, confirm: 'Delete', busy: 'Deleting...' }}
        act={async () => {
          await removeFromRoom(door, { id, threadId })
          await onChanged()
        }}
      />
    </li>
  )
}

function Appeal({
  send,
  onCancel,
}: {
  send: (text: string) => Promise<void>
  onCancel: () => void
}) {
  const [text, setText] = useState('')
  const { form, errors, isBusy } = useForm<'text'>({
    check: () => ({
      text: text.trim().length < APPEAL_MIN ? APPEAL_TOO_SHORT : noteProblem(text, APPEAL_MAX),
    }),
    send: () => send(text),
  })
  return (
    <form {...form} className="mt-3 grid gap-3">
      <NoteField
        label="Why should we restore it?"
        note={text}
        onChange={setText}
        max={APPEAL_MAX}
        error={errors.text}
      />
      <FormError>{errors.form}</FormError>
      <div className="flex justify-end gap-2">
        <CancelButton variant="ghost" onCancel={onCancel} />
        <Button type="submit" busy={isBusy} busyLabel="Sending...">
          Send appeal
        </Button>
      </div>
    </form>
  )
}

interface RoomPostProps {
  door: Door
  threadId: string
  path: string
  post: RoomPost
  title: string | null
  onChanged: () => Promise<unknown>
}
