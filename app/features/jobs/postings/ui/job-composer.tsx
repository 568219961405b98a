/** The form of a job: a new one, or one that is there. What is written survives a closed tab. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../../../api/client.ts'
import { FormError } from '../../../../forms/form-error.tsx'
import { newIdempotencyKey } from '../../../../forms/idempotency-key.ts'
import { useForm } from '../../../../forms/use-form.ts'
import { navigate } from '../../../../ui/address.ts'
import { Button, buttonLook } from '../../../../ui/button.tsx'
import { lazyDialog } from '../../../../ui/lazy-component.tsx'
import { toast } from '../../../../ui/toast.ts'
import { useIsWide } from '../../../../ui/use-media.ts'
import { type DraftKey, useDraft } from '../../../../writing/draft.data.ts'
import { DraftRestored } from '../../../../writing/draft-restored.tsx'
import { usePosting } from '../../../discussions/posts/ui/use-posting.ts'
import type { EditableJob, JobContract } from '../../job.contract.ts'
import {
  draftOf,
  emptyJob,
  formProblems,
  isBlankJob,
  isSameJob,
  type JobDraft,
  type JobField,
  type JobProblems,
  jobInput,
} from '../job-form.ts'
import { JOB_TOASTS } from '../job-texts.ts'
import { lookAgain } from '../own-jobs.data.ts'
import { JobFields } from './job-fields.tsx'
import { JobPreview } from './job-preview.tsx'

const JobPreviewDialog = lazyDialog(() =>
  import('./job-preview-dialog.tsx').then((it) => it.JobPreviewDialog),
)

interface JobComposerProps {
  company: { id: string; name: string; path: string }
  /** One that is there already. */
  existing?: EditableJob
}

export function JobComposer({ company, existing }: JobComposerProps) {
  const api = useApi<JobContract>()
  const queryClient = useQueryClient()
  const isWide = useIsWide()
  const [isPreviewOpen, setPreviewOpen] = useState(false)
  const fresh = () =>
    existing ? draftOf(existing.input, newIdempotencyKey()) : emptyJob(newIdempotencyKey())
  const [atFirst, setAtFirst] = useState(fresh)
  const [job, setJob] = useState(atFirst)
  const change = (part: Partial<JobDraft>) => setJob((now) => ({ ...now, ...part }))
  const post = usePosting(() => change({ sending: newIdempotencyKey() }))
  const isUnposted = !existing || existing.status === 'draft'
  /** Which of the two buttons sends. */
  const [intent] = useState<{ isDraft: boolean }>(() => ({ isDraft: false }))

  const draft = useDraft<JobDraft>({
    place: draftKeyOf(company.id, existing?.id),
    content: job,
    isBlank: existing ? isSameJob(job, atFirst) : isBlankJob(job),
    // What was typed before goes before what was kept; what an older version kept may lack a part.
    onRestore: (found) =>
      setJob((now) => (isSameJob(now, atFirst) ? { ...atFirst, ...found } : now)),
    onSentElsewhere: (isKept) => {
      const next = isKept ? { ...job, sending: newIdempotencyKey() } : fresh()
      if (!isKept) setAtFirst(next)
      setJob(next)
      return next
    },
  })
  const startAnew = (path?: string) => {
    const next = fresh()
    if (path) draft.sent(next, path)
    else draft.clear(next)
    setAtFirst(next)
    setJob(next)
  }

  const { form, errors, isBusy } = useForm<JobField>({
    check: () => formProblems(job, intent.isDraft),
    send: async () => {
      const { isDraft } = intent
      const { path, status } = await (existing ? save(isDraft) : create(isDraft))
      const place = status === 'draft' ? '/post-job' : path
      startAnew(place)
      await lookAgain({ queryClient })
      if (status === 'draft') toast(JOB_TOASTS.drafted)
      else toast(isUnposted ? JOB_TOASTS.posted : JOB_TOASTS.saved)
      navigate(place)
    },
  })

  /** Sent twice it is one job, which then says what was sent last. */
  const create = async (isDraft: boolean) => {
    const params = { id: company.id }
    const body = { job: jobInput(job), isDraft, sending: job.sending }
    return post(
      body,
      (body) => api('POST /api/v1/companies/{id}/jobs', { params, body }),
      async ({ id, status }) => {
        await api('PUT /api/v1/jobs/{id}', { params: { id }, body: { job: body.job } })
        if (status === 'draft' && !isDraft) await openNow(id)
      },
    )
  }
  const save = async (isDraft: boolean) => {
    const params = { id: existing?.id ?? '' }
    const saved = await api('PUT /api/v1/jobs/{id}', { params, body: { job: jobInput(job) } })
    return saved.status === 'draft' && !isDraft
      ? { ...saved, ...(await openNow(params.id)) }
      : saved
  }
  const openNow = (id: string) =>
    api('POST /api/v1/jobs/{id}/status', { params: { id }, body: { to: 'open' } })

  const submit = (isDraft: boolean) => {
    intent.isDraft = isDraft
    form.ref.current?.requestSubmit()
    // The keys that send the form mean to post it.
    intent.isDraft = false
  }
  return (
    <div className="mt-8 grid items-start gap-x-12 lg:grid-cols-[minmax(0,1fr)_24rem]">
      <form {...form} className="grid min-w-0 gap-7">
        <DraftRestored
          draft={draft}
          isBlank={existing ? isSameJob(job, atFirst) : isBlankJob(job)}
          onDiscard={() => startAnew()}
        />
        <JobFields job={job} problems={stillWrong(errors, job)} onChange={change} />
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
          <Button
            variant="ghost"
            size="lg"
            className="lg:hidden"
            {...JobPreviewDialog.preload}
            onClick={() => setPreviewOpen(true)}
          >
            Preview
          </Button>
          <a href="/post-job" className={buttonLook('ghost', 'lg')}>
            {existing ? 'Cancel' : 'Later'}
          </a>
        </div>
        <p className="text-sm text-ink-faint">
          What you write is kept in this browser until you send it.
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

/** Once a field was refused, it says how things stand. */
function stillWrong(refused: JobProblems, job: JobDraft): JobProblems {
  const now = formProblems(job)
  return Object.fromEntries(
    Object.entries(now).filter(([field]) =>
      PAY.has(field) ? PAY_FIELDS.some((each) => refused[each]) : refused[field as JobField],
    ),
  )
}

/** One sentence about the pay stands where it belongs now. */
const PAY_FIELDS = ['minimum', 'maximum', 'currency'] as const
const PAY = new Set<string>(PAY_FIELDS)

/** One draft for each company's new job, and one for each job that is changed. */
const draftKeyOf = (company: string, job?: string): DraftKey => ({
  kind: 'job',
  key: job ?? company,
  path: job ? `/post-job?job=${job}` : `/post-job?company=${company}&new=1`,
})
