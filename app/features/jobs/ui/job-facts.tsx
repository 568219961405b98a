/** What a job offers, at a glance: a line in a list, a list on its page. */

import type { IconNode } from 'lucide'
import { Banknote, BriefcaseBusiness, ChevronsUp, House, MapPin } from 'lucide'
import type { ReactNode } from 'react'
import { cx } from '../../../ui/cx.ts'
import { Icon } from '../../../ui/icon.tsx'
import type { JobRow } from '../job.contract.ts'
import { countryName, EMPLOYMENT_TYPE_NAMES, REMOTE_POLICY_NAMES, SENIORITY_NAMES } from '../job.ts'
import type { PreviewedJob } from '../job-form.ts'
import { arrangementText, placesText, placeText, salaryText } from '../job-words.ts'

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

/** Its pay first: no job is without. */
export function JobLine({ job, className }: { job: Offer; className?: string }) {
  const places = placesText(job.places)
  return (
    <ul className={cx('flex flex-wrap gap-x-5 gap-y-1.5 text-sm text-ink-soft', className)}>
      <Fact of={Banknote}>
        <span className="sr-only">Salary: </span>
        {/* Only a draft may say none yet. */}
        <span className="font-medium text-ink">
          {job.salary.maximum > 0 ? salaryText(job.salary) : 'not said yet'}
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
    {/* The names of countries are the browser's own, which may be another year's than the server's. */}
    <span className="min-w-0 [overflow-wrap:anywhere]" suppressHydrationWarning>
      {children}
    </span>
  </li>
)

/** On its page: every place, every country, the pay in full. */
export function JobFacts({ job }: { job: PreviewedJob }) {
  const { salary, places, remotePolicy, hybridDays, remoteRegions, employmentType, seniority } = job
  const regions = remoteRegions.map((code) => countryName(code) ?? code)
  return (
    <dl className="grid gap-x-8 gap-y-5 rounded-xl border border-line bg-surface p-5 sm:grid-cols-2">
      <Row name="Salary">
        {salary ? (
          <strong className="font-semibold">{salaryText(salary, true)}</strong>
        ) : (
          <span className="text-ink-faint">Not said yet</span>
        )}
      </Row>
      <Row name="Employment">
        {EMPLOYMENT_TYPE_NAMES[employmentType]}
        {seniority && `, ${SENIORITY_NAMES[seniority].toLowerCase()}`}
      </Row>
      <Row name="Work">
        {remotePolicy === 'remote'
          ? REMOTE_POLICY_NAMES.remote
          : arrangementText({ remotePolicy, hybridDays, remoteRegions })}
      </Row>
      {remotePolicy === 'remote' && (
        <Row name="Where you can live">
          {regions.length === 0 ? (
            'Anywhere'
          ) : (
            <span suppressHydrationWarning>{regions.join(', ')}</span>
          )}
        </Row>
      )}
      {places.length > 0 && (
        <Row name={places.length === 1 ? 'Place' : 'Places'}>
          <ul>
            {places.map((place) => (
              <li key={`${place.city} ${place.country}`} suppressHydrationWarning>
                {placeText(place)}
              </li>
            ))}
          </ul>
        </Row>
      )}
    </dl>
  )
}

const Row = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-[0.8125rem] text-ink-faint">{name}</dt>
    <dd className="mt-0.5 text-[0.9375rem] leading-6 text-ink [overflow-wrap:anywhere]">
      {children}
    </dd>
  </div>
)
