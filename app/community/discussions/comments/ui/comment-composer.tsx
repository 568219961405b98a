import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { BadgeChoice, badgeOf } from '#app/companies/badges/ui/badge-choice.tsx'
import { newIdempotencyKey } from '#app/kit/forms/idempotency-key.ts'
import { errorSentence } from '#app/kit/forms/refusal.ts'
import { useSession, useSessionKey } from '#app/kit/session/session.data.ts'
import { solveSpamCheck } from '#app/kit/spam-check/spam-check.data.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { Loading, Skeleton } from '#app/kit/ui/skeleton.tsx'
import { DraftForm, type DraftFormProps } from '#app/kit/writing/draft-form.tsx'
import type { FormDraft } from '#app/kit/writing/draft-notice.tsx'
import { useEditDraft } from '#app/kit/writing/edit-draft.data.ts'
import type { EditorHandle } from '#app/kit/writing/markdown-editor.tsx'
import { useNewDraft } from '#app/kit/writing/new-draft.data.ts'
import { type Quote, withQuote } from '#app/kit/writing/post-body.tsx'
import type { Comment, DiscussionContract } from '../../discussion.contract.ts'
import { commentSourceQuery, myThreadQuery } from '../../discussion.data.ts'
import { COMMENT_MAX, commentProblem, type NameChoice as Name } from '../../discussion.ts'
import { NameChoice } from '../../posts/ui/name-choice.tsx'
import { commentEditPath } from '../../posts/ui/use-target.ts'

/** Edits the comment in `initial`, or writes a new one, below `parentId` if given. */
export function CommentComposer({ initial, ...props }: CommentComposerProps) {
  return initial ? (
    <LoadedComment key={initial.commentId} commentId={initial.commentId} {...props} />
  ) : (
    <NewComment key={`${props.threadId}/${props.parentId ?? ''}`} {...props} />
  )
}

function NewComment(props: NewCommentProps) {
  const { threadId, parentId, quote, onDone, onCancel, autoFocus } = props
  const api = useApi<DiscussionContract>()
  const { status } = useSession()
  const queryClient = useQueryClient()
  const sessionKey = useSessionKey()
  const [badge, setBadge] = useState<string>()
  const path = `/thread/${threadId}`
  const draft = useNewDraft<{ body: string; name: Name; idempotencyKey: string }>({
    draftKey: {
      kind: 'comment',
      key: parentId ? `${threadId}/${parentId}` : threadId,
      path: parentId ? `${path}#comment-${parentId}` : path,
    },
    empty: (now) => ({
      body: '',
      name: now?.name ?? 'pseudonym',
      idempotencyKey: newIdempotencyKey(),
    }),
    isBlank: ({ body }) => body.trim() === '',
  })
  const { text } = draft
  const editor = useRef<EditorHandle>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each quote
  useEffect(() => {
    if (!quote) return
    draft.change(({ body }) => ({ body: withQuote(body, quote.passage) }))
    editor.current?.select(AT_END, AT_END)
  }, [quote])

  return (
    <CommentForm
      editor={editor}
      draft={draft}
      label={parentId ? 'Your reply' : 'Your comment'}
      submitLabel={parentId ? 'Reply' : 'Comment'}
      busyLabel="Posting..."
      autoFocus={autoFocus}
      aside={<NameChoice isCompact value={text.name} onChange={(name) => draft.change({ name })} />}
      onCancel={onCancel}
      send={async () => {
        // If the person signed out meanwhile, there's no username to show.
        const name = status === 'signed-out' ? 'pseudonym' : text.name
        const comment = await draft.post(
          { body: text.body, parentId, name, idempotencyKey: text.idempotencyKey },
          async (input) =>
            api('POST /api/v1/threads/{id}/comments', {
              params: { id: threadId },
              body: {
                ...input,
                badge: await badgeOf(sessionKey, badge, { ...input, title: '' }),
                spamCheck: await solveSpamCheck(api),
              },
            }),
          async ({ id }) => {
            const params = { id }
            const { body } = text
            const source = await api('GET /api/v1/comments/{id}/source', { params })
            if (source.body !== body)
              await api('PATCH /api/v1/comments/{id}', { params, body: { body } })
          },
        )
        draft.sent(`${path}#comment-${comment.id}`)
        onDone(comment)
        // Only the server knows whether the comment shows its badge yet.
        if (badge)
          queryClient.invalidateQueries({
            queryKey: myThreadQuery(api, threadId, sessionKey).queryKey,
          })
      }}
    >
      <BadgeChoice value={badge} onChange={setBadge} />
    </CommentForm>
  )
}

/** Past the end of any text: the largest position a browser accepts. */
const AT_END = 2 ** 31 - 1

function LoadedComment({ commentId, ...props }: LoadedCommentProps) {
  const api = useApi<DiscussionContract>()
  const source = useQuery({ ...commentSourceQuery(api, commentId), refetchOnMount: 'always' })
  if (source.isError)
    return (
      <div role="alert" className="grid justify-items-start gap-3 text-sm text-ink-soft">
        {errorSentence(source.error)}
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
      <Loading label="Opening your comment...">
        <Skeleton className="h-40 w-full" />
      </Loading>
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
    draftKey: {
      kind: 'comment',
      key: `edit/${commentId}`,
      path: commentEditPath(threadId, commentId),
    },
    source,
    refetch,
  })
  return (
    <CommentForm
      draft={edit}
      label="Edit your comment"
      submitLabel="Save"
      busyLabel="Saving..."
      autoFocus={autoFocus}
      onCancel={onCancel}
      send={async () => {
        if (!edit.isBlank)
          await edit.send(() =>
            api('PATCH /api/v1/comments/{id}', {
              params: { id: commentId },
              body: { body: edit.text.body, before: edit.theirs },
            }),
          )
        edit.saved(`/thread/${threadId}#comment-${commentId}`)
        onDone()
      }}
    />
  )
}

function CommentForm({ editor, ...form }: CommentFormProps) {
  return (
    <DraftForm
      {...form}
      ref={editor}
      isLabelHidden
      placeholder="Be kind, and leave out anything only you would know"
      max={COMMENT_MAX}
      problems={{ body: commentProblem(form.draft.text.body) }}
    />
  )
}

interface NewCommentProps {
  threadId: string
  parentId?: string
  onDone: (comment?: Comment) => void
  onCancel?: () => void
  autoFocus?: boolean
  quote?: Quote
}
type CommentComposerProps = NewCommentProps & { initial?: { commentId: string } }
type LoadedCommentProps = NewCommentProps & { commentId: string }
type ChangedCommentProps = LoadedCommentProps & {
  source: { body: string }
  refetch: () => unknown
}

type CommentFormProps = Omit<DraftFormProps, 'draft' | 'ref' | 'max' | 'problems'> & {
  draft: FormDraft<{ body: string }>
  editor?: RefObject<EditorHandle | null>
}
