/** Where a comment is written, or changed. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { badgeOf } from '#app/companies/badges/chosen-badge.data.ts'
import { BadgeChoice } from '#app/companies/badges/ui/badge-choice.tsx'
import { FormError } from '#app/kit/forms/form-error.tsx'
import { newIdempotencyKey } from '#app/kit/forms/idempotency-key.ts'
import { refusalOf } from '#app/kit/forms/refusal.ts'
import { useForm } from '#app/kit/forms/use-form.ts'
import { useSession, useSessionKey } from '#app/kit/session/session.data.ts'
import { proveWork } from '#app/kit/spam-check/spam-check.data.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { type DraftKey, useDraft } from '#app/kit/writing/draft.data.ts'
import { DraftRestored } from '#app/kit/writing/draft-restored.tsx'
import { useEditDraft } from '#app/kit/writing/edit-draft.data.ts'
import { EditRestored } from '#app/kit/writing/edit-restored.tsx'
import { LeakWarnings } from '#app/kit/writing/leak-warnings.tsx'
import { type EditorHandle, MarkdownEditor } from '#app/kit/writing/markdown-editor.tsx'
import { type Quote, withQuote } from '#app/kit/writing/quote.ts'
import { isBlank } from '#app/kit/writing/text.ts'
import type { Comment, DiscussionContract } from '../../discussion.contract.ts'
import { mineQuery } from '../../discussion.data.ts'
import { COMMENT_MAX, type NameChoice as Name, TEXT_PROBLEMS } from '../../discussion.ts'
import { commentSourceQuery } from '../../posts/own-posts.data.ts'
import { NameChoice } from '../../posts/ui/name-choice.tsx'
import { usePosting } from '../../posts/ui/use-posting.ts'
import { commentEditPath } from '../../posts/ui/use-target.ts'

/** With `initial` it changes that comment; without, it writes a new one, below `parentId` if given. */
export function CommentComposer({ initial, ...props }: CommentComposerProps) {
  return initial ? (
    <LoadedComment key={initial.commentId} commentId={initial.commentId} {...props} />
  ) : (
    <NewComment key={`${props.threadId}/${props.parentId ?? ''}`} {...props} />
  )
}

type Kept = { body: string; name: Name; sending: string }

function NewComment(props: NewCommentProps) {
  const { threadId, parentId, quote, onDone, onCancel, autoFocus } = props
  const api = useApi<DiscussionContract>()
  const { status } = useSession()
  const queryClient = useQueryClient()
  const [kept, setKept] = useState<Kept>(newKept)
  const rekey = () => setKept((now) => ({ ...now, sending: newIdempotencyKey() }))
  const post = usePosting(rekey)
  const { body } = kept
  const who = useSessionKey()
  const [badge, setBadge] = useState<string>()
  const place: DraftKey = {
    kind: 'comment',
    key: parentId ? `${threadId}/${parentId}` : threadId,
    path: parentId ? `/thread/${threadId}#comment-${parentId}` : `/thread/${threadId}`,
  }
  const draft = useDraft<Kept>({
    place,
    content: kept,
    isBlank: body.trim() === '',
    // What was typed before the page came to life goes before what was kept.
    onRestore: (found, isNewer) =>
      setKept((now) => (isNewer || now.body.trim() === '' ? found : now)),
    onSentElsewhere: (isKept) => {
      const next = isKept ? { ...kept, sending: newIdempotencyKey() } : newKept()
      setKept(next)
      return next
    },
  })
  const editor = useRef<EditorHandle>(null)
  // Behind the draft, which has come before.
  useEffect(() => {
    if (!quote) return
    setKept((now) => ({ ...now, body: withQuote(now.body, quote.passage) }))
    editor.current?.select(AT_END, AT_END)
  }, [quote])
  const startOver = (path?: string) => {
    const next = { ...newKept(), name: kept.name }
    if (path) draft.sent(next, path)
    else draft.clear(next)
    setKept(next)
  }

  return (
    <ComposerForm
      editor={editor}
      label={parentId ? 'Your reply' : 'Your comment'}
      submitLabel={parentId ? 'Reply' : 'Comment'}
      busyLabel="Posting..."
      body={body}
      onBody={(body) => setKept((now) => ({ ...now, body }))}
      autoFocus={autoFocus}
      name={kept.name}
      onName={(name) => setKept((now) => ({ ...now, name }))}
      onCancel={onCancel}
      send={async () => {
        // Signed out meanwhile: a visitor has no username to show.
        const name = status === 'signed-out' ? 'pseudonym' : kept.name
        const comment = await post(
          { body, parentId, name, sending: kept.sending },
          async (input) =>
            api('POST /api/v1/threads/{id}/comments', {
              params: { id: threadId },
              body: {
                ...input,
                badge: await badgeOf(who, badge, { ...input, title: '' }),
                proof: await proveWork(api),
              },
            }),
          async ({ id }) => {
            const params = { id }
            const source = await api('GET /api/v1/comments/{id}/source', { params })
            if (source.body !== body)
              await api('PATCH /api/v1/comments/{id}', { params, body: { body } })
          },
        )
        startOver(`/thread/${threadId}#comment-${comment.id}`)
        onDone(comment)
        // Whether its badge shows yet, only the server knows.
        if (badge)
          queryClient.invalidateQueries({ queryKey: mineQuery(api, threadId, who).queryKey })
      }}
    >
      <DraftRestored draft={draft} isBlank={body.trim() === ''} onDiscard={() => startOver()} />
      <BadgeChoice value={badge} onChange={setBadge} />
    </ComposerForm>
  )
}

/** Behind whatever is written: as far as a browser counts. */
const AT_END = 2 ** 31 - 1

const newKept = (): Kept => ({ body: '', name: 'pseudonym', sending: newIdempotencyKey() })

function LoadedComment({ commentId, ...props }: LoadedCommentProps) {
  const api = useApi<DiscussionContract>()
  const source = useQuery({ ...commentSourceQuery(api, commentId), refetchOnMount: 'always' })
  if (source.isError)
    return (
      <div role="alert" className="grid justify-items-start gap-3 text-sm text-ink-soft">
        {refusalOf(source.error)}
        <div className="flex gap-2">
          <Button variant="secondary" size="sm" onClick={() => source.refetch()}>
            Try Again
          </Button>
          {props.onCancel && (
            <Button variant="ghost" size="sm" onClick={props.onCancel}>
              Cancel
            </Button>
          )}
        </div>
      </div>
    )
  if (!source.data)
    return (
      <div role="status" aria-label="Opening your comment...">
        <Skeleton className="h-40 w-full" />
      </div>
    )
  return (
    <ChangedComment
      commentId={commentId}
      source={source.data}
      refetch={source.refetch}
      {...props}
    />
  )
}

function ChangedComment(props: ChangedCommentProps) {
  const { commentId, threadId, source, refetch, onDone, onCancel, autoFocus } = props
  const api = useApi<DiscussionContract>()
  const edit = useEditDraft({
    place: {
      kind: 'comment',
      key: `edit/${commentId}`,
      path: commentEditPath(threadId, commentId),
    },
    source,
    refetch,
  })
  const { body } = edit.text
  const editor = useRef<EditorHandle>(null)
  return (
    <ComposerForm
      editor={editor}
      label="Change your comment"
      submitLabel="Save"
      busyLabel="Saving..."
      body={body}
      onBody={(body) => edit.change({ body })}
      autoFocus={autoFocus}
      onCancel={onCancel}
      whyNot={edit.whyNot}
      send={async () => {
        if (!edit.isUnchanged)
          await edit.send(() =>
            api('PATCH /api/v1/comments/{id}', {
              params: { id: commentId },
              body: { body, before: edit.theirs },
            }),
          )
        edit.saved(`/thread/${threadId}#comment-${commentId}`)
        onDone()
      }}
    >
      <EditRestored edit={edit} wordsOf={({ body }) => body} />
    </ComposerForm>
  )
}

function ComposerForm(props: ComposerFormProps) {
  const { editor, label, body, onBody, name, onName, onCancel, whyNot, send, children } = props
  const { form, errors, isBusy } = useForm<'body'>({
    keptIn: 'browser',
    check: () => ({ body: problemOf(body), form: whyNot?.() }),
    send,
  })
  return (
    <form {...form} className="grid gap-3">
      <MarkdownEditor
        ref={editor}
        label={label}
        isLabelHidden
        isCompact
        placeholder="Say it kindly, and leave out what only you could know"
        max={COMMENT_MAX}
        value={body}
        onChange={onBody}
        autoFocus={props.autoFocus}
        error={errors.body && problemOf(body)}
      />
      {children}
      <LeakWarnings
        places={[{ text: body, select: (start, end) => editor.current?.select(start, end) }]}
      />
      <FormError>{errors.form}</FormError>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        {name && onName ? <NameChoice isCompact value={name} onChange={onName} /> : <span />}
        <div className="ml-auto flex gap-2">
          {onCancel && (
            <Button variant="ghost" onClick={onCancel}>
              Cancel
            </Button>
          )}
          <Button type="submit" busy={isBusy} busyLabel={props.busyLabel} className="no-js:hidden">
            {props.submitLabel}
          </Button>
        </div>
      </div>
      <p className="text-sm text-ink-faint js:hidden">Writing needs JavaScript.</p>
    </form>
  )
}

function problemOf(body: string) {
  if (isBlank(body)) return TEXT_PROBLEMS.emptyComment
  return body.length > COMMENT_MAX ? TEXT_PROBLEMS.longComment : undefined
}

interface NewCommentProps {
  threadId: string
  parentId?: string
  /** With the comment that was posted; without one where a comment was changed. */
  onDone: (comment?: Comment) => void
  onCancel?: () => void
  autoFocus?: boolean
  /** Goes behind what is written. */
  quote?: Quote
}
type CommentComposerProps = NewCommentProps & { initial?: { commentId: string } }
type LoadedCommentProps = NewCommentProps & { commentId: string }
type ChangedCommentProps = LoadedCommentProps & {
  source: { body: string }
  refetch: () => unknown
}

interface ComposerFormProps {
  editor: RefObject<EditorHandle | null>
  label: string
  submitLabel: string
  busyLabel: string
  body: string
  onBody: (body: string) => void
  name?: Name
  onName?: (name: Name) => void
  autoFocus?: boolean
  onCancel?: () => void
  /** Why it can't be sent yet. */
  whyNot?: () => string | undefined
  /** Rejects with what the server refused. */
  send: () => Promise<void>
  children?: ReactNode
}
