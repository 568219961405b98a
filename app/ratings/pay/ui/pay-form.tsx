import { useState } from 'react'
import { useBadges } from '#app/companies/badges/stored-badges.data.ts'
import { useSessionKey } from '#app/kit/session/session.data.ts'
import { Checkbox, Select, TextField } from '#app/kit/ui/field.tsx'
import { CountryOptions } from '#app/kit/writing/country-options.tsx'
import { COMMON_CURRENCIES } from '#app/kit/writing/currencies.ts'
import { EntryForm, type EntryFormParts } from '../../ui/entry-form.tsx'
import { useEntryDraft } from '../../ui/use-entry-draft.ts'
import { areasIn, countryOf } from '../areas.ts'
import { coarse, EXPERIENCE, type Experience, payYears } from '../pay.ts'
import { amountIn, type PayInput, payProblems } from '../pay-input.ts'
import { TitlePicker } from './title-picker.tsx'

const AMOUNTS = [
  { key: 'base', label: 'Base salary a year', hint: undefined },
  { key: 'bonus', label: 'Bonus a year', hint: 'Leave it empty if there’s none.' },
  {
    key: 'equity',
    label: 'Equity a year',
    hint: 'What your shares and options are worth in one year.',
  },
] as const

export function PayForm({ company, formerIds, own, onClose }: EntryFormParts<'pay'>) {
  const sessionKey = useSessionKey()
  const today = new Date().toISOString().slice(0, 10)
  const first = own[0]?.content
  const given = typedOf(first, payYears(today)[0] as number)
  const [typed, setTyped] = useState(given)
  const { country } = typed
  const draft = useEntryDraft({
    kind: 'pay',
    company,
    year: first?.year,
    typed,
    given,
    onTyped: setTyped,
  })
  const [isBadged, setBadged] = useState(false)
  const badge = useBadges(sessionKey).find(({ company: { id } }) =>
    [company.id, ...formerIds].includes(id),
  )
  const change = (part: Partial<typeof typed>) => setTyped((now) => ({ ...now, ...part }))
  const { pay, problems } = payOf(typed, today)
  const currencies = new Set([typed.currency, ...COMMON_CURRENCIES].filter(Boolean))
  return (
    <EntryForm
      kind="pay"
      yours="your pay"
      text="We round amounts to the nearest 1,000 and keep them without your name, your account or the date. Each number we show comes from at least ten people."
      content={pay}
      badge={isBadged && badge ? { domain: badge.domain } : undefined}
      {...{ company, formerIds, problems, draft, onClose }}
    >
      {(shown) => (
        <>
          <div className="grid items-start gap-4 md:grid-cols-2">
            <TitlePicker
              legend="Your title"
              title={typed.title}
              onPick={(title) => change({ title })}
              error={shown('title')}
            />
            <Select
              label="Years of experience"
              value={typed.experience}
              onChange={({ target }) => change({ experience: target.value as Experience })}
            >
              {EXPERIENCE.map((years) => (
                <option key={years} value={years}>
                  {years.replace('-', ' to ')}
                </option>
              ))}
            </Select>
            <Select
              label="Country"
              value={country}
              error={country ? undefined : shown('area')}
              onChange={({ target }) => change({ country: target.value, area: '' })}
            >
              <option value="">Choose</option>
              <CountryOptions />
            </Select>
            {country && (
              <Select
                label="Area"
                value={typed.area}
                error={shown('area')}
                onChange={({ target }) => change({ area: target.value })}
              >
                <option value="">Choose</option>
                {areasIn(country).map(({ key, name }) => (
                  <option key={key} value={key}>
                    {name}
                  </option>
                ))}
              </Select>
            )}
          </div>
          <div className="grid items-start gap-4 border-t border-line pt-5 md:grid-cols-2">
            <Select
              label="Year"
              value={typed.year}
              error={shown('year')}
              onChange={({ target }) => change({ year: Number(target.value) })}
            >
              {payYears(today).map((year) => (
                <option key={year}>{year}</option>
              ))}
            </Select>
            <Select
              label="Currency"
              value={typed.currency}
              error={shown('currency')}
              onChange={({ target }) => change({ currency: target.value })}
            >
              <option value="">Choose</option>
              {[...currencies].map((code) => (
                <option key={code}>{code}</option>
              ))}
            </Select>
            {AMOUNTS.map(({ key, label, hint }) => (
              <div key={key} className="grid gap-1">
                <TextField
                  label={label}
                  hint={hint}
                  inputMode="decimal"
                  autoComplete="off"
                  maxLength={20}
                  value={typed[key]}
                  error={shown(key)}
                  onChange={({ target }) => change({ [key]: target.value })}
                />
                {key === 'base' && (shown('base') || typed.isYearly) && (
                  <Checkbox
                    label="This is for the whole year"
                    checked={typed.isYearly}
                    onChange={({ target }) => change({ isYearly: target.checked })}
                  />
                )}
              </div>
            ))}
          </div>
          {badge && (
            <Checkbox
              label={`Show that it’s from a verified employee of ${badge.company.name}`}
              hint="We only show roughly how many entries are verified, such as “about half of them”."
              checked={isBadged}
              onChange={({ target }) => setBadged(target.checked)}
            />
          )}
        </>
      )}
    </EntryForm>
  )
}

const typedOf = (pay: PayInput | null | undefined, year: number) => {
  const amount = (value: number | undefined) => (value ? value.toLocaleString('en') : '')
  return {
    title: pay?.title ?? '',
    country: pay ? countryOf(pay.area) : '',
    area: pay?.area ?? '',
    currency: pay?.currency ?? '',
    experience: pay?.experience ?? ('2-4' as Experience),
    year: pay?.year ?? year,
    isYearly: pay?.isYearly ?? false,
    base: amount(pay?.base),
    bonus: amount(pay?.bonus),
    equity: amount(pay?.equity),
  }
}

/** Amounts are rounded here already, so no exact one leaves the browser. */
function payOf({ country: _, ...typed }: ReturnType<typeof typedOf>, today: string) {
  const read = {
    base: amountIn(typed.base, typed.currency),
    bonus: amountIn(typed.bonus, typed.currency),
    equity: amountIn(typed.equity, typed.currency),
  }
  const number = (value: number | string) => (typeof value === 'number' ? value : 0)
  const exact: PayInput = {
    ...typed,
    base: number(read.base),
    bonus: number(read.bonus),
    equity: number(read.equity),
  }
  const found = payProblems(exact, today)
  const unread = (value: number | string) => (typeof value === 'string' ? value : undefined)
  return {
    pay: {
      ...exact,
      base: coarse(exact.base),
      bonus: coarse(exact.bonus),
      equity: coarse(exact.equity),
    },
    problems: {
      ...found,
      base: unread(read.base) ?? found.base,
      bonus: unread(read.bonus) ?? found.bonus,
      equity: unread(read.equity) ?? found.equity,
    },
  }
}
