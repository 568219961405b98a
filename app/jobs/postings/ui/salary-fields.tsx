import { Select, TextField } from '#app/kit/ui/field.tsx'
import { SALARY_PERIODS } from '../../job.ts'
import { PERIOD_TEXTS } from '../../job-text.ts'
import { COMMON_CURRENCIES } from '../../search/job-filters.ts'
import type { JobDraft, JobProblems } from '../job-form.ts'

interface SalaryFieldsProps {
  job: JobDraft
  problems: JobProblems
  onChange: (part: Partial<JobDraft>) => void
}

export function SalaryFields({ job, problems, onChange }: SalaryFieldsProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="text-sm font-medium text-ink">Salary</legend>
      <p className="mt-0.5 mb-3 text-sm text-ink-faint">
        Every job here says what it pays. An honest range gets you found by more people.
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
