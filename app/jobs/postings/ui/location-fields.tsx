import { Plus, X } from 'lucide'
import { useRef } from 'react'
import { Button, IconButton } from '#app/kit/ui/button.tsx'
import { Select, TextField } from '#app/kit/ui/field.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { CountryOptions } from '#app/kit/writing/country-options.tsx'
import { JOB_CITY_MAX, JOB_LOCATIONS_MAX, type JobLocation } from '../../job.ts'

interface LocationFieldsProps {
  places: JobLocation[]
  /** A remote job may have no location. */
  isOptional: boolean
  error?: string
  onChange: (places: JobLocation[]) => void
}

export function LocationFields({ places, isOptional, error, onChange }: LocationFieldsProps) {
  const add = useRef<HTMLButtonElement>(null)
  const label = isOptional ? 'Offices (optional)' : 'Places'
  // The message appears at the first field it's about.
  const wrong = Math.max(
    places.findIndex(({ city, country }) => city.trim() === '' || country === ''),
    0,
  )
  const isCityWrong = places[wrong]?.city.trim() === '' || places[wrong]?.country !== ''
  const set = (row: number, part: Partial<JobLocation>) =>
    onChange(places.map((location, at) => (at === row ? { ...location, ...part } : location)))
  return (
    <fieldset className="grid min-w-0 gap-3">
      <legend className="mb-1.5 text-sm font-medium text-ink">{label}</legend>
      {places.map((location, row) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its position in the list
          key={row}
          className="grid grid-cols-[minmax(0,1fr)_2.5rem] items-start gap-2 max-sm:border-b max-sm:border-line max-sm:pb-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_2.5rem]"
        >
          <TextField
            label={`City of place ${row + 1}`}
            isLabelHidden
            placeholder="City"
            maxLength={JOB_CITY_MAX}
            autoComplete="off"
            value={location.city}
            error={row === wrong && isCityWrong && error}
            onChange={(event) => set(row, { city: event.target.value })}
          />
          <div className="max-sm:col-start-1 max-sm:row-start-2">
            <Select
              label={`Country of place ${row + 1}`}
              isLabelHidden
              error={row === wrong && !isCityWrong && error}
              value={location.country}
              onChange={(event) => set(row, { country: event.target.value })}
            >
              <option value="">Country</option>
              <CountryOptions />
            </Select>
          </div>
          <IconButton
            label={`Remove place ${row + 1}`}
            className="max-sm:row-start-1 max-sm:col-start-2"
            disabled={places.length === 1 && location.city === '' && location.country === ''}
            onClick={() => {
              onChange(
                places.length === 1
                  ? [{ city: '', country: '' }]
                  : places.filter((_, at) => at !== row),
              )
              add.current?.focus()
            }}
          >
            <Icon of={X} />
          </IconButton>
        </div>
      ))}
      <Button
        ref={add}
        variant="secondary"
        size="sm"
        className="justify-self-start"
        icon={<Icon of={Plus} />}
        aria-disabled={places.length >= JOB_LOCATIONS_MAX || undefined}
        onClick={() =>
          places.length < JOB_LOCATIONS_MAX && onChange([...places, { city: '', country: '' }])
        }
      >
        Add a place
      </Button>
    </fieldset>
  )
}
