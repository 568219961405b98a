import { useState } from 'react'
import { FormError } from '#app/kit/forms/form.tsx'
import { Checkbox, Select, TextField } from '#app/kit/ui/field.tsx'
import { payYears } from '../../pay/pay.ts'
import { EntryForm, type EntryFormParts } from '../../ui/entry-form.tsx'
import { useEntryDraft } from '../../ui/use-entry-draft.ts'
import { BENEFIT_GROUPS, type Benefit } from '../benefits.ts'
import { type BenefitsInput, benefitsProblems, wholeIn } from '../benefits-input.ts'

const NUMBERS = [
  {
    key: 'daysOff',
    label: 'Paid days off a year',
    hint: 'Without public holidays. Leave it empty if you don’t know.',
  },
  {
    key: 'leaveWeeks',
    label: 'Weeks of paid parental leave',
    hint: 'What you’d get. Leave it empty if you don’t know.',
  },
] as const

export function BenefitsForm({ own, ...giving }: EntryFormParts<'benefits'>) {
  const today = new Date().toISOString().slice(0, 10)
  const before = own[0]?.content
  const given = typedOf(before, payYears(today)[0] as number)
  const [typed, setTyped] = useState(given)
  const draft = useEntryDraft({
    kind: 'benefits',
    company: giving.company,
    year: before?.year,
    typed,
    given,
    onTyped: setTyped,
  })
  const change = (part: Partial<typeof typed>) => setTyped((now) => ({ ...now, ...part }))
  const { has, uses } = typed
  return (
    <EntryForm
      kind="benefits"
      yours="your benefits"
      text="We keep them without your name, account or the day, and show them only as shares of five people or more."
      draft={draft}
      {...giving}
      {...benefitsOf(typed, today)}
    >
      {(shown) => (
        <>
          <div className="grid items-start gap-4 md:grid-cols-3">
            <Select
              label="For the year"
              value={typed.year}
              error={shown('year')}
              onChange={({ target }) => change({ year: Number(target.value) })}
            >
              {payYears(today).map((year) => (
                <option key={year}>{year}</option>
              ))}
            </Select>
            {NUMBERS.map(({ key, label, hint }) => (
              <TextField
                key={key}
                label={label}
                hint={hint}
                inputMode="numeric"
                autoComplete="off"
                maxLength={6}
                value={typed[key]}
                error={shown(key)}
                onChange={({ target }) => change({ [key]: target.value })}
              />
            ))}
          </div>
          <p className="border-t border-line pt-5 text-sm leading-6 text-ink-soft">
            Choose what you have, and then what you use.
          </p>
          <div className="gap-x-10 md:columns-2">
            {BENEFIT_GROUPS.map(({ name, benefits }) => (
              <fieldset key={name} className="mb-6 break-inside-avoid">
                <legend className="mb-1 text-sm font-semibold">{name}</legend>
                <ul className="divide-y divide-line">
                  {benefits.map((benefit) => (
                    <Choice
                      key={benefit.key}
                      benefit={benefit}
                      has={has}
                      uses={uses}
                      onChange={change}
                    />
                  ))}
                </ul>
              </fieldset>
            ))}
          </div>
          <FormError>{shown('benefits')}</FormError>
        </>
      )}
    </EntryForm>
  )
}

function Choice({ benefit: { key, name }, has, uses, onChange }: ChoiceProps) {
  const toggled = (keys: string[]) =>
    keys.includes(key) ? keys.filter((it) => it !== key) : [...keys, key]
  return (
    <li className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 md:min-h-10">
      <Checkbox
        label={name}
        checked={has.includes(key)}
        onChange={() => onChange({ has: toggled(has), uses: uses.filter((it) => it !== key) })}
      />
      {has.includes(key) && (
        <Checkbox
          label={
            <>
              I use it<span className="sr-only">{`: ${name}`}</span>
            </>
          }
          checked={uses.includes(key)}
          onChange={() => onChange({ uses: toggled(uses) })}
        />
      )}
    </li>
  )
}

interface ChoiceProps {
  benefit: Benefit
  has: string[]
  uses: string[]
  onChange: (part: { has?: string[]; uses: string[] }) => void
}

const typedOf = (given: BenefitsInput | null | undefined, year: number) => ({
  year: given?.year ?? year,
  has: given?.has ?? [],
  uses: given?.uses ?? [],
  leaveWeeks: String(given?.leaveWeeks ?? ''),
  daysOff: String(given?.daysOff ?? ''),
})

function benefitsOf(typed: ReturnType<typeof typedOf>, today: string) {
  const read = { leaveWeeks: wholeIn(typed.leaveWeeks), daysOff: wholeIn(typed.daysOff) }
  const number = (value: number | null | string) => (typeof value === 'string' ? null : value)
  const unread = (value: number | null | string) => (typeof value === 'string' ? value : undefined)
  const content: BenefitsInput = {
    ...typed,
    leaveWeeks: number(read.leaveWeeks),
    daysOff: number(read.daysOff),
  }
  const found = benefitsProblems(content, today)
  const leaveWeeks = unread(read.leaveWeeks) ?? found.leaveWeeks
  const daysOff = unread(read.daysOff) ?? found.daysOff
  return { content, problems: { ...found, leaveWeeks, daysOff } }
}
