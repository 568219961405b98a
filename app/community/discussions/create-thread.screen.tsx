/** Spec §2.1. */

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ChartColumn } from 'lucide'
import { useEffect, useRef, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { BadgeChoice, badgeOf } from '#app/companies/badges/ui/badge-choice.tsx'
import type { CompanyContract } from '#app/companies/company.contract.ts'
import { companyQuery } from '#app/companies/company.data.ts'
import { CompanyPicker } from '#app/companies/ui/company-picker.tsx'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import { newIdempotencyKey } from '#app/kit/forms/idempotency-key.ts'
import { useSession, useSessionKey } from '#app/kit/session/session.data.ts'
import { PageHead, useSite } from '#app/kit/session/site.tsx'
import { solveSpamCheck } from '#app/kit/spam-check/spam-check.data.ts'
import { navigate, useAddress } from '#app/kit/ui/address.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { lazyComponent } from '#app/kit/ui/lazy-component.tsx'
import { NeedsScripts } from '#app/kit/ui/message.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import type { DraftKey } from '#app/kit/writing/draft.data.ts'
import { DraftNotice } from '#app/kit/writing/draft-notice.tsx'
import { useContactQuestion } from '#app/kit/writing/leak-warnings.tsx'
import { useNewDraft } from '#app/kit/writing/new-draft.data.ts'
import { LivePreview } from '#app/kit/writing/text-preview.tsx'
import type { DiscussionContract } from './discussion.contract.ts'
import { type DiscussionApi, planTitle, usePlannedTitle } from './discussion.data.ts'
import { THREAD_LISTS_KEY } from './discussion.ts'
import { NameChoice } from './posts/ui/name-choice.tsx'
import {
  EMPTY_POLL,
  emptyThread,
  isBlankThread,
  type PollDraft,
  type PollProblems,
  pollProblems,
  type ThreadDraft,
  threadInput,
  threadProblems,
} from './threads/thread-draft.ts'
import { ThreadFields } from './threads/ui/thread-fields.tsx'

export default function CreateThreadScreen() {
  const company = new URLSearchParams(useAddress().search).get('company') ?? ''
  return (
    <div className="mx-auto w-full max-w-6xl px-5 py-8 md:py-12">
      <PageHead
        title="Create thread"
        text="Say what you can’t say at work, and ask what you can’t ask there."
      />
      <h1 className="font-serif text-4xl leading-tight font-medium tracking-tight text-ink md:text-5xl">
        Create thread
      </h1>
      <p className="mt-3 max-w-prose leading-relaxed text-pretty text-ink-soft">
        Say what you can’t say at work. We don’t store your name, but your words can give you away.
        Leave out anything only you would know.
      </p>
      <NeedsScripts className="mt-8">Writing needs JavaScript.</NeedsScripts>
      <ThreadComposer key={company} company={company} />
    </div>
  )
}

/** The draft survives a closed tab and a lost network. @param company id or slug; empty for none */
function ThreadComposer({ company: reference }: { company: string }) {
  const { flags } = useSite()
  const api = useApi<DiscussionContract & CompanyContract>()
  const { status } = useSession()
  const queryClient = useQueryClient()
  const sessionKey = useSessionKey()
  const [badge, setBadge] = useState<string>()
  const [poll, setPollProblems] = useState<PollProblems>()
  const draft = useNewDraft<ThreadDraft>({
    draftKey: draftKeyOf(reference),
    empty: () => emptyThread(newIdempotencyKey()),
    isBlank: isBlankThread,
  })
  const { text: thread, change } = draft

  const planned = usePlannedTitle()
  // biome-ignore lint/correctness/useExhaustiveDependencies: after the draft was restored, whose title stays
  useEffect(() => {
    if (planned === '') return
    planTitle('')
    change((now) => (now.title.trim() === '' ? { title: planned } : {}))
  }, [planned])

  const wantedCompany = useQuery({
    ...companyQuery(api, reference),
    enabled: flags.enableCompanies && !!reference && thread.company === undefined,
  })
  const company = thread.company === undefined ? (wantedCompany.data ?? null) : thread.company

  const askAboutContacts = useContactQuestion()
  const { form, errors, isBusy } = useForm<'title' | 'body' | 'poll'>({
    storedIn: 'browser',
    check: () => {
      const wrong = thread.poll ? pollProblems(thread.poll) : undefined
      setPollProblems(wrong)
      return {
        ...threadProblems(thread),
        poll: wrong && 'The poll isn’t ready yet.',
      }
    },
    send: async () => {
      const question = await askAboutContacts(`${thread.title}\n${thread.body}`)
      if (question) return question
      // If the person signed out meanwhile, there's no username to show.
      const name = status === 'signed-out' ? 'pseudonym' : thread.name
      const { path } = await draft.post(
        threadInput({ ...thread, name }, company?.id),
        async (input) => {
          const body = { ...input, badge: await badgeOf(sessionKey, badge, input) }
          return api('POST /api/v1/threads', {
            body: { ...body, spamCheck: await solveSpamCheck(api) },
          })
        },
        ({ id }) => bringUpToDate(api, id, threadInput(thread)),
      )
      // Lists that are already loaded don't have the new thread.
      queryClient.invalidateQueries({ queryKey: THREAD_LISTS_KEY, refetchType: 'none' })
      draft.sent(path)
      toast({
        title: 'Thread posted',
        ...(status === 'signed-out' && {
          description: postedNews(flags.enableNotifications),
          duration: 8000,
        }),
      })
      navigate(path)
    },
  })

  return (
    <div className="mt-8 grid items-start gap-x-12 no-js:hidden lg:grid-cols-[minmax(0,1fr)_22rem]">
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
            isLoading={!!reference && wantedCompany.isLoading}
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
        <Button
          type="submit"
          size="lg"
          busy={isBusy}
          busyLabel="Posting..."
          className="justify-self-start"
        >
          Post thread
        </Button>
      </form>
      <LivePreview title={thread.title} body={thread.body} />
    </div>
  )
}

/** Cached lists are at most five minutes old. */
const postedNews = (hasBell: boolean) =>
  ['Everyone sees it within a few minutes.']
    .concat(hasBell ? 'Replies show up under the bell, in this browser only.' : [])
    .join(' ')

/** Sends only a changed thread, so none is marked as edited for nothing. */
async function bringUpToDate(
  api: DiscussionApi,
  id: string,
  thread: Pick<ThreadDraft, 'title' | 'body' | 'topics'>,
) {
  const params = { id }
  const { title, body, topics } = thread
  const stored = await api('GET /api/v1/threads/{id}/source', { params })
  const isSame =
    stored.title === title &&
    stored.body === body &&
    [...stored.topics].sort().join() === [...topics].sort().join()
  if (!isSame) await api('PATCH /api/v1/threads/{id}', { params, body: { title, body, topics } })
}

/** One draft per company, and one for none. */
const draftKeyOf = (company: string): DraftKey => ({
  kind: 'thread',
  key: company.toLowerCase(),
  path: company ? `/create-thread?${new URLSearchParams({ company })}` : '/create-thread',
})

const PollEditor = lazyComponent(
  () => import('./polls/ui/poll-editor.tsx').then((it) => it.PollEditor),
  <Skeleton className="h-64 w-full rounded-xl" />,
)

function PollField({ poll, problems, onChange }: PollFieldProps) {
  const opener = useRef<HTMLButtonElement>(null)
  const wasAdded = useRef(false)
  const wasRemoved = useRef(false)
  useEffect(() => {
    if (wasRemoved.current && !poll) opener.current?.focus()
    wasRemoved.current = false
  }, [poll])

  if (poll)
    return (
      <PollEditor
        poll={poll}
        problems={problems}
        takesFocus={wasAdded.current}
        onChange={(next) => {
          wasRemoved.current = next === null
          onChange(next)
        }}
      />
    )
  return (
    <Button
      ref={opener}
      variant="secondary"
      icon={<Icon of={ChartColumn} />}
      className="justify-self-start"
      {...PollEditor.preload}
      onClick={() => {
        wasAdded.current = true
        onChange(EMPTY_POLL)
      }}
    >
      Add a poll
    </Button>
  )
}

interface PollFieldProps {
  poll: PollDraft | null
  problems?: PollProblems
  onChange: (poll: PollDraft | null) => void
}
