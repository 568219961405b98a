/** A thread of a room with its comments, oldest first. */
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { hasCode, statusOf } from '#app/api/client.ts'
import { NoteField } from '#app/kit/forms/act-fields.tsx'
import { ConfirmDialog } from '#app/kit/forms/confirm-dialog.tsx'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import { newIdempotencyKey } from '#app/kit/forms/idempotency-key.ts'
import { errorSentence } from '#app/kit/forms/refusal.ts'
import { Button, CancelButton } from '#app/kit/ui/button.tsx'
import { dateText } from '#app/kit/ui/format.ts'
import { EmptyState, LoadError } from '#app/kit/ui/message.tsx'
import { MoreButton } from '#app/kit/ui/paged-list.tsx'
import { Loading, SkeletonCard } from '#app/kit/ui/skeleton.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import type { DraftKey } from '#app/kit/writing/draft.data.ts'
import { DraftForm } from '#app/kit/writing/draft-form.tsx'
import type { FormDraft } from '#app/kit/writing/draft-notice.tsx'
import { useEditDraft } from '#app/kit/writing/edit-draft.data.ts'
import { useNewDraft } from '#app/kit/writing/new-draft.data.ts'
import { PostBody } from '#app/kit/writing/post-body.tsx'
import {
  BODY_MAX,
  COMMENT_MAX,
  THREAD_TITLE_MAX,
  THREAD_TITLE_MIN,
} from '../../discussions/discussion.ts'
import { postNames } from '../../discussions/posts/post-names.ts'
import { titleProblem } from '../../discussions/threads/thread-draft.ts'
import { APPEAL_MAX, appealProblem, stubText } from '../../reports/report.ts'
import { ReportDialog } from '../../reports/ui/report-button.tsx'
import type { RoomPost } from '../room.contract.ts'
import {
  appealInRoom,
  changeInRoom,
  type RoomAccess,
  removeFromRoom,
  reportInRoom,
  roomKey,
  roomThreadQuery,
  writeInRoom,
} from '../room.data.ts'
import { ROOM_TEXTS, type RoomText, roomBodyProblem } from '../room.ts'
import { ClosedRoom } from './closed-room.tsx'

export function RoomThreadView({ access, threadId, home }: RoomThreadProps) {
  const thread = useInfiniteQuery(roomThreadQuery(access, threadId))
  const queryClient = useQueryClient()
  const invalidate = () => queryClient.invalidateQueries({ queryKey: roomKey(access) })
  if (thread.isError && !thread.data) {
    const { error } = thread
    if (statusOf(error) === 404) return <EmptyState isHeading title={ROOM_TEXTS.gone} />
    return hasCode(error, 'room-closed') ? (
      <ClosedRoom access={access} isHeading />
    ) : (
      <LoadError text={errorSentence(error)} onRetry={thread.refetch} />
    )
  }
  if (!thread.data)
    return (
      <Loading label="Opening the thread..." className="mt-8">
        <SkeletonCard className="h-64" />
      </Loading>
    )
  const path = `${home}/${threadId}`
  const posts = thread.data.pages.flatMap(({ posts }) => posts)
  const names = postNames('post', posts)
  const title = thread.data.pages[0]?.title || ROOM_TEXTS.deleted
  const isOpen = posts[0] !== undefined && !posts[0].isDeleted && posts[0].hidden === null
  return (
    <article className="mt-3">
      <h1
        dir="auto"
        className="font-serif text-3xl leading-tight font-medium tracking-tight text-balance md:text-4xl"
      >
        {title}
      </h1>
      <ol className="mt-6 grid divide-y divide-line border-y border-line">
        {posts.map((post, at) => (
          <RoomPostRow
            key={post.id}
            access={access}
            threadId={threadId}
            path={path}
            post={post}
            label={names.get(post.id) ?? ''}
            title={at === 0 && post.id === threadId ? title : null}
            onChanged={invalidate}
          />
        ))}
      </ol>
      <MoreButton list={thread} className="mt-6" />
      {isOpen && !thread.hasNextPage && (
        <section aria-label="Write a comment" className="mt-8">
          <NewRoomPost
            isThread={false}
            label="Your comment"
            submitLabel="Comment"
            draftKey={{ kind: 'room', key: threadId, path }}
            send={async (post) => {
              await writeInRoom(access, { ...post, threadId })
              await invalidate()
            }}
          />
        </section>
      )}
    </article>
  )
}

interface RoomThreadProps {
  access: RoomAccess
  threadId: string
  home: string
}

function RoomPostRow(props: RoomPostProps) {
  const { access, threadId, path, post, label, title, onChanged } = props
  const { id, name, html, body, month, isNew, isOwn, isEdited, isDeleted, hidden } = post
  const [doing, setDoing] = useState<'change' | 'remove' | 'report' | 'appeal'>()
  const done = () => setDoing(undefined)
  const spoken = <span className="sr-only">{label}</span>
  const open = (what: typeof doing) => (isOpen: boolean) => setDoing(isOpen ? what : undefined)
  if (isDeleted) return <li className="py-5 text-sm text-ink-faint italic">{ROOM_TEXTS.deleted}</li>
  return (
    <li className="py-5">
      <p className="dotted text-sm">
        <span className="font-medium text-ink">{name}</span>
        {isOwn && <span className="text-tea">You</span>}
        <span className="text-ink-faint">{isNew ? ROOM_TEXTS.isNew : dateText(month)}</span>
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
            send={(text) => changeInRoom(access, { id, threadId, ...text })}
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
            await appealInRoom(access, { id, threadId, text })
            toast({ title: 'Another moderator will review it.' })
            done()
          }}
        />
      )}
      {doing === undefined && (
        <div className="mt-2 -ml-3 flex flex-wrap gap-1">
          {isOwn && !hidden && (
            <Button variant="ghost" size="sm" onClick={() => setDoing('change')}>
              Edit {spoken}
            </Button>
          )}
          {isOwn && (
            <Button variant="ghost" size="sm" onClick={() => setDoing('remove')}>
              Delete {spoken}
            </Button>
          )}
          {isOwn && hidden === 'removed' && (
            <Button variant="ghost" size="sm" onClick={() => setDoing('appeal')}>
              Appeal {spoken}
            </Button>
          )}
          {!isOwn && !hidden && (
            <Button variant="ghost" size="sm" onClick={() => setDoing('report')}>
              Report {spoken}
            </Button>
          )}
        </div>
      )}
      <ReportDialog
        open={doing === 'report'}
        onOpenChange={open('report')}
        post={{ kind: 'room', id }}
        send={(report) => reportInRoom(access, id, report)}
      />
      <ConfirmDialog
        open={doing === 'remove'}
        onOpenChange={open('remove')}
        title={ROOM_TEXTS.removeTitle}
        texts={{ text: ROOM_TEXTS.removeText, confirm: 'Delete', busy: 'Deleting...' }}
        act={async () => {
          await removeFromRoom(access, { id, threadId })
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
    check: () => ({ text: appealProblem(text) }),
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
  access: RoomAccess
  threadId: string
  path: string
  post: RoomPost
  /** "post by …" */
  label: string
  title: string | null
  onChanged: () => Promise<unknown>
}

interface RoomDraft extends RoomText {
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

function ChangedRoomPost(props: ChangedRoomPostProps) {
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
      titleLimits={{ min: THREAD_TITLE_MIN, max: THREAD_TITLE_MAX }}
      isLabelHidden={!isThread}
      placeholder={ROOM_TEXTS.placeholder}
      max={isThread ? BODY_MAX : COMMENT_MAX}
      leakGuard="colleagues"
      problems={{
        title: isThread ? titleProblem(title) : undefined,
        body: roomBodyProblem(draft.text),
      }}
      below={<p className="text-sm leading-6 text-ink-soft">{ROOM_TEXTS.warning}</p>}
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
