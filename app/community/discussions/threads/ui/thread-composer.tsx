/** The form for a new thread. Its draft survives a closed tab and a lost network. */

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { badgeOf } from '#app/companies/badges/chosen-badge.data.ts'
import { BadgeChoice } from '#app/companies/badges/ui/badge-choice.tsx'
import type { CompanyContract } from '#app/companies/company.contract.ts'
import { companyQuery } from '#app/companies/company.data.ts'
import { CompanyPicker } from '#app/companies/ui/company-picker.tsx'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import { newIdempotencyKey } from '#app/kit/forms/idempotency-key.ts'
import { useSession, useSessionKey } from '#app/kit/session/session.data.ts'
import { useSite } from '#app/kit/session/site.tsx'
import { proveWork } from '#app/kit/spam-check/spam-check.data.ts'
import { navigate } from '#app/kit/ui/address.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import type { DraftKey } from '#app/kit/writing/draft.data.ts'
import { DraftNotice } from '#app/kit/writing/draft-notice.tsx'
import { useNewDraft } from '#app/kit/writing/new-draft.data.ts'
import { LivePreview } from '#app/kit/writing/text-preview.tsx'
import { LISTS } from '../../../reports/post-keys.ts'
import type { DiscussionContract } from '../../discussion.contract.ts'
import type { DiscussionApi } from '../../discussion.data.ts'
import { type PollProblems, pollProblems } from '../../polls/poll.ts'
import { PollField } from '../../polls/ui/poll-field.tsx'
import { NameChoice } from '../../posts/ui/name-choice.tsx'
import {
  emptyThread,
  isBlankThread,
  type ThreadDraft,
  threadInput,
  threadProblems,
} from '../thread-draft.ts'
import { ThreadFields } from './thread-fields.tsx'

/** @param company id or slug; empty for none */
export function ThreadComposer({ company: reference }: { company: string }) {
  const { flags } = useSite()
  const api = useApi<DiscussionContract & CompanyContract>()
  const { status } = useSession()
  const queryClient = useQueryClient()
  const who = useSessionKey()
  const [badge, setBadge] = useState<string>()
  const [poll, setPollProblems] = useState<PollProblems>()
  const draft = useNewDraft<ThreadDraft>({
    draftKey: draftKeyOf(reference),
    empty: () => emptyThread(newIdempotencyKey()),
    isBlank: isBlankThread,
  })
  const { text: thread, change } = draft

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
        ...threadProblems(thread),
        poll: wrong && 'The poll isn’t ready yet.',
      }
    },
    send: async () => {
      // Signed out meanwhile: a visitor has no username to show.
      const name = status === 'signed-out' ? 'pseudonym' : thread.name
      const { path } = await draft.post(
        threadInput({ ...thread, name }, company?.id),
        async (input) => {
          const body = { ...input, badge: await badgeOf(who, badge, input) }
          return api('POST /api/v1/threads', { body: { ...body, proof: await proveWork(api) } })
        },
        ({ id }) => bringUpToDate(api, id, threadInput(thread)),
      )
      // It isn't in the lists that were loaded before.
      queryClient.invalidateQueries({ queryKey: LISTS, refetchType: 'none' })
      draft.sent(path)
      toast({ title: 'Thread posted' })
      navigate(path)
    },
  })

  return (
    <div className="mt-8 grid items-start gap-x-12 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <form {...form} className="grid min-w-0 gap-6">
        <DraftNotice
          draft={{
            ...draft,
            discard: () => {
              draft.discard()
              setPollProblems(undefined)
            },
          }}
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

/** Only where it differs, so that the thread doesn't say it was edited without need. */
async function bringUpToDate(
  api: DiscussionApi,
  id: string,
  thread: Pick<ThreadDraft, 'title' | 'body' | 'topics'>,
) {
  const params = { id }
  const { title, body, topics } = thread
  const there = await api('GET /api/v1/threads/{id}/source', { params })
  const isSame =
    there.title === title &&
    there.body === body &&
    [...there.topics].sort().join() === [...topics].sort().join()
  if (!isSame) await api('PATCH /api/v1/threads/{id}', { params, body: { title, body, topics } })
}

/** One draft per company, and one for none. */
const draftKeyOf = (company: string): DraftKey => ({
  kind: 'thread',
  key: company.toLowerCase(),
  path: company ? `/create-thread?${new URLSearchParams({ company })}` : '/create-thread',
})
