/** My hidden posts: why they're hidden, what a moderator wrote, and how to appeal. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Ban } from 'lucide'
import { useEffect, useRef, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { reasonName } from '#app/identity/accounts/suspension.ts'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import { useIsKnown } from '#app/kit/session/session.data.ts'
import { SiteLink } from '#app/kit/session/site.tsx'
import { Badge } from '#app/kit/ui/badge.tsx'
import { Button, CancelButton } from '#app/kit/ui/button.tsx'
import { TextArea } from '#app/kit/ui/field.tsx'
import { dateText } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { EmptyState } from '#app/kit/ui/message.tsx'
import { PagedList } from '#app/kit/ui/paged-list.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { PostBody } from '#app/kit/writing/post-body.tsx'
import { lengthOf } from '#app/kit/writing/text.ts'
import type { ModeratedNote, MyModeratedPost, ReportContract } from '../report.contract.ts'
import { myModerationQuery, ownNoteQuery, sendAppeal } from '../report.data.ts'
import { APPEAL_MAX, appealProblem } from '../report.ts'

export function OwnModeration() {
  const api = useApi<ReportContract>()
  const query = useQuery({ ...myModerationQuery(api), enabled: useIsKnown() })
  const suspension = query.data?.suspension
  return (
    <>
      {suspension && (
        <div className="mb-6 flex gap-3 rounded-lg bg-danger-soft px-4 py-3.5 text-sm leading-6 text-ink">
          <Icon of={Ban} className="mt-1 size-4 shrink-0 text-danger" />
          <p>
            <strong className="block font-semibold">
              {`You can post again on ${dateText(suspension.endsOn)}`}
            </strong>
            {`A moderator suspended you: ${reasonName(suspension.reason)}. You can still read, save and vote.`}
          </p>
        </div>
      )}
      <PagedList
        query={{ ...query, ...ONE_PAGE }}
        items={query.data?.posts ?? []}
        empty={
          <EmptyState
            title="All your posts are visible"
            text="If a moderator ever hides or removes one, you’ll see why here and can appeal."
          />
        }
        render={(post) => <ModeratedPost post={post} />}
      />
    </>
  )
}

const ONE_PAGE = {
  hasNextPage: false,
  isFetchingNextPage: false,
  isFetchNextPageError: false,
  fetchNextPage: () => Promise.reject(new Error('There’s only one page')),
}

const WHOSE = {
  thread: 'Your thread',
  comment: 'Your comment in',
  note: 'Your note. The stars still count.',
  job: 'Your company’s job',
  reply: 'Your company’s reply',
  room: 'Your post in a room',
}

function ModeratedPost({ post }: { post: MyModeratedPost }) {
  const { kind, thread, state, reason, note, html } = post
  const isHeld = state === 'held'
  return (
    <article>
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone="danger">{isHeld ? 'Held' : 'Removed'}</Badge>
        <span className="text-sm text-ink-faint">{WHOSE[kind]}</span>
      </p>
      <h2 dir="auto" className="mt-2 font-serif text-xl leading-7 font-medium text-pretty text-ink">
        {kind !== 'thread' ? (
          <SiteLink href={thread.path} className="underline-offset-4 hover:underline">
            {thread.title}
          </SiteLink>
        ) : (
          thread.title
        )}
      </h2>
      <p className="mt-1 text-sm leading-6 text-ink-soft">
        {isHeld
          ? 'No one else can see it until a moderator reviews it. You don’t need to do anything.'
          : `Why: ${reasonName(reason)}.`}
      </p>
      <NoteFromModerator note={note} />
      {html && (
        <details className="mt-3 text-sm">
          <summary className="inline-block rounded-md py-1.5 text-ink-soft underline decoration-line-strong underline-offset-4 hover:text-ink">
            What you wrote
          </summary>
          <div className="mt-2 rounded-lg bg-sunken px-4 py-3 text-[0.9375rem]">
            <PostBody html={html} />
          </div>
        </details>
      )}
      <Appeal post={post} />
    </article>
  )
}

const APPEAL_TEXTS = {
  open: 'You appealed. Another moderator will review it.',
  accepted: 'Your appeal was accepted.',
  declined: 'Your appeal was declined, so it stays removed.',
} as const

function NoteFromModerator({ note }: { note: string | null }) {
  if (!note) return null
  return (
    <p className="mt-2 border-l-2 border-tea pl-3 text-sm leading-6 whitespace-pre-line text-ink-soft">
      <span className="block font-medium text-ink">Note from a moderator</span>
      {note}
    </p>
  )
}

function Appeal({ post, holder }: AppealProps) {
  const [isWriting, setWriting] = useState(false)
  const answer = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    // Closing the form lost the focus.
    if (isWriting && post.appeal) answer.current?.focus()
  }, [isWriting, post.appeal])
  if (post.appeal)
    return (
      <p ref={answer} tabIndex={-1} className="mt-3 text-sm font-medium text-ink">
        {APPEAL_TEXTS[post.appeal]}
      </p>
    )
  if (!post.canAppeal) return null
  if (isWriting)
    return <AppealForm post={post} holder={holder} onCancel={() => setWriting(false)} />
  return (
    <Button variant="secondary" size="sm" className="mt-3" onClick={() => setWriting(true)}>
      Appeal<span className="sr-only">{` the removal of your post in “${post.thread.title}”`}</span>
    </Button>
  )
}

interface AppealProps {
  post: ModeratedNote
  holder?: { keys: string[]; onAppeal: (appeal: ModeratedNote['appeal']) => void } | undefined
}

function AppealForm({ post, holder, onCancel }: AppealProps & { onCancel: () => void }) {
  const api = useApi<ReportContract>()
  const queryClient = useQueryClient()
  const [text, setText] = useState('')
  const { form, errors, isBusy } = useForm<'text'>({
    check: () => ({ text: appealProblem(text) }),
    send: async () => {
      const { appeal } = await sendAppeal(api, post, text, holder?.keys)
      toast({ title: 'Appeal sent', description: 'We’ll show the outcome here.' })
      if (holder) holder.onAppeal(appeal)
      else await queryClient.invalidateQueries({ queryKey: myModerationQuery(api).queryKey })
    },
  })
  return (
    <form {...form} className="mt-4 grid gap-3">
      <FormError>{errors.form}</FormError>
      <TextArea
        label="Why should we restore it?"
        hint="Another moderator will read it. You can appeal once."
        limit={{ length: lengthOf(text.trim()), max: APPEAL_MAX }}
        autoFocus
        value={text}
        onChange={(event) => setText(event.target.value)}
        error={errors.text && appealProblem(text)}
      />
      <div className="flex justify-end gap-2">
        <CancelButton variant="ghost" onCancel={onCancel} />
        <Button type="submit" busy={isBusy} busyLabel="Sending...">
          Send appeal
        </Button>
      </div>
    </form>
  )
}

/** What happened to the note of my rating under my account. */
export function OwnNote({ id }: { id: string }) {
  const { data: post } = useQuery(ownNoteQuery(useApi<ReportContract>(), id))
  return post ? <OwnNoteState post={post} /> : null
}

/** What this browser last learned about an anonymous note. */
export function OwnNoteState({
  post,
  holder,
}: { post: ModeratedNote } & Pick<AppealProps, 'holder'>) {
  return (
    <div className="text-sm leading-6 text-ink-soft">
      <p>
        <strong className="font-semibold text-ink">
          {post.state === 'held'
            ? 'Your note is hidden until a moderator reviews it.'
            : `Your note was removed by a moderator: ${reasonName(post.reason)}.`}
        </strong>{' '}
        Everything else you gave still counts.
      </p>
      <NoteFromModerator note={post.note} />
      <Appeal post={post} holder={holder} />
    </div>
  )
}
