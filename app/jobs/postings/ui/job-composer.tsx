import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import { newIdempotencyKey } from '#app/kit/forms/idempotency-key.ts'
import { navigate } from '#app/kit/ui/address.ts'
import { Button, buttonClasses } from '#app/kit/ui/button.tsx'
import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { useIsWide } from '#app/kit/ui/use-screen.ts'
import type { DraftKey } from '#app/kit/writing/draft.data.ts'
import { DraftNotice, type FormDraft } from '#app/kit/writing/draft-notice.tsx'
import { useEditDraft } from '#app/kit/writing/edit-draft.data.ts'
import { useNewDraft } from '#app/kit/writing/new-draft.data.ts'
import type { EditableJob, JobContract } from '../../job.contract.ts'
import type { JobApi } from '../../job.data.ts'
import {
  emptyJob,
  formProblems,
  isBlankJob,
  isSameJob,
  type JobDraft,
  type JobField,
  type JobProblems,
  jobDraftOf,
  jobInput,
} from '../job-form.ts'
import { invalidateJobs, JOB_TOASTS } from '../own-jobs.data.ts'
import { JobFields } from './job-fields.tsx'
import { JobPreview } from './job-preview.tsx'

const JobPreviewDialog = lazyDialog(() =>
  import('./job-preview-dialog.tsx').then((it) => it.JobPreviewDialog),
)

/** Edits `existing`, or writes a new job. Drafts survive a closed tab. */
export function JobComposer({ company, existing }: JobComposerProps) {
  return existing ? <ChangedJob company={company} {...existing} /> : <NewJob company={company} />
}

function NewJob({ company }: { company: Company }) {
  const api = useApi<JobContract>()
  const draft = useNewDraft<JobDraft>({
    draftKey: draftKeyOf(company.id),
    empty: () => emptyJob(newIdempotencyKey()),
    isBlank: isBlankJob,
  })
  const { text: job } = draft

  /** Sending a job again with a changed text updates the same job. */
  const create = async (isDraft: boolean) => {
    const params = { id: company.id }
    const body = { job: jobInput(job), isDraft, idempotencyKey: job.idempotencyKey }
    return draft.post(
      body,
      (body) => api('POST /api/v1/companies/{id}/jobs', { params, body }),
      async ({ id, status }) => {
        await api('PUT /api/v1/jobs/{id}', { params: { id }, body: { job: body.job } })
        if (status === 'draft' && !isDraft) await openNow(api, id)
      },
    )
  }
  return (
    <JobForm
      company={company}
      draft={draft}
      isUnposted
      cancelLabel="Later"
      send={create}
      onSent={draft.sent}
    />
  )
}

function ChangedJob({ company, job, refetch }: ChangedJobProps) {
  const api = useApi<JobContract>()
  const { id, input, status } = job
  const edit = useEditDraft<JobDraft>({
    draftKey: draftKeyOf(company.id, id),
    source: jobDraftOf(input, id),
    refetch,
    isSame: isSameJob,
    shownText: jobWords,
  })
  const save = async (isDraft: boolean) => {
    const params = { id }
    const body = { job: jobInput(edit.text), before: jobInput(edit.theirs) }
    const saved = await edit.send(() => api('PUT /api/v1/jobs/{id}', { params, body }))
    return saved.status === 'draft' && !isDraft ? { ...saved, ...(await openNow(api, id)) } : saved
  }
  return (
    <JobForm
      company={company}
      draft={edit}
      isUnposted={status === 'draft'}
      cancelLabel="Cancel"
      send={save}
      onSent={edit.saved}
    />
  )
}

const openNow = (api: JobApi, id: string) =>
  api('POST /api/v1/jobs/{id}/status', { params: { id }, body: { to: 'open' } })

function jobWords(job: JobDraft) {
  const places = job.places.map(({ city, country }) => [city, country].filter(Boolean).join(', '))
  const pay = [job.minimum, job.maximum].filter(Boolean).join(' – ')
  const apply = job.applyBy === 'link' ? job.link : job.email
  const facts = [...places, pay && `${pay} ${job.currency}`, job.tags, apply]
  return [job.title, job.description, facts.filter(Boolean).join('\n')].filter(Boolean).join('\n\n')
}

function JobForm(props: JobFormProps) {
  const { company, draft, isUnposted, cancelLabel, send, onSent } = props
  const { text: job } = draft
  const queryClient = useQueryClient()
  const isWide = useIsWide()
  const [isPreviewOpen, setPreviewOpen] = useState(false)
  /** Says which of the two buttons was pressed. */
  const [intent] = useState<{ isDraft: boolean }>(() => ({ isDraft: false }))
  const { form, errors, isBusy } = useForm<JobField>({
    storedIn: 'browser',
    check: () => ({ ...formProblems(job, intent.isDraft), form: draft.whyNot?.() }),
    send: async () => {
      const { path, status } = await send(intent.isDraft)
      const next = status === 'draft' ? '/post-job' : path
      onSent(next)
      await invalidateJobs({ queryClient })
      if (status === 'draft') toast(JOB_TOASTS.drafted)
      else toast(isUnposted ? JOB_TOASTS.posted : JOB_TOASTS.saved)
      navigate(next)
    },
  })
  const submit = (isDraft: boolean) => {
    intent.isDraft = isDraft
    form.ref.current?.requestSubmit()
    // Submitting by keyboard means posting.
    intent.isDraft = false
  }
  return (
    <div className="mt-8 grid items-start gap-x-12 lg:grid-cols-[minmax(0,1fr)_24rem]">
      <form {...form} className="grid min-w-0 gap-7">
        <DraftNotice draft={draft} />
        <JobFields job={job} problems={currentProblems(errors, job)} onChange={draft.change} />
        <FormError>{errors.form}</FormError>
        <div className="flex flex-wrap items-center gap-3">
          <Button
            type="submit"
            size="lg"
            busy={isBusy}
            busyLabel={isUnposted ? 'Posting...' : 'Saving...'}
          >
            {isUnposted ? 'Post job' : 'Save changes'}
          </Button>
          {isUnposted && (
            <Button variant="secondary" size="lg" disabled={isBusy} onClick={() => submit(true)}>
              Save as draft
            </Button>
          )}
          <span className="flex max-sm:-ml-6 max-sm:w-full">
            <Button
              variant="ghost"
              size="lg"
              className="lg:hidden"
              {...JobPreviewDialog.preload}
              onClick={() => setPreviewOpen(true)}
            >
              Preview
            </Button>
            <a href="/post-job" className={buttonClasses('ghost', 'lg')}>
              {cancelLabel}
            </a>
          </span>
        </div>
        <p className="text-sm text-ink-faint">
          What you write stays in this browser until you send it.
        </p>
      </form>
      <aside
        aria-label="Preview"
        className="sticky top-24 max-h-[calc(100dvh-8rem)] overflow-y-auto rounded-xl border border-line bg-paper p-5 max-lg:hidden"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it
        tabIndex={0}
      >
        <p className="mb-3 text-xs font-medium text-ink-faint">Preview</p>
        {isWide && <JobPreview job={job} company={company} />}
      </aside>
      <JobPreviewDialog
        open={isPreviewOpen}
        onOpenChange={setPreviewOpen}
        job={job}
        company={company}
      />
    </div>
  )
}

/** A refused field shows its current problem while it has one. */
function currentProblems(refused: JobProblems, job: JobDraft): JobProblems {
  const problems = formProblems(job)
  return Object.fromEntries(
    Object.entries(problems).filter(([field]) =>
      PAY.has(field) ? PAY_FIELDS.some((each) => refused[each]) : refused[field as JobField],
    ),
  )
}

/** The salary has a single error message, which moves to the field it's about. */
const PAY_FIELDS = ['minimum', 'maximum', 'currency'] as const
const PAY = new Set<string>(PAY_FIELDS)

/** One draft per company for a new job, and one for each edited job. */
const draftKeyOf = (company: string, job?: string): DraftKey => ({
  kind: 'job',
  key: job ?? company,
  path: job ? `/post-job?job=${job}` : `/post-job?company=${company}&new=1`,
})

type Company = { id: string; name: string; path: string }

interface JobComposerProps {
  company: Company
  existing?: { job: EditableJob; refetch: () => unknown }
}

interface ChangedJobProps {
  company: Company
  job: EditableJob
  refetch: () => unknown
}

interface JobFormProps {
  company: Company
  draft: FormDraft<JobDraft>
  /** Whether it's still a draft. */
  isUnposted: boolean
  cancelLabel: string
  /** Rejects with the server's refusal. */
  send: (isDraft: boolean) => Promise<{ path: string; status: EditableJob['status'] }>
  /** Called with the path to go to. */
  onSent: (path: string) => void
}
