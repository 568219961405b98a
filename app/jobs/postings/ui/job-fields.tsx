import { X } from 'lucide'
import { Choice, FieldNotes, Options, Select, TextField, useField } from '#app/kit/ui/field.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { countryName } from '#app/kit/writing/countries.ts'
import { CountryOptions } from '#app/kit/writing/country-options.tsx'
import { COMMON_CURRENCIES } from '#app/kit/writing/currencies.ts'
import { MarkdownEditor } from '#app/kit/writing/markdown-editor.tsx'
import { lengthOf } from '#app/kit/writing/text.ts'
import {
  EMPLOYMENT_TYPE_NAMES,
  HYBRID_DAYS,
  JOB_DESCRIPTION_MAX,
  JOB_DESCRIPTION_MIN,
  JOB_REGIONS_MAX,
  JOB_TAG_MAX,
  JOB_TAGS_MAX,
  JOB_TITLE_MAX,
  JOB_TITLE_MIN,
  REMOTE_POLICIES,
  REMOTE_POLICY_NAMES,
  SALARY_PERIODS,
  SENIORITY_NAMES,
} from '../../job.ts'
import { PERIOD_TEXTS } from '../../job-text.ts'
import type { JobDraft, JobProblems } from '../job-form.ts'
import { LocationFields } from './location-fields.tsx'

interface JobFieldsProps {
  job: JobDraft
  problems: JobProblems
  onChange: (part: Partial<JobDraft>) => void
}

export function JobFields({ job, problems, onChange }: JobFieldsProps) {
  return (
    <>
      <TextField
        label="Title"
        name="title"
        autoComplete="off"
        hint={`The job’s name, such as “Warehouse lead”. ${lengthHint(lengthOf(job.title.trim()), JOB_TITLE_MIN, JOB_TITLE_MAX)}`}
        value={job.title}
        error={problems.title}
        onChange={(event) => onChange({ title: event.target.value })}
        className="text-base md:h-11 md:text-base"
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Select
          label="Employment"
          name="employmentType"
          value={job.employmentType}
          onChange={(event) =>
            onChange({ employmentType: event.target.value as JobDraft['employmentType'] })
          }
        >
          <Options names={EMPLOYMENT_TYPE_NAMES} />
        </Select>
        <Select
          label="Seniority"
          name="seniority"
          value={job.seniority}
          onChange={(event) => onChange({ seniority: event.target.value as JobDraft['seniority'] })}
        >
          <option value="">Any</option>
          <Options names={SENIORITY_NAMES} />
        </Select>
      </div>
      <fieldset className="min-w-0">
        <legend className="mb-1.5 text-sm font-medium text-ink">Work location</legend>
        <div className="grid gap-2 sm:grid-cols-3">
          {REMOTE_POLICIES.map((policy) => (
            <Choice
              key={policy}
              name="remotePolicy"
              value={policy}
              isChosen={job.remotePolicy === policy}
              onChoose={() => onChange({ remotePolicy: policy })}
              title={REMOTE_POLICY_NAMES[policy]}
            />
          ))}
        </div>
      </fieldset>
      {job.remotePolicy === 'hybrid' && (
        <div className="sm:max-w-72">
          <Select
            label="Days a week in the office"
            name="hybridDays"
            value={job.hybridDays}
            error={problems.hybridDays}
            onChange={(event) => onChange({ hybridDays: event.target.value })}
          >
            <option value="">Choose</option>
            {HYBRID_DAYS.map((days) => (
              <option key={days} value={days}>
                {days}
              </option>
            ))}
          </Select>
        </div>
      )}
      {job.remotePolicy === 'remote' && (
        <RegionField
          regions={job.remoteRegions}
          error={problems.remoteRegions}
          onChange={(remoteRegions) => onChange({ remoteRegions })}
        />
      )}
      <LocationFields
        places={job.places}
        isOptional={job.remotePolicy === 'remote'}
        error={problems.places}
        onChange={(places) => onChange({ places })}
      />
      <SalaryFields job={job} problems={problems} onChange={onChange} />
      <MarkdownEditor
        label="Description"
        name="description"
        placeholder="What the work is, what it takes, and what a day looks like."
        hint={`${JOB_DESCRIPTION_MIN} to ${JOB_DESCRIPTION_MAX.toLocaleString('en')} characters. Markdown works.`}
        max={JOB_DESCRIPTION_MAX}
        value={job.description}
        error={problems.description}
        onChange={(description) => onChange({ description })}
      />
      <TextField
        label="Tags (optional)"
        name="tags"
        autoComplete="off"
        hint={`Skills or fields, separated by commas. Up to ${JOB_TAGS_MAX} tags of ${JOB_TAG_MAX} characters each.`}
        value={job.tags}
        error={problems.tags}
        onChange={(event) => onChange({ tags: event.target.value })}
      />
      <ApplyFields job={job} problems={problems} onChange={onChange} />
    </>
  )
}

function ApplyFields({ job, problems, onChange }: JobFieldsProps) {
  return (
    <fieldset className="grid min-w-0 gap-3">
      <legend className="mb-1.5 text-sm font-medium text-ink">How people apply</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        <Choice
          name="applyBy"
          value="link"
          isChosen={job.applyBy === 'link'}
          onChoose={() => onChange({ applyBy: 'link' })}
          title="On a web page"
        />
        <Choice
          name="applyBy"
          value="email"
          isChosen={job.applyBy === 'email'}
          onChoose={() => onChange({ applyBy: 'email' })}
          title="By email"
        />
      </div>
      {job.applyBy === 'link' ? (
        <TextField
          key="link"
          label="Application page"
          name="link"
          type="url"
          inputMode="url"
          autoComplete="off"
          placeholder="https://"
          value={job.link}
          error={problems.link}
          onChange={(event) => onChange({ link: event.target.value })}
        />
      ) : (
        <TextField
          key="email"
          label="Email address for applications"
          name="email"
          type="email"
          inputMode="email"
          maxLength={254}
          autoComplete="off"
          hint="Anyone can read it on the job’s page."
          value={job.email}
          error={problems.email}
          onChange={(event) => onChange({ email: event.target.value })}
        />
      )}
    </fieldset>
  )
}

function lengthHint(length: number, min: number, max: number) {
  return length < min ? `${min} to ${max} characters` : `${length} of ${max} characters`
}

interface RegionFieldProps {
  regions: string[]
  error?: string
  onChange: (regions: string[]) => void
}

function RegionField({ regions, error, onChange }: RegionFieldProps) {
  const field = useField({ label: '', error })
  return (
    <fieldset aria-describedby={field.errorId} className="grid min-w-0 gap-2">
      <Select
        label="Where people can live"
        hint="Leave it empty for anywhere."
        value=""
        disabled={regions.length >= JOB_REGIONS_MAX}
        onChange={({ target: { value } }) => {
          if (value && !regions.includes(value)) onChange([...regions, value])
        }}
      >
        <option value="">{regions.length === 0 ? 'Anywhere' : 'Add a country'}</option>
        <CountryOptions />
      </Select>
      {regions.length > 0 && (
        <ul aria-label="Countries" className="flex flex-wrap gap-2">
          {regions.map((code) => {
            const name = countryName(code) ?? code
            return (
              <li key={code}>
                <button
                  type="button"
                  aria-label={`Remove ${name}`}
                  onClick={() => onChange(regions.filter((each) => each !== code))}
                  className="inline-flex h-10 items-center gap-1.5 rounded-full bg-tea-soft px-3.5 text-sm font-medium text-tea-strong md:h-8 md:px-3 md:text-[0.8125rem]"
                >
                  {name}
                  <Icon of={X} className="size-3.5" />
                </button>
              </li>
            )
          })}
        </ul>
      )}
      <FieldNotes error={error} ids={field} />
    </fieldset>
  )
}

interface SalaryFieldsProps {
  job: JobDraft
  problems: JobProblems
  onChange: (part: Partial<JobDraft>) => void
}

function SalaryFields({ job, problems, onChange }: SalaryFieldsProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="text-sm font-medium text-ink">Salary</legend>
      <p className="mt-0.5 mb-3 text-sm text-ink-faint">
        Every job here says what it pays. An honest range helps more people find it.
      </p>
      <div className="grid grid-cols-2 items-start gap-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_7rem_8rem]">
        <TextField
          label="From"
          name="minimum"
          inputMode="decimal"
          autoComplete="off"
          placeholder="60,000"
          maxLength={15}
          value={job.minimum}
          error={problems.minimum}
          onChange={(event) => onChange({ minimum: event.target.value })}
        />
        <TextField
          label="To"
          name="maximum"
          inputMode="decimal"
          autoComplete="off"
          placeholder="75,000"
          maxLength={15}
          value={job.maximum}
          error={problems.maximum}
          onChange={(event) => onChange({ maximum: event.target.value })}
        />
        <TextField
          label="Currency"
          name="currency"
          list="currencies"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={3}
          value={job.currency}
          error={problems.currency}
          onChange={(event) => onChange({ currency: event.target.value.toUpperCase() })}
        />
        <datalist id="currencies">
          {COMMON_CURRENCIES.map((code) => (
            <option key={code} value={code} />
          ))}
        </datalist>
        <Select
          label="Each"
          name="period"
          value={job.period}
          onChange={(event) => onChange({ period: event.target.value as JobDraft['period'] })}
        >
          {SALARY_PERIODS.map((period) => (
            <option key={period} value={period}>
              {PERIOD_TEXTS[period].replace(/^an? /, '').replace(/^./, (it) => it.toUpperCase())}
            </option>
          ))}
        </Select>
      </div>
    </fieldset>
  )
}
