/** The form that starts a thread. What is written in it survives a closed tab and a lost network. */

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { badgeOf } from '#app/companies/badges/chosen-badge.data.ts'
import { BadgeChoice } from '#app/companies/badges/ui/badge-choice.tsx'
import type { CompanyContract } from '#app/companies/company.contract.ts'
import { companyQuery } from '#app/companies/company.data.ts'
import { CompanyPicker } from '#app/companies/ui/company-picker.tsx'
import { FormError } from '#app/kit/forms/form-error.tsx'
import { newIdempotencyKey } from '#app/kit/forms/idempotency-key.ts'
import { useForm } from '#app/kit/forms/use-form.ts'
import { useSession, useSessionKey } from '#app/kit/session/session.data.ts'
import { useSite } from '#app/kit/session/site.data.ts'
import { navigate } from '#app/kit/ui/address.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { type DraftKey, useDraft } from '#app/kit/writing/draft.data.ts'
import { DraftRestored } from '#app/kit/writing/draft-restored.tsx'
import { LivePreview } from '#app/kit/writing/live-preview.tsx'
import type { DiscussionContract } from '../../discussion.contract.ts'
import { type PollProblems, pollProblems } from '../../polls/poll.ts'
import { PollField } from '../../polls/ui/poll-field.tsx'
import { NameChoice } from '../../posts/ui/name-choice.tsx'
import { usePosting } from '../../posts/ui/use-posting.ts'
import {
  bodyProblem,
  emptyThread,
  isBlankThread,
  type ThreadDraft,
  titleProblem,
} from '../thread-draft.ts'
import { sendThread } from '../thread-sending.data.ts'
import { ThreadFields } from './thread-fields.tsx'

/** @param company id or slug; empty for none */
export function ThreadComposer({ company: reference }: { company: string }) {
  const { flags } = useSite()
  const api = useApi<DiscussionContract & CompanyContract>()
  const { status } = useSession()
  const queryClient = useQueryClient()
  const [thread, setThread] = useState(() => emptyThread(newIdempotencyKey()))
  const who = useSessionKey()
  const [badge, setBadge] = useState<string>()
  const [poll, setPollProblems] = useState<PollProblems>()
  const change = (part: Partial<ThreadDraft>) => setThread((now) => ({ ...now, ...part }))
  const post = usePosting(() => change({ sending: newIdempotencyKey() }))

  const draft = useDraft<ThreadDraft>({
    place: draftKeyOf(reference),
    content: thread,
    isBlank: isBlankThread(thread),
    // What was typed before the page came to life goes before what was kept.
    onRestore: (found, isNewer) =>
      setThread((now) => (isNewer || isBlankThread(now) ? found : now)),
    onSentElsewhere: (isKept) => {
      const sending = newIdempotencyKey()
      const next = isKept ? { ...thread, sending } : emptyThread(sending)
      setThread(next)
      return next
    },
  })
  const startOver = (path?: string) => {
    const next = emptyThread(newIdempotencyKey())
    if (path) draft.sent(next, path)
    else draft.clear(next)
    setThread(next)
    setPollProblems(undefined)
  }

  const asked = useQuery({
    ...companyQuery(api, reference),
    enabled: flags.enableCompanies && !!reference && thread.company === undefined,
  })
  const company = thread.company === undefined ? (asked.data ?? null) : thread.company

  const { form, errors, isBusy } = useForm<'title' | 'body' | 'poll'>({
    keptIn: 'browser',
    check: () => {
      const wrong = thread.poll ? pollProblems(thread.poll) : undefined
      setPollProblems(wrong)
      return {
        title: titleProblem(thread.title),
        body: bodyProblem(thread.body),
        poll: wrong && 'The poll is not ready yet.',
      }
    },
    send: async () => {
      // Signed out meanwhile: a visitor has no username to show.
      const name = status === 'signed-out' ? 'pseudonym' : thread.name
      const path = await sendThread(
        { api, queryClient, post },
        { ...thread, name },
        { companyId: company?.id, badgeFor: (post) => badgeOf(who, badge, post) },
      )
      startOver(path)
      toast({ title: 'Thread posted' })
      navigate(path)
    },
  })

  return (
    <div className="mt-8 grid items-start gap-x-12 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <form {...form} className="grid min-w-0 gap-6">
        <DraftRestored
          draft={draft}
          isBlank={isBlankThread(thread)}
          onDiscard={() => startOver()}
        />
        {flags.enableCompanies && (
          <CompanyPicker
            company={company}
            isLoading={!!reference && asked.isLoading}
            onPick={(company) => change({ company })}
          />
        )}
        <ThreadFields thread={thread} errors={errors} onChange={change} />
        <PollField
          poll={thread.poll}
          problems={poll}
          onChange={(poll) => {
            setPollProblems(undefined)
            change({ poll })
          }}
        />
        <NameChoice value={thread.name} onChange={(name) => change({ name })} />
        <BadgeChoice value={badge} onChange={setBadge} />
        <FormError>{errors.form ?? errors.poll}</FormError>
        <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
          <Button
            type="submit"
            size="lg"
            busy={isBusy}
            busyLabel="Posting..."
            className="no-js:hidden"
          >
            Post thread
          </Button>
          <p className="text-sm text-ink-faint js:hidden">Writing needs JavaScript.</p>
        </div>
      </form>
      <LivePreview title={thread.title} body={thread.body} />
    </div>
  )
}

/** One draft for each company that was written about, and one for none. */
const draftKeyOf = (company: string): DraftKey => ({
  kind: 'thread',
  key: company.toLowerCase(),
  path: company ? `/create-thread?${new URLSearchParams({ company })}` : '/create-thread',
})
