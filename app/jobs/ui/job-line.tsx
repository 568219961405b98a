import { Banknote, BriefcaseBusiness, ChevronsUp, House, type IconNode, MapPin } from 'lucide'
import type { ReactNode } from 'react'
import { cx } from '#app/kit/ui/cx.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import type { JobRow } from '../job.contract.ts'
import { EMPLOYMENT_TYPE_NAMES, SENIORITY_NAMES } from '../job.ts'
import { arrangementText, locationsText, salaryText } from '../job-text.ts'

export const jobListClasses =
  'divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface'

type Offer = Pick<
  JobRow,
  | 'salary'
  | 'places'
  | 'remotePolicy'
  | 'hybridDays'
  | 'remoteRegions'
  | 'employmentType'
  | 'seniority'
>

/** A job's key facts in a row, the salary first. */
export function JobLine({ job, className }: { job: Offer; className?: string }) {
  const places = locationsText(job.places)
  return (
    <ul className={cx('flex flex-wrap gap-x-5 gap-y-1.5 text-sm text-ink-soft', className)}>
      <Fact of={Banknote}>
        <span className="sr-only">Salary: </span>
        {/* Only drafts may have no salary. */}
        <span className="font-medium text-ink">
          {job.salary.maximum > 0 ? salaryText(job.salary) : 'not added yet'}
        </span>
      </Fact>
      {places && <Fact of={MapPin}>{places}</Fact>}
      <Fact of={House}>{arrangementText(job)}</Fact>
      <Fact of={BriefcaseBusiness}>{EMPLOYMENT_TYPE_NAMES[job.employmentType]}</Fact>
      {job.seniority && <Fact of={ChevronsUp}>{SENIORITY_NAMES[job.seniority]}</Fact>}
    </ul>
  )
}

const Fact = ({ of, children }: { of: IconNode; children: ReactNode }) => (
  <li className="flex min-w-0 items-start gap-1.5">
    <Icon of={of} className="mt-0.5 size-4 shrink-0 text-ink-faint" strokeWidth={1.75} />
    {/* Country names may differ between browser and server, because their data can differ in age. */}
    <span className="min-w-0 [overflow-wrap:anywhere]" suppressHydrationWarning>
      {children}
    </span>
  </li>
)
