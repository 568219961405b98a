/** From which countries a remote job can be done. */

import { X } from 'lucide'
import { FieldNotes, useField } from '#app/kit/ui/field.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { Select } from '#app/kit/ui/select.tsx'
import { countryName } from '#app/kit/writing/countries.ts'
import { CountryOptions } from '#app/kit/writing/country-options.tsx'
import { JOB_REGIONS_MAX } from '../../job.ts'

interface RegionFieldProps {
  regions: string[]
  error?: string
  onChange: (regions: string[]) => void
}

export function RegionField({ regions, error, onChange }: RegionFieldProps) {
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
