/** Where a thread or comment of a room is written, or changed. What is begun stays in this browser. */
import { useRef, useState } from 'react'
import { FormError } from '#app/kit/forms/form-error.tsx'
import { isKeyUsed, newIdempotencyKey } from '#app/kit/forms/idempotency-key.ts'
import { useForm } from '#app/kit/forms/use-form.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { TextField } from '#app/kit/ui/text-field.tsx'
import { type DraftKey, useDraft } from '#app/kit/writing/draft.data.ts'
import { DraftRestored } from '#app/kit/writing/draft-restored.tsx'
import { useEditDraft } from '#app/kit/writing/edit-draft.data.ts'
import { EditRestored } from '#app/kit/writing/edit-restored.tsx'
import { LeakWarnings } from '#app/kit/writing/leak-warnings.tsx'
import { type EditorHandle, MarkdownEditor } from '#app/kit/writing/markdown-editor.tsx'
import { BODY_MAX, COMMENT_MAX, TITLE_MAX } from '../../discussions/discussion.ts'
import { titleProblem } from '../../discussions/threads/thread-draft.ts'
import { ROOM, type RoomText, roomBodyProblem } from '../room.ts'

export interface RoomDraft extends RoomText {
  /** Stays the same until it is sent: sent twice, it is one post. */
  id: string
}

export function NewRoomPost({ place, isThread, ...props }: NewRoomPostProps) {
  const [post, setPost] = useState(() => newPost(isThread))
  const isBlank = !post.title?.trim() && post.body.trim() === ''
  const draft = useDraft<RoomDraft>({
    place,
    content: post,
    isBlank,
    onRestore: setPost,
    onSentElsewhere: (isKept) => {
      const next = isKept ? { ...post, id: newIdempotencyKey() } : newPost(isThread)
      setPost(next)
      return next
    },
  })
  const startOver = (path?: string) => {
    const next = newPost(isThread)
    if (path) draft.sent(next, path)
    else draft.clear(next)
    setPost(next)
  }
  return (
    <RoomForm
      {...props}
      text={post}
      onChange={(part) => setPost((now) => ({ ...now, ...part }))}
      restored={<DraftRestored draft={draft} isBlank={isBlank} onDiscard={() => startOver()} />}
      send={async () => {
        await props.send(post).catch((error) => {
          if (isKeyUsed(error)) setPost((now) => ({ ...now, id: newIdempotencyKey() }))
          throw error
        })
        startOver(place.path)
      }}
    />
  )
}

const newPost = (isThread: boolean): RoomDraft => ({
  id: newIdempotencyKey(),
  title: isThread ? '' : null,
  body: '',
})

export function ChangedRoomPost({
  place,
  source,
  refetch,
  onDone,
  ...props
}: ChangedRoomPostProps) {
  const edit = useEditDraft({ place, source, refetch })
  return (
    <RoomForm
      {...props}
      text={edit.text}
      onChange={edit.change}
      restored={
        <EditRestored
          edit={edit}
          wordsOf={({ title, body }) => [title, body].filter(Boolean).join('\n\n')}
        />
      }
      whyNot={edit.whyNot}
      send={async () => {
        await props.send({ ...edit.text, before: edit.theirs })
        edit.saved(place.path)
        await onDone()
      }}
    />
  )
}

function RoomForm(props: RoomFormProps) {
  const { text, onChange, restored, whyNot, send, onCancel, label, submitLabel } = props
  const { title, body } = text
  const editor = useRef<EditorHandle>(null)
  const titleField = useRef<HTMLInputElement>(null)
  const problems = {
    title: title === null ? undefined : titleProblem(title),
    body: roomBodyProblem(text),
  }
  const { form, errors, isBusy } = useForm<'title' | 'body'>({
    keptIn: 'browser',
    check: () => ({ ...problems, form: whyNot?.() }),
    send,
  })
  const places = [
    ...(title === null
      ? []
      : [{ text: title, select: (a: number, b: number) => select(titleField.current, a, b) }]),
    { text: body, select: (a: number, b: number) => editor.current?.select(a, b) },
  ]
  return (
    <form {...form} className="grid gap-4">
      {restored}
      {title !== null && (
        <TextField
          ref={titleField}
          label="Title"
          name="title"
          value={title}
          onChange={({ target }) => onChange({ title: target.value })}
          max={TITLE_MAX}
          error={errors.title && problems.title}
        />
      )}
      <MarkdownEditor
        ref={editor}
        isCompact
        label={label}
        isLabelHidden={title === null}
        placeholder={ROOM.placeholder}
        max={title === null ? COMMENT_MAX : BODY_MAX}
        value={body}
        onChange={(body) => onChange({ body })}
        error={errors.body && problems.body}
      />
      <LeakWarnings isAmongColleagues places={places} />
      <p className="text-sm leading-6 text-ink-soft">{ROOM.warning}</p>
      <FormError>{errors.form}</FormError>
      <div className="flex flex-wrap justify-end gap-2">
        {onCancel && (
          <Button variant="ghost" onClick={onCancel}>
            Cancel
          </Button>
        )}
        <Button type="submit" busy={isBusy} busyLabel="Posting...">
          {submitLabel}
        </Button>
      </div>
    </form>
  )
}

function select(field: HTMLInputElement | null, start: number, end: number) {
  field?.focus()
  field?.setSelectionRange(start, end)
}

interface FormProps {
  label: string
  submitLabel: string
  onCancel?: (() => void) | undefined
}
interface NewRoomPostProps extends FormProps {
  place: DraftKey
  isThread: boolean
  /** Rejects with what the server refused. */
  send: (post: RoomDraft) => Promise<unknown>
}
interface ChangedRoomPostProps extends FormProps {
  place: DraftKey
  source: RoomText
  refetch: () => unknown
  /** Rejects with what the server refused. */
  send: (text: RoomText & { before: RoomText }) => Promise<unknown>
  onDone: () => Promise<void>
}
interface RoomFormProps extends FormProps {
  text: RoomText
  onChange: (part: Partial<RoomText>) => void
  restored?: React.ReactNode
  /** Why it can't be sent yet. */
  whyNot?: () => string | undefined
  send: () => Promise<void>
}
