/** A job's facts in full, on its page. */

import type { ReactNode } from 'react'
import { countryName } from '#app/kit/writing/countries.ts'
import { EMPLOYMENT_TYPE_NAMES, REMOTE_POLICY_NAMES, SENIORITY_NAMES } from '../../job.ts'
import { arrangementText, locationText, salaryText } from '../../job-text.ts'
import type { PreviewedJob } from '../job-form.ts'

export function JobFacts({ job }: { job: PreviewedJob }) {
  const { salary, places, remotePolicy, hybridDays, remoteRegions, employmentType, seniority } = job
  const regions = remoteRegions.map((code) => countryName(code) ?? code)
  return (
    <dl className="grid gap-x-8 gap-y-5 rounded-xl border border-line bg-surface p-5 sm:grid-cols-2">
      <Row name="Salary">
        {salary ? (
          <strong className="font-semibold">{salaryText(salary, true)}</strong>
        ) : (
          <span className="text-ink-faint">Not added yet</span>
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
                {locationText(place)}
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
