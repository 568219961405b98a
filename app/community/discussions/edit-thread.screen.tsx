/** Spec §2.1. */

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { statusOf, useApi } from '#app/api/client.ts'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import { errorSentence } from '#app/kit/forms/refusal.ts'
import { useIsKnown } from '#app/kit/session/session.data.ts'
import { PageHead } from '#app/kit/session/site.tsx'
import { navigate } from '#app/kit/ui/address.ts'
import { Button, buttonClasses } from '#app/kit/ui/button.tsx'
import { EmptyState, LoadError } from '#app/kit/ui/message.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { DraftNotice } from '#app/kit/writing/draft-notice.tsx'
import { useEditDraft } from '#app/kit/writing/edit-draft.data.ts'
import { useContactQuestion } from '#app/kit/writing/leak-warnings.tsx'
import { leadingUuid } from '#app/platform/uuid.ts'
import type { DiscussionContract } from './discussion.contract.ts'
import { threadSourceQuery } from './discussion.data.ts'
import { threadProblems } from './threads/thread-draft.ts'
import { ThreadFields } from './threads/ui/thread-fields.tsx'

export default function EditThreadScreen({ id: segment = '' }: { id?: string }) {
  const id = leadingUuid(segment)
  return (
    <>
      <PageHead title="Edit thread" text="Edit the text of your post." />
      {id ? <OwnThread id={id} /> : <NotYours />}
    </>
  )
}

function OwnThread({ id }: { id: string }) {
  const api = useApi<DiscussionContract>()
  const isKnown = useIsKnown()
  const { data, error, refetch } = useQuery({
    ...threadSourceQuery(api, id),
    enabled: isKnown,
    refetchOnMount: 'always',
  })
  if (data) return <EditForm key={id} id={id} source={data} refetch={refetch} />
  if (!error) return <EditSkeleton />
  if (statusOf(error) === 404) return <NotYours />
  return (
    <LoadError
      isPage
      title="Your thread didn’t load"
      text={errorSentence(error)}
      onRetry={refetch}
    />
  )
}

/** One sentence for both cases, because we don't say who wrote what. */
function NotYours() {
  return (
    <EmptyState
      isHeading
      className="mt-[8svh]"
      title="There’s nothing here you can edit"
      text="The thread no longer exists, or it belongs to another browser or account. Your unsaved edits are in your drafts."
      action={
        <a href="/my-discussions?tab=drafts" className={buttonClasses('secondary')}>
          Your drafts
        </a>
      }
    />
  )
}

interface EditFormProps {
  id: string
  source: { title: string; body: string; topics: string[] }
  refetch: () => unknown
}

function EditForm({ id, source, refetch }: EditFormProps) {
  const api = useApi<DiscussionContract>()
  const queryClient = useQueryClient()
  const edit = useEditDraft({
    draftKey: { kind: 'thread', key: `edit/${id}`, path: `/edit-thread/${id}` },
    source,
    refetch,
    shownText: ({ title, body, topics }) =>
      [title, body, topics.join(', ')].filter(Boolean).join('\n\n'),
  })
  const { text: thread } = edit
  const askAboutContacts = useContactQuestion()
  const { form, errors, isBusy } = useForm<'title' | 'body'>({
    storedIn: 'browser',
    check: () => ({ ...threadProblems(thread), form: edit.whyNot() }),
    send: async () => {
      const question = await askAboutContacts(`${thread.title}\n${thread.body}`)
      if (question) return question
      const body = { ...thread, title: thread.title.trim(), before: edit.theirs }
      const { path } = await edit.send(() =>
        api('PATCH /api/v1/threads/{id}', { params: { id }, body }),
      )
      edit.saved(path)
      // Every page that shows the thread must reload it.
      await queryClient.invalidateQueries({ refetchType: 'none' })
      toast({ title: 'Thread saved' })
      navigate(path)
    },
  })
  return (
    <div className="mx-auto w-full max-w-3xl px-5 py-8 md:py-12">
      <h1 className="font-serif text-4xl leading-tight font-medium tracking-tight text-ink md:text-5xl">
        Edit thread
      </h1>
      <p className="mt-3 text-ink-soft">The thread will be marked as edited.</p>
      <form {...form} className="mt-8 grid gap-6">
        <DraftNotice draft={edit} />
        <ThreadFields thread={thread} errors={errors} onChange={edit.change} />
        <FormError>{errors.form}</FormError>
        <div className="flex gap-3">
          <Button type="submit" busy={isBusy} busyLabel="Saving...">
            Save
          </Button>
          <a href={`/thread/${id}`} className={buttonClasses('ghost')}>
            Cancel
          </a>
        </div>
      </form>
    </div>
  )
}

function EditSkeleton() {
  return (
    <div className="mx-auto w-full max-w-3xl px-5 py-8 md:py-12" aria-busy="true">
      <h1 className="font-serif text-4xl leading-tight font-medium tracking-tight text-ink md:text-5xl">
        Edit thread
      </h1>
      <Skeleton className="mt-10 h-11 w-full" />
      <Skeleton className="mt-6 h-72 w-full" />
    </div>
  )
}
