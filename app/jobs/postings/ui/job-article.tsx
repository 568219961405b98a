/** A job as its page shows it. The form uses it as a preview. */
import type { ReactNode } from 'react'
import { CompanyLogo } from '#app/companies/logos/ui/company-logo.tsx'
import { CompanyScore } from '#app/companies/ui/company-score.tsx'
import { useReach } from '#app/kit/session/site.tsx'
import { Badge } from '#app/kit/ui/badge.tsx'
import { countryName } from '#app/kit/writing/countries.ts'
import { EMPLOYMENT_TYPE_NAMES, REMOTE_POLICY_NAMES, SENIORITY_NAMES } from '../../job.ts'
import { arrangementText, locationText, salaryText } from '../../job-text.ts'
import type { PreviewedJob } from '../job-form.ts'

interface JobArticleProps {
  job: PreviewedJob
  /** Shown below the company: status, time left, how to apply. */
  children?: ReactNode
  description: ReactNode
  /** In the preview, the title isn't a heading and the company isn't a link. */
  isPreview?: boolean
}

export function JobArticle({ job, children, description, isPreview }: JobArticleProps) {
  const Title = isPreview ? 'p' : 'h1'
  return (
    <article className="min-w-0">
      <Title
        dir="auto"
        className="font-serif text-3xl leading-tight font-medium tracking-tight text-balance text-ink [overflow-wrap:anywhere] md:text-4xl"
      >
        {job.title || <span className="text-ink-faint">Your title</span>}
      </Title>
      <CompanyLine company={job.company} isPreview={isPreview} />
      {children}
      <div className="mt-6">
        <JobFacts job={job} />
      </div>
      <h2 className="mt-8 font-serif text-2xl font-medium tracking-tight text-ink">
        About the job
      </h2>
      <div className="mt-4 text-base md:text-[1.0625rem]">{description}</div>
      {job.tags.length > 0 && (
        <ul aria-label="Tags" className="mt-6 flex flex-wrap gap-2">
          {job.tags.map((tag) => (
            <li key={tag} className="min-w-0">
              <Badge className="max-w-full [overflow-wrap:anywhere] whitespace-normal">{tag}</Badge>
            </li>
          ))}
        </ul>
      )}
    </article>
  )
}

function CompanyLine({ company, isPreview }: CompanyLineProps) {
  const href = useReach()(company.path)
  return (
    <a
      href={isPreview ? undefined : href}
      className="group mt-5 flex w-full max-w-md min-w-0 items-center gap-3 rounded-xl border border-line bg-surface p-3 pr-4 transition-[border-color,box-shadow] hover:border-line-strong/60 hover:shadow-card"
    >
      <CompanyLogo name={company.name} logoUrl={company.logoUrl} className="size-11" />
      <span className="min-w-0 flex-1">
        <span className="block leading-snug font-semibold text-ink [overflow-wrap:anywhere] group-hover:text-tea-strong">
          {company.name}
        </span>
        {href && (
          <span className="block text-[0.8125rem] text-ink-faint">What people say about it</span>
        )}
      </span>
      <CompanyScore company={company} className="shrink-0" />
    </a>
  )
}

type CompanyLineProps = Pick<JobArticleProps, 'isPreview'> & { company: PreviewedJob['company'] }

function JobFacts({ job }: { job: PreviewedJob }) {
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
            {places.map((location) => (
              <li key={`${location.city} ${location.country}`} suppressHydrationWarning>
                {locationText(location)}
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
