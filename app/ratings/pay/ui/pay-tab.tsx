import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { isSecretShared } from '#app/identity/credentials/rated.data.ts'
import { errorSentence } from '#app/kit/forms/refusal.ts'
import { useIsKnown, useSessionKey } from '#app/kit/session/session.data.ts'
import { navigate, useAddress } from '#app/kit/ui/address.ts'
import { buttonClasses } from '#app/kit/ui/button.tsx'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { lazyComponent } from '#app/kit/ui/lazy-component.tsx'
import { EmptyState, LoadError, NeedsScripts } from '#app/kit/ui/message.tsx'
import { Loading, SkeletonCard } from '#app/kit/ui/skeleton.tsx'
import { useAnchor } from '#app/kit/ui/use-anchor.ts'
import { amountText } from '#app/kit/writing/currencies.ts'
import type { RatedCompany } from '../../rating.data.ts'
import { CountsTable } from '../../ui/score-recipe.tsx'
import { removeOwnPay, useOwnPay } from '../own-pay.data.ts'
import type { CompanyPay, PayContract } from '../pay.contract.ts'
import { EARNINGS_PATH, earningsHref, payQuery, wantsToGivePay } from '../pay.data.ts'
import { payYears } from '../pay.ts'
import { titleName } from '../titles.ts'
import { PayBars } from './pay-bars.tsx'
import { TitlePicker } from './title-picker.tsx'

const PayForm = lazyComponent(
  () => import('./pay-form.tsx').then((it) => it.PayForm),
  <SkeletonCard className="h-96" />,
)
/** Lazy, because most readers gave nothing. */
const OwnPayList = lazyComponent(() => import('./own-pay.tsx').then((it) => it.OwnPayList))
const RemoveElsewhere = lazyComponent(() =>
  import('./own-pay.tsx').then((it) => it.RemoveElsewhere),
)

export function PayTab({ company }: { company: RatedCompany }) {
  const api = useApi<PayContract>()
  const { search } = useAddress()
  const { data, error, isPending, refetch } = useQuery(payQuery(api, company.id))
  const sessionKey = useSessionKey()
  const isKnown = useIsKnown()
  const formerIds = data?.formerIds ?? []
  const known = useOwnPay(sessionKey)
  const own = isKnown
    ? known.filter((it) => [company.id, ...formerIds].includes(it.company.id))
    : []
  const isGiving = wantsToGivePay(search)
  const year = Number(new URLSearchParams(search).get('year'))
  const close = () => navigate(`${company.path}?tab=pay`, { replace: true })
  const removeElsewhere = () => {
    for (const year of payYears(new Date().toISOString().slice(0, 10)))
      removeOwnPay({ company, sessionKey, formerIds }, year)
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      {isGiving && isKnown && data && (
        <div className="no-js:hidden">
          <PayForm
            key={`${sessionKey} ${year}`}
            company={company}
            formerIds={formerIds}
            own={own.filter((it) => it.year === year || !year)}
            onClose={close}
          />
        </div>
      )}
      {!isGiving && own.length > 0 && (
        <section aria-labelledby="own-pay">
          <h2 id="own-pay" className="mb-2 text-[0.9375rem] font-semibold">
            What you gave
          </h2>
          <OwnPayList listed={own} />
        </section>
      )}
      {isPending && (
        <Loading>
          <SkeletonCard className="h-64" />
        </Loading>
      )}
      {error && !data && <LoadError text={errorSentence(error)} onRetry={refetch} />}
      {data && data.cells.length === 0 && !isGiving && (
        <EmptyState
          title="Be one of the first ten"
          text={`We show numbers once ten people at ${company.name} have given their pay for the same year. Until then, no one sees yours. We keep it without your name or the date, and you can change or remove it from this browser.`}
          action={<GiveLink company={company} />}
        />
      )}
      {data && data.cells.length > 0 && <Numbers company={company} cells={data.cells} />}
      {isKnown && !isGiving && own.length === 0 && isSecretShared(sessionKey) && (
        <RemoveElsewhere onRemove={removeElsewhere} />
      )}
      <p className="text-sm">
        <a href={EARNINGS_PATH} className={linkClasses}>
          What would I earn elsewhere?
        </a>
      </p>
    </div>
  )
}

const GiveLink = ({ company }: { company: RatedCompany }) => (
  <>
    <a
      href={`${company.path}?tab=pay&give=yes`}
      rel="nofollow"
      {...PayForm.preload}
      className={`${buttonClasses()} no-js:hidden`}
    >
      Give your pay
    </a>
    <NeedsScripts>Giving your pay needs JavaScript.</NeedsScripts>
  </>
)

function Numbers({ company, cells }: { company: RatedCompany; cells: CompanyPay['cells'] }) {
  const here = useAnchor<HTMLHeadingElement>('pay')
  const [title, setTitle] = useState('')
  const chosen = cells.filter((cell) => cell.title === title)
  const whole = cells.filter((cell) => cell.title === null)
  const shown = chosen.length > 0 ? chosen : whole
  const titles = cells.filter((cell) => cell.title !== null)
  return (
    <section aria-labelledby="pay" className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h2 ref={here} id="pay" className="font-serif text-2xl font-medium tracking-tight">
          What people earn
        </h2>
        <GiveLink company={company} />
      </div>
      <div className="max-w-md no-js:hidden">
        <TitlePicker legend="Job title" title={title} onPick={setTitle} />
      </div>
      {title && chosen.length === 0 && (
        <p role="status" className="rounded-lg bg-sunken px-4 py-3 text-sm leading-6 text-ink-soft">
          {`Fewer than ten people here gave their pay as ${titleName(title)}, or the number would give a few of them away. So this is everyone at ${company.name}. `}
          <a href={earningsHref(title)} className={linkClasses}>
            See other companies
          </a>
        </p>
      )}
      {shown.map((cell) => {
        const of = cell.title ? titleName(cell.title) : `Everyone at ${company.name}`
        return (
          <div key={`${cell.title} ${cell.currency}`}>
            <h3 className="mb-3 text-[0.9375rem] font-semibold">{of}</h3>
            <PayBars numbers={cell} of={of} />
          </div>
        )
      })}
      {titles.length > 0 && (
        <CountsTable
          label="Pay by title"
          caption="By title: the median of a year’s base salary, bonus and equity together"
          head={['Title', 'Year', 'Amount']}
          rows={titles.map(({ title, year, currency, quartiles }) => ({
            key: `${title} ${currency}`,
            cells: [titleName(title ?? ''), String(year), amountText(quartiles.total[1], currency)],
          }))}
        />
      )}
      <p className="text-sm">
        <a
          href={`/api/v1/companies/${company.id}/pay.csv`}
          download
          data-native
          className={linkClasses}
        >
          Download as CSV
        </a>
      </p>
    </section>
  )
}
