/** Filters besides the search. All work without JavaScript. */

import { SlidersHorizontal } from 'lucide'
import { useState } from 'react'
import { COMPANY_FILTERS, type CompanyListAddress } from '#app/companies/company.data.ts'
import { POLICY_MODE_NAMES, type PolicyMode } from '#app/companies/edits/company-policy.ts'
import { useSite } from '#app/kit/session/site.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { Checkbox, Options, Select, TextField } from '#app/kit/ui/field.tsx'
import { grouped } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { CountryOptions } from '#app/kit/writing/country-options.tsx'

interface Category {
  name: string
  companies: number
}

interface FiltersProps {
  address: CompanyListAddress
  go: (change: CompanyListAddress) => void
}

/** Collapsed unless a filter is set, because most people search by name. */
export function CompanyFilters({ address, go }: FiltersProps) {
  const { flags } = useSite()
  const set = COMPANY_FILTERS.filter((filter) => address[filter]).length
  return (
    <details open={set > 0} className="group w-full">
      <summary className="inline-flex min-h-10 items-center gap-2 rounded-md text-sm font-medium text-ink-soft hover:text-ink [&::-webkit-details-marker]:hidden">
        <Icon of={SlidersHorizontal} className="size-4" />
        {set > 0 ? `Filters (${set})` : 'Filters'}
      </summary>
      <div className="mt-2 grid items-end gap-x-6 gap-y-3 sm:grid-cols-2 xl:grid-cols-[auto_1fr_1fr]">
        <div className="flex flex-wrap gap-x-6 sm:col-span-2 xl:col-span-1">
          <Checkbox
            label="Rated"
            name="rated"
            value="yes"
            checked={address.rated === 'yes'}
            onChange={({ target }) => go({ rated: target.checked ? 'yes' : undefined })}
          />
          {flags.enableDiscussions && (
            <Checkbox
              label="Discussed"
              name="discussed"
              value="yes"
              checked={address.discussed === 'yes'}
              onChange={({ target }) => go({ discussed: target.checked ? 'yes' : undefined })}
            />
          )}
        </div>
        <Select
          label="Office policy"
          name="policy"
          value={address.policy ?? ''}
          onChange={({ target }) => go({ policy: (target.value || undefined) as PolicyMode })}
        >
          <option value="">Any</option>
          <Options names={POLICY_MODE_NAMES} />
        </Select>
        <Select
          label="Country"
          name="country"
          value={address.country ?? ''}
          onChange={({ target }) => go({ country: target.value || undefined })}
        >
          <option value="">Any</option>
          <CountryOptions />
        </Select>
      </div>
    </details>
  )
}

/** Phones: a text box with suggestions. */
export function CategoryField({
  categories,
  address,
  go,
}: FiltersProps & { categories: Category[] }) {
  const current = address.category ?? ''
  return (
    <>
      <TextField
        // Follows the URL.
        key={current}
        label="Category"
        name="category"
        type="search"
        defaultValue={current}
        placeholder="All categories"
        list="list-categories"
        autoComplete="off"
        onChange={({ target: { value } }) => {
          if (value !== current && (value === '' || categories.some(({ name }) => name === value)))
            go({ category: value || undefined })
        }}
      />
      <datalist id="list-categories">
        {categories.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}

/** If there are more categories than this, they get a search box. */
const MANY = 10

interface CategoryLinksProps {
  categories: Category[]
  current: string | undefined
  hrefOf: (category?: string) => string
}

export function CategoryLinks({ categories, current, hrefOf }: CategoryLinksProps) {
  const [typed, setTyped] = useState('')
  const wanted = typed.trim().toLowerCase()
  const shown = categories.filter(({ name }) => name.toLowerCase().includes(wanted))
  return (
    <nav aria-labelledby="categories" className="hidden lg:block">
      <h2 id="categories" className="text-sm font-semibold">
        Categories
      </h2>
      {categories.length > MANY && (
        <div className="mt-3 no-js:hidden">
          <TextField
            label="Find a category"
            isLabelHidden
            type="search"
            value={typed}
            placeholder="Find a category"
            autoComplete="off"
            onChange={({ target }) => setTyped(target.value)}
          />
        </div>
      )}
      <p role="status" className="mt-3 text-sm text-ink-faint empty:hidden">
        {shown.length === 0 && wanted && 'No matching category.'}
      </p>
      <ul className="mt-3 -ml-3">
        {[...(wanted ? [] : [{ name: undefined, companies: undefined }]), ...shown].map(
          ({ name, companies }) => (
            <li key={name ?? 'all'}>
              <a
                href={hrefOf(name)}
                aria-current={current === name ? 'page' : undefined}
                className={cx(
                  'flex items-baseline justify-between gap-3 rounded-md px-3 py-1.5 text-sm transition-colors',
                  current === name
                    ? 'bg-tea-soft font-medium text-tea-strong'
                    : 'text-ink-soft hover:bg-sunken hover:text-ink',
                )}
              >
                {name ?? 'All categories'}
                {companies !== undefined && (
                  <span className="shrink-0 text-xs text-ink-faint tabular-nums">
                    {grouped(companies)}
                  </span>
                )}
              </a>
            </li>
          ),
        )}
      </ul>
    </nav>
  )
}
