/** Where a thread or comment of a room is written or edited. */
import { newIdempotencyKey } from '#app/kit/forms/idempotency-key.ts'
import type { DraftKey } from '#app/kit/writing/draft.data.ts'
import { DraftForm } from '#app/kit/writing/draft-form.tsx'
import type { FormDraft } from '#app/kit/writing/draft-notice.tsx'
import { useEditDraft } from '#app/kit/writing/edit-draft.data.ts'
import { useNewDraft } from '#app/kit/writing/new-draft.data.ts'
import { BODY_MAX, COMMENT_MAX, TITLE_MAX, TITLE_MIN } from '../../discussions/discussion.ts'
import { titleProblem } from '../../discussions/threads/thread-draft.ts'
import { ROOM, type RoomText, roomBodyProblem } from '../room.ts'

export interface RoomDraft extends RoomText {
  id: string
}

export function NewRoomPost({ draftKey, isThread, send, ...form }: NewRoomPostProps) {
  const draft = useNewDraft<RoomDraft>({
    draftKey,
    empty: () => ({ id: newIdempotencyKey(), title: isThread ? '' : null, body: '' }),
    isBlank: ({ title, body }) => !title?.trim() && body.trim() === '',
  })
  return (
    <RoomForm
      {...form}
      draft={draft}
      send={async () => {
        await draft.post(draft.text, send)
        draft.sent(draftKey.path)
      }}
    />
  )
}

export function ChangedRoomPost(props: ChangedRoomPostProps) {
  const { draftKey, source, refetch, send, onDone, ...form } = props
  const edit = useEditDraft({ draftKey, source, refetch })
  return (
    <RoomForm
      {...form}
      draft={edit}
      send={async () => {
        await edit.send(() => send({ ...edit.text, before: edit.theirs }))
        edit.saved(draftKey.path)
        await onDone()
      }}
    />
  )
}

function RoomForm({ draft, ...form }: RoomFormProps) {
  const { title } = draft.text
  const isThread = title !== null
  return (
    <DraftForm
      {...form}
      draft={draft}
      busyLabel="Posting..."
      titleLimits={{ min: TITLE_MIN, max: TITLE_MAX }}
      isLabelHidden={!isThread}
      placeholder={ROOM.placeholder}
      max={isThread ? BODY_MAX : COMMENT_MAX}
      leakGuard="colleagues"
      problems={{
        title: isThread ? titleProblem(title) : undefined,
        body: roomBodyProblem(draft.text),
      }}
      below={<p className="text-sm leading-6 text-ink-soft">{ROOM.warning}</p>}
    />
  )
}

interface FormProps {
  label: string
  submitLabel: string
  onCancel?: () => void
}
interface NewRoomPostProps extends FormProps {
  draftKey: DraftKey
  isThread: boolean
  send: (post: RoomDraft) => Promise<unknown>
}
interface ChangedRoomPostProps extends FormProps {
  draftKey: DraftKey
  source: RoomText
  refetch: () => unknown
  send: (text: RoomText & { before: RoomText }) => Promise<unknown>
  onDone: () => Promise<void>
}
interface RoomFormProps extends FormProps {
  draft: FormDraft<RoomText>
  send: () => Promise<void>
}
