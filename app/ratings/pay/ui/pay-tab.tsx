import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { errorSentence } from '#app/kit/forms/refusal.ts'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { lazyComponent } from '#app/kit/ui/lazy-component.tsx'
import { EmptyState, LoadError } from '#app/kit/ui/message.tsx'
import { Loading, SkeletonCard } from '#app/kit/ui/skeleton.tsx'
import { useAnchor } from '#app/kit/ui/use-anchor.ts'
import { amountText } from '#app/kit/writing/currencies.ts'
import type { RatedCompany } from '../../rating.data.ts'
import { EntryTab, GiveLink } from '../../ui/entry-tab.tsx'
import { CountsTable } from '../../ui/score-recipe.tsx'
import type { CompanyPay, PayContract } from '../pay.contract.ts'
import { EARNINGS_PATH, earningsHref, payQuery } from '../pay.data.ts'
import { titleName } from '../titles.ts'
import { PayBars } from './pay-bars.tsx'
import { TitlePicker } from './title-picker.tsx'

const PayForm = lazyComponent(
  () => import('./pay-form.tsx').then((it) => it.PayForm),
  <SkeletonCard className="h-96" />,
)
/** Lazy, because most readers gave nothing. */
const OwnPayList = lazyComponent(() => import('./own-pay.tsx').then((it) => it.OwnPayList))

const YOURS = { tab: 'pay', yours: 'your pay' }

export function PayTab({ company }: { company: RatedCompany }) {
  const api = useApi<PayContract>()
  const { data, error, isPending, refetch } = useQuery(payQuery(api, company.id))
  const give = <GiveLink company={company} preload={PayForm.preload} {...YOURS} />
  return (
    <EntryTab
      kind="pay"
      company={company}
      formerIds={data?.formerIds}
      Form={PayForm}
      List={OwnPayList}
      {...YOURS}
    >
      {({ isGiving }) => (
        <>
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
              action={give}
            />
          )}
          {data && data.cells.length > 0 && (
            <Numbers company={company} cells={data.cells} give={give} />
          )}
          <p className="text-sm">
            <a href={EARNINGS_PATH} className={linkClasses}>
              What would I earn elsewhere?
            </a>
          </p>
        </>
      )}
    </EntryTab>
  )
}

function Numbers({ company, cells, give }: NumbersProps) {
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
        {give}
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

interface NumbersProps {
  company: RatedCompany
  cells: CompanyPay['cells']
  give: ReactNode
}
