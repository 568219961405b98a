/** The import's second step: columns and categories. */
import { useState } from 'react'
import { Button } from '#app/kit/ui/button.tsx'
import { Select } from '#app/kit/ui/field.tsx'
import { counted, grouped } from '#app/kit/ui/format.ts'
import { categoryFor, categoryKeyOf } from '../column-mapping.ts'
import type { Reading } from '../file-reading.ts'
import type { Chosen } from '../import.data.ts'
import { FIELD_NAMES, IMPORT_FIELDS, type ImportField } from '../imported-company.ts'
import type { FileColumns, SurveyedColumn } from '../imports.contract.ts'
import { ReadingDetails } from './import-reading.tsx'
import { StepHeading } from './step-heading.tsx'

type Columns = Record<string, ImportField>

interface ImportColumnsProps {
  survey: FileColumns
  name: string
  /** Earlier choices, if the person went back. */
  chosen?: Chosen
  isBusy: boolean
  onRead: (reading: Reading) => void
  onChosen: (chosen: Chosen) => void
  onBack: () => void
}

export function ImportColumns(props: ImportColumnsProps) {
  const { survey, name, isBusy } = props
  const [columns, setColumns] = useState<Columns>(() => props.chosen?.columns ?? guessed(survey))
  const [mapping, setMapping] = useState<Record<string, string>>(props.chosen?.categories ?? {})
  const problem = problemOf(columns)
  const categories = categoriesOf(survey, columns)
  const choose = (title: string, field: string) => {
    const { [title]: _, ...others } = columns
    setColumns(field === '' ? others : { ...others, [title]: field as ImportField })
  }
  const send = () =>
    props.onChosen({
      columns,
      categories: Object.fromEntries(
        (categories ?? []).map(({ value }) => [value, mapping[value] ?? proposed(value, survey)]),
      ),
    })
  return (
    <form
      className="grid min-w-0 gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (!problem) send()
      }}
    >
      <div>
        <StepHeading>What’s in each column?</StepHeading>
        <p className="mt-1 text-sm break-words text-ink-soft">
          {`${counted(survey.rows, 'row')} of ${name}`}
        </p>
      </div>
      <ReadingDetails reading={survey.reading} isBusy={isBusy} onRead={props.onRead} />
      <ul className="divide-y divide-line border-y border-line">
        {survey.columns.map((column) => (
          <li
            key={column.title}
            className="grid gap-x-4 gap-y-2 py-3 sm:grid-cols-[minmax(0,1fr)_12rem] sm:items-center"
          >
            <div className="min-w-0">
              <p className="text-sm font-medium break-words text-ink">{column.title}</p>
              <p className="truncate text-xs leading-5 text-ink-soft">
                {column.samples.join(' · ') || 'Empty'}
              </p>
            </div>
            <Select
              label={`What ${column.title} is`}
              isLabelHidden
              value={columns[column.title] ?? ''}
              onChange={(event) => choose(column.title, event.target.value)}
            >
              <option value="">Skip</option>
              {IMPORT_FIELDS.map((field) => (
                <option key={field} value={field}>
                  {titled(FIELD_NAMES[field])}
                </option>
              ))}
            </Select>
          </li>
        ))}
      </ul>
      {categories !== undefined && (
        <Categories
          survey={survey}
          values={categories}
          mapping={mapping}
          onChange={(value, category) => setMapping({ ...mapping, [value]: category })}
        />
      )}
      <p role="alert" className="text-sm text-danger empty:hidden">
        {problem}
      </p>
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          disabled={problem !== undefined}
          busy={isBusy}
          busyLabel="Checking..."
        >
          Preview the import
        </Button>
        <Button variant="secondary" disabled={isBusy} onClick={props.onBack}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

interface CategoriesProps {
  survey: FileColumns
  values: SurveyedColumn['values']
  mapping: Record<string, string>
  onChange: (value: string, category: string) => void
}

function Categories({ survey, values, mapping, onChange }: CategoriesProps) {
  return (
    <div className="grid gap-3">
      <div>
        <h3 className="text-base font-semibold text-ink">Which category does each belong to?</h3>
        <p className="mt-1 max-w-prose text-sm leading-6 text-ink-soft">
          {values
            ? 'We’ll suggest your choices again next time.'
            : 'There are too many to choose one by one. We match the ones we know and add the others as new categories.'}
        </p>
      </div>
      {values && (
        <ul className="divide-y divide-line border-y border-line">
          {values.map(({ value, count }) => (
            <li
              key={value}
              className="grid gap-x-4 gap-y-2 py-3 sm:grid-cols-[minmax(0,1fr)_16rem] sm:items-center"
            >
              <p className="min-w-0 text-sm break-words text-ink">
                {value} <span className="text-ink-soft">{`(${grouped(count)})`}</span>
              </p>
              <Select
                label={`Category for ${value}`}
                isLabelHidden
                value={mapping[value] ?? proposed(value, survey)}
                onChange={(event) => onChange(value, event.target.value)}
              >
                {!survey.categories.includes(value) && (
                  <option value={value}>{`New: ${value}`}</option>
                )}
                {survey.categories.map((category) => (
                  <option key={category} value={category}>
                    {category}
                  </option>
                ))}
              </Select>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

export const titled = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

const guessed = ({ columns }: FileColumns): Columns =>
  Object.fromEntries(columns.flatMap(({ title, field }) => (field ? [[title, field]] : [])))

function problemOf(columns: Columns): string | undefined {
  const fields = Object.values(columns)
  const twice = fields.find((field, i) => fields.indexOf(field) !== i)
  if (twice) return `Two columns can’t both be the ${FIELD_NAMES[twice]}.`
  return fields.includes('name') ? undefined : 'Choose the column with the names.'
}

/** Undefined if there's no category column, null if it has too many values. */
const categoriesOf = ({ columns: all }: FileColumns, columns: Columns) =>
  all.find(({ title }) => columns[title] === 'category')?.values

function proposed(value: string, { categories, chosen }: FileColumns) {
  const here = new Map(categories.map((name) => [categoryKeyOf(name), name]))
  return categoryFor(value, { chosen: new Map(Object.entries(chosen)), here })
}
