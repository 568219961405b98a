/** The job list's filters. They're one form in two parts of the page, and work without JavaScript. */

import { Search, SlidersHorizontal, X } from 'lucide'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { CompanyLogo } from '#app/companies/logos/ui/company-logo.tsx'
import { CompanyBox } from '#app/companies/ui/company-picker.tsx'
import { useSite } from '#app/kit/session/site.tsx'
import { navigate } from '#app/kit/ui/address.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { controlClasses } from '#app/kit/ui/class-names.ts'
import { cx } from '#app/kit/ui/cx.ts'
import { Options, Select } from '#app/kit/ui/field.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { COMMON_CURRENCIES } from '#app/kit/writing/currencies.ts'
import {
  EMPLOYMENT_TYPE_NAMES,
  JOB_SORT_NAMES,
  POSTED_WITHIN,
  REMOTE_POLICY_NAMES,
  USUAL_CURRENCY,
} from '../../job.ts'
import { setFilters } from '../job-filters.ts'
import {
  type JobListAddress,
  jobListAddress,
  jobListHref,
  LOCATION_MAX,
  SEARCH_MAX,
} from '../job-list-address.ts'

/** Ties inputs outside of the form element to the form. */
const FORM = 'job-filters'

interface JobFilterFormProps {
  address: JobListAddress
  companyName?: string
}

export function JobSearchForm({ address, companyName }: JobFilterFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const href = jobListHref({ ...address, after: undefined })
  // The inputs follow the address: after "back", or when a filter is removed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address is another href
  useEffect(() => {
    const values = valuesOf(address)
    for (const box of form.current?.elements ?? []) {
      const isBox = box instanceof HTMLInputElement || box instanceof HTMLSelectElement
      if (isBox && box.name !== '') box.value = values[box.name] ?? ''
    }
  }, [href])

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const values = Object.fromEntries(
      [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)]),
    )
    const wanted = jobListHref(jobListAddress(values))
    if (wanted !== href) navigate(wanted)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> is too young for some browsers
    <form
      ref={form}
      id={FORM}
      action="/jobs"
      role="search"
      aria-label="Jobs"
      className="mt-6 flex max-w-3xl flex-wrap gap-2 sm:flex-nowrap"
      onSubmit={send}
    >
      {address.company && <input type="hidden" name="company" value={address.company} />}
      <input
        type="search"
        name="search"
        aria-label="Search jobs"
        placeholder="Title, skill or company"
        maxLength={SEARCH_MAX}
        defaultValue={address.search}
        className={cx(controlClasses, 'h-11 min-w-0 max-sm:basis-full sm:flex-1')}
      />
      <input
        type="text"
        name="place"
        aria-label="Place"
        placeholder="City or country"
        maxLength={LOCATION_MAX}
        defaultValue={address.place}
        className={cx(controlClasses, 'h-11 min-w-0 flex-1 sm:max-w-52')}
      />
      <Button type="submit" className="h-11 md:h-11" icon={<Icon of={Search} />}>
        Search
      </Button>
      <span className="sr-only">{companyName && `Only jobs at ${companyName}`}</span>
    </form>
  )
}

/** All filters except the search. Collapsed on a phone, if scripts run. */
export function JobFilters({ address, companyName }: JobFilterFormProps) {
  const [isOpen, setOpen] = useState(false)
  const count = setFilters(address).filter(({ key }) => key !== 'search' && key !== 'place').length
  const values = valuesOf(address)
  const isRare = !(COMMON_CURRENCIES as readonly string[]).includes(values.currency ?? '')
  return (
    <div>
      <Button
        variant="secondary"
        aria-expanded={isOpen}
        aria-controls="more-job-filters"
        icon={<Icon of={SlidersHorizontal} />}
        className="w-full no-js:hidden lg:hidden"
        onClick={() => setOpen(!isOpen)}
      >
        {count > 0 ? `Filters (${count})` : 'Filters'}
      </Button>
      <section
        id="more-job-filters"
        aria-label="Filters"
        className={cx(
          'grid gap-4 max-lg:mt-4 sm:max-lg:grid-cols-2',
          !isOpen && 'max-lg:js:hidden',
        )}
      >
        <CompanyFilter address={address} companyName={companyName} />
        <FilterSelect name="remote" label="Work location" value={values.remote}>
          <option value="">Anywhere</option>
          <Options names={REMOTE_POLICY_NAMES} />
        </FilterSelect>
        <FilterSelect name="type" label="Employment" value={values.type}>
          <option value="">Any</option>
          <Options names={EMPLOYMENT_TYPE_NAMES} />
        </FilterSelect>
        <fieldset className="grid grid-cols-[minmax(0,1fr)_6rem] items-end gap-2">
          <legend className="mb-1.5 text-sm font-medium text-ink">Minimum yearly salary</legend>
          <input
            form={FORM}
            type="text"
            name="salary"
            aria-label="Amount"
            inputMode="numeric"
            maxLength={12}
            placeholder="60,000"
            autoComplete="off"
            defaultValue={values.salary}
            className={cx(controlClasses, 'h-11 md:h-10')}
            // Losing the focus also submits, because a phone's number keys have no Enter.
            onBlur={(event) =>
              event.currentTarget.value !== (valuesOf(address).salary ?? '') &&
              event.currentTarget.form?.requestSubmit()
            }
          />
          <FilterSelect
            name="currency"
            label="Currency"
            isLabelHidden
            value={values.currency}
            isIdle={address.salary === undefined}
          >
            {isRare && <option value={values.currency}>{values.currency}</option>}
            {COMMON_CURRENCIES.map((code) => (
              <option key={code} value={code}>
                {code}
              </option>
            ))}
          </FilterSelect>
        </fieldset>
        <FilterSelect name="within" label="Posted within" value={values.within}>
          <option value="">Any time</option>
          {POSTED_WITHIN.map((days) => (
            <option key={days} value={days}>
              {days === 1 ? 'A day' : `${days} days`}
            </option>
          ))}
        </FilterSelect>
        <Button form={FORM} type="submit" variant="secondary" className="js:hidden">
          Show
        </Button>
      </section>
    </div>
  )
}

export const JobSortSelect = ({ address }: { address: JobListAddress }) => (
  <div className="w-44 min-w-0 max-sm:flex-1">
    <FilterSelect name="sort" label="Sort by" isLabelHidden value={address.sort ?? 'newest'}>
      <Options names={JOB_SORT_NAMES} />
    </FilterSelect>
  </div>
)

/** Submits on change, unless the value means nothing by itself (`isIdle`). */
function FilterSelect({ name, label, isLabelHidden, value, isIdle, children }: FilterSelectProps) {
  return (
    <Select
      form={FORM}
      name={name}
      label={label}
      isLabelHidden={isLabelHidden}
      defaultValue={value ?? ''}
      onChange={(event) => !isIdle && event.currentTarget.form?.requestSubmit()}
    >
      {children}
    </Select>
  )
}

interface FilterSelectProps {
  name: string
  label: string
  isLabelHidden?: boolean
  value: string | undefined
  isIdle?: boolean
  children: React.ReactNode
}

/** The inputs' values for an address. */
function valuesOf(address: JobListAddress): Record<string, string | undefined> {
  const { search, company, place, remote, type, salary, currency, within, sort } = address
  return {
    search,
    company,
    place,
    remote,
    type,
    salary: salary?.toLocaleString('en'),
    currency: currency ?? USUAL_CURRENCY,
    within: within === undefined ? undefined : String(within),
    sort: sort ?? 'newest',
  }
}

interface CompanyFilterProps {
  address: JobListAddress
  companyName?: string
}

function CompanyFilter({ address, companyName }: CompanyFilterProps) {
  const { flags } = useSite()
  const href = (company?: string) => jobListHref({ ...address, after: undefined, company })
  if (!address.company)
    return flags.enableCompanies ? (
      <div className="no-js:hidden">
        <p aria-hidden="true" className="mb-1.5 text-sm font-medium text-ink">
          Company
        </p>
        <CompanyBox
          placeholder="Any company"
          onPick={({ id }) => navigate(href(id))}
          isEnterForForm
        />
      </div>
    ) : null
  return (
    <div className="min-w-0">
      <p className="mb-1.5 text-sm font-medium text-ink">Company</p>
      <p className="flex min-h-11 items-center gap-2.5 rounded-md border border-line bg-surface pr-1 pl-2 text-sm md:min-h-10">
        <CompanyLogo name={companyName ?? '?'} logoUrl={null} className="size-7" />
        <span className="min-w-0 flex-1 truncate font-medium text-ink">
          {companyName ?? 'One company'}
        </span>
        <a
          href={href()}
          aria-label={`Jobs at all companies, not just ${companyName ?? 'this one'}`}
          className="inline-flex size-9 shrink-0 items-center justify-center rounded-md text-ink-faint transition-colors hover:bg-sunken hover:text-ink"
        >
          <Icon of={X} className="size-4" />
        </a>
      </p>
    </div>
  )
}
