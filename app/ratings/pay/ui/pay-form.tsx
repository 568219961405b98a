import { X } from 'lucide'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { useBadges } from '#app/companies/badges/stored-badges.data.ts'
import { ToConfirmFirst } from '#app/identity/accounts/sign-in/ui/confirm-email.tsx'
import type { CredentialContract } from '#app/identity/credentials/credential.contract.ts'
import { isIssuingProblem } from '#app/identity/credentials/issuing-problem.data.ts'
import { IssuingDialogs } from '#app/identity/credentials/ui/issuing-dialogs.tsx'
import { SecretElsewhereNotice } from '#app/identity/credentials/ui/secret-elsewhere.tsx'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import { askToSignIn, useSession, useSessionKey } from '#app/kit/session/session.data.ts'
import { useAddress } from '#app/kit/ui/address.ts'
import { Button, IconButton } from '#app/kit/ui/button.tsx'
import { Checkbox, Select, TextField } from '#app/kit/ui/field.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { CountryOptions } from '#app/kit/writing/country-options.tsx'
import { COMMON_CURRENCIES } from '#app/kit/writing/currencies.ts'
import { useDraft } from '#app/kit/writing/draft.data.ts'
import { DraftRestored } from '#app/kit/writing/draft-notice.tsx'
import { AnonymityLink } from '#app/kit/writing/leak-warnings.tsx'
import type { RatedCompany } from '../../rating.data.ts'
import { CannotRate } from '../../ui/cannot-rate.tsx'
import { areasIn, countryOf } from '../areas.ts'
import { type OwnPay, savePay } from '../own-pay.data.ts'
import { coarse, EXPERIENCE, type Experience, payYears } from '../pay.ts'
import { amountIn, type PayInput, payProblems } from '../pay-input.ts'
import { TitlePicker } from './title-picker.tsx'

const WHY_ACCOUNT =
  'An account makes sure that each person gives their pay once. Your entry doesn’t say who you are.'

const AMOUNTS = [
  { key: 'base', label: 'Base salary a year', hint: undefined },
  { key: 'bonus', label: 'Bonus a year', hint: 'Leave it empty if there’s none.' },
  {
    key: 'equity',
    label: 'Equity a year',
    hint: 'What your shares and options are worth in one year.',
  },
] as const

/** @param own what this browser gave at this company, to change it */
export function PayForm(props: PayFormProps) {
  const { me } = useSession()
  const whyNot = me?.whyNotRate
  return (
    <div className="grid gap-4">
      {whyNot && <CannotRate why={whyNot} me={me} />}
      {/* Employers can't do anything about it, so they get no form. */}
      {whyNot?.code !== 'employer-not-allowed' && <Fields {...props} />}
    </div>
  )
}

function Fields({ company, formerIds, own, onClose }: PayFormProps) {
  const api = useApi<CredentialContract>()
  const sessionKey = useSessionKey()
  const { status, me } = useSession()
  const { path, search } = useAddress()
  const today = new Date().toISOString().slice(0, 10)
  const first = own[0]?.pay
  const given = typedOf(first, payYears(today)[0] as number)
  const [typed, setTyped] = useState(given)
  const { country } = typed
  const isBlank = JSON.stringify(typed) === JSON.stringify(given)
  const keptOf = (typed: Typed) => ({ title: `Your pay at ${company.name}`, typed })
  const draft = useDraft({
    draftKey: {
      kind: 'pay',
      key: [company.id, first?.year].filter(Boolean).join(':'),
      path: `${company.path}?tab=pay&give=yes${first ? `&year=${first.year}` : ''}`,
    },
    content: keptOf(typed),
    isBlank,
    onRestore: (found) => setTyped({ ...given, ...found.typed }),
    onSentElsewhere: () => keptOf(typed),
  })
  const startOver = () => {
    draft.clear(keptOf(given))
    setTyped(given)
  }
  const [isBadged, setBadged] = useState(false)
  const [issuingError, setIssuingError] = useState<Error>()
  const badge = useBadges(sessionKey).find(({ company: { id } }) =>
    [company.id, ...formerIds].includes(id),
  )
  const change = (part: Partial<typeof typed>) => setTyped((now) => ({ ...now, ...part }))
  const whyNot = status === 'signed-in' ? me?.whyNotRate : undefined

  const { pay, problems } = payOf(typed, today)
  const { form, errors, isBusy } = useForm<keyof typeof problems>({
    storedIn: 'browser',
    check: () => problems,
    send: async () => {
      if (status === 'signed-out') {
        askToSignIn({ view: 'signup', redirect: `${path}?${search}`, reason: WHY_ACCOUNT })
        return
      }
      try {
        const shown = isBadged && badge ? { domain: badge.domain } : undefined
        await savePay({ api, company, sessionKey, formerIds }, { pay, badge: shown })
      } catch (error) {
        if (!isIssuingProblem(error)) throw error
        setIssuingError(error)
        return { form: error.message }
      }
      draft.sent(keptOf(typed), `${company.path}?tab=pay`)
      onClose()
    },
  })
  const shown = (name: keyof typeof problems) => errors[name] && problems[name]
  const currencies = new Set([typed.currency, ...COMMON_CURRENCIES].filter(Boolean))
  return (
    <form {...form} aria-labelledby="give-pay" className="rounded-xl border border-line bg-surface">
      <header className="flex items-start justify-between gap-4 px-5 pt-5 md:px-7 md:pt-6">
        <div className="min-w-0">
          <h2 id="give-pay" className="font-serif text-2xl leading-8 font-medium tracking-tight">
            {`Your pay at ${company.name}`}
          </h2>
          <p className="mt-1 text-sm leading-6 text-ink-soft">
            We round amounts to the nearest 1,000 and keep them without your name, your account or
            the date. Each number we show comes from at least ten people. <AnonymityLink />
          </p>
        </div>
        <IconButton label="Close" onClick={onClose} className="-mt-1 -mr-2">
          <Icon of={X} />
        </IconButton>
      </header>
      <div className="grid gap-6 px-5 py-5 md:px-7 md:py-6">
        {!whyNot && <SecretElsewhereNotice />}
        <DraftRestored
          draft={draft}
          isBlank={isBlank}
          text="Not sent yet. What you typed is still here."
          onDiscard={startOver}
        />
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
        <IssuingDialogs error={issuingError} onClose={() => setIssuingError(undefined)} />
        <FormError>{errors.form}</FormError>
        <div className="flex flex-wrap items-center gap-3">
          {whyNot?.code === 'unconfirmed' ? (
            <ToConfirmFirst />
          ) : (
            <Button type="submit" size="lg" busy={isBusy} busyLabel="Saving...">
              Save
            </Button>
          )}
          <Button variant="ghost" size="lg" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </div>
    </form>
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

type Typed = ReturnType<typeof typedOf>

/** Amounts are rounded here already, so no exact one leaves the browser. */
function payOf({ country: _, ...typed }: Typed, today: string) {
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

interface PayFormProps {
  company: RatedCompany
  formerIds: string[]
  own: OwnPay[]
  onClose: () => void
}
