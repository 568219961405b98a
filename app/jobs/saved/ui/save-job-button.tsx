import { Bookmark } from 'lucide'
import { reportError } from '#app/kit/forms/refusal.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { saveJob } from '../saved-job-actions.data.ts'
import { useSavedJobs } from './use-saved-job-queries.ts'

/** Keeps its space while the session isn't known yet. */
export function SaveJobButton({ job: { id, title } }: { job: { id: string; title: string } }) {
  const { queries, isSaved: isSavedJob } = useSavedJobs()
  const isSaved = isSavedJob(id)
  return (
    <Button
      variant="ghost"
      size="sm"
      // The label stays: the pressed state says the rest.
      aria-pressed={isSaved ?? false}
      aria-disabled={isSaved === undefined || undefined}
      icon={<Icon of={Bookmark} className={cx('size-4', isSaved && 'fill-current')} />}
      className={cx('aria-disabled:opacity-100 no-js:hidden', isSaved && 'text-tea')}
      onClick={() => {
        if (isSaved === undefined) return
        saveJob(queries, id, !isSaved).catch(
          reportError(isSaved ? `Couldn’t remove “${title}”` : `Couldn’t save “${title}”`),
        )
      }}
    >
      Save
      <span className="sr-only">{` “${title}”`}</span>
    </Button>
  )
}
