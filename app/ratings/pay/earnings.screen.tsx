/** What people with a title earn, by area and company. Anyone can read it without giving anything. */
import { useQuery } from '@tanstack/react-query'
import { useApi } from '#app/api/client.ts'
import { TABS_ID } from '#app/companies/company.ts'
import { errorSentence } from '#app/kit/forms/refusal.ts'
import { SiteLink, useSite } from '#app/kit/session/site.tsx'
import { navigate, useAddress } from '#app/kit/ui/address.ts'
import { buttonClasses } from '#app/kit/ui/button.tsx'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { Select } from '#app/kit/ui/field.tsx'
import { EmptyState, LoadError, NeedsScripts } from '#app/kit/ui/message.tsx'
import { Loading, SkeletonCard } from '#app/kit/ui/skeleton.tsx'
import { amountText } from '#app/kit/writing/currencies.ts'
import { cellClasses, tableClasses } from '../ui/score-recipe.tsx'
import { areaName } from './areas.ts'
import type { PayContract, TitlePay } from './pay.contract.ts'
import { EARNINGS_PATH, earningsHref, titlePayQuery } from './pay.data.ts'
import { TITLE_KEYS, titleName } from './titles.ts'
import { PayBars } from './ui/pay-bars.tsx'
import { TitlePicker } from './ui/title-picker.tsx'

export default function EarningsScreen() {
  const { siteName, siteUrl } = useSite()
  const { search } = useAddress()
  const query = new URLSearchParams(search)
  const wanted = query.get('title') ?? ''
  const title = TITLE_KEYS.includes(wanted) ? wanted : ''
  const heading = title ? `${titleName(title)}: what would I earn?` : 'What would I earn?'
  return (
    <div className="mx-auto w-full max-w-3xl px-5 py-8 md:py-12">
      <title>{`${heading} – ${siteName}`}</title>
      <meta
        name="description"
        content="What people say they earn, by title, area and company. Each number comes from at least ten people."
      />
      <link rel="canonical" href={siteUrl + (title ? earningsHref(title) : EARNINGS_PATH)} />
      <h1 className="font-serif text-4xl leading-tight font-medium tracking-tight text-balance md:text-5xl">
        {heading}
      </h1>
      <p className="mt-4 max-w-prose leading-relaxed text-ink-soft">
        Each number comes from at least ten people who told us their pay. It changes once five
        people’s entries have changed, or when a quarter ends.
      </p>
      <NeedsScripts className="mt-6">Choosing a title needs JavaScript.</NeedsScripts>
      <div className="mt-6 max-w-md no-js:hidden">
        <TitlePicker
          legend="Job title"
          title={title}
          onPick={(title) =>
            navigate(title ? earningsHref(title) : EARNINGS_PATH, { replace: true })
          }
        />
      </div>
      {title && <Earnings title={title} area={query.get('area') ?? ''} />}
    </div>
  )
}

function Earnings({ title, area }: { title: string; area: string }) {
  const api = useApi<PayContract>()
  const { data, error, refetch } = useQuery(titlePayQuery(api, title))
  if (error && !data) return <LoadError text={errorSentence(error)} onRetry={refetch} />
  if (!data)
    return (
      <Loading className="mt-8">
        <SkeletonCard className="h-64" />
      </Loading>
    )
  if (data.areas.length === 0 && data.companies.length === 0)
    return (
      <EmptyState
        className="mt-8"
        title="Not enough yet"
        text={`Too few people have given their pay as ${titleName(title)}: we need ten before we show a number. You can add yours on your company’s page, under Pay.`}
        action={
          <a href="/companies" className={buttonClasses('secondary')}>
            Find your company
          </a>
        }
      />
    )
  const chosen = data.areas.filter((it) => it.area === area)
  const areas = [...new Set(data.areas.map((it) => it.area))]
  return (
    <div className="mt-8 grid grid-cols-[minmax(0,1fr)] gap-8">
      {areas.length > 0 && (
        <section aria-labelledby="areas" className="grid gap-5">
          <h2 id="areas" className="font-serif text-2xl font-medium tracking-tight">
            By area
          </h2>
          <div className="max-w-md no-js:hidden">
            <Select
              label="Where?"
              value={chosen.length > 0 ? area : ''}
              onChange={({ target }) =>
                navigate(earningsHref(title, target.value), { replace: true })
              }
            >
              <option value="">All areas</option>
              {areas.map((key) => (
                <option key={key} value={key}>
                  {areaName(key)}
                </option>
              ))}
            </Select>
          </div>
          {area && chosen.length === 0 && (
            <p className="rounded-lg bg-sunken px-4 py-3 text-sm leading-6 text-ink-soft">
              {`Fewer than ten people gave their pay in ${areaName(area)}, so here are the other areas.`}
            </p>
          )}
          {(chosen.length > 0 ? chosen : data.areas).map((cell) => (
            <div key={`${cell.area} ${cell.currency}`}>
              <h3 className="mb-3 text-[0.9375rem] font-semibold">{areaName(cell.area)}</h3>
              <PayBars numbers={cell} of={areaName(cell.area)} />
            </div>
          ))}
        </section>
      )}
      {data.companies.length > 0 && <Companies title={title} companies={data.companies} />}
    </div>
  )
}

const Companies = ({ title, companies }: { title: string } & Pick<TitlePay, 'companies'>) => (
  <section aria-labelledby="companies">
    <h2 id="companies" className="mb-3 font-serif text-2xl font-medium tracking-tight">
      By company
    </h2>
    <table className={tableClasses}>
      <caption className="pb-2 text-left text-sm leading-6 text-ink-faint">
        {`${titleName(title)}: the median of a year’s base salary, bonus and equity together`}
      </caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">Company</th>
          <th scope="col">Year</th>
          <th scope="col">Amount</th>
        </tr>
      </thead>
      <tbody>
        {companies.map(({ company, year, currency, quartiles }) => (
          <tr key={`${company.path} ${currency}`}>
            <th scope="row" className={`${cellClasses} font-normal`}>
              <SiteLink
                href={`${company.path}?tab=pay#${TABS_ID}`}
                dir="auto"
                className={linkClasses}
              >
                {company.name}
              </SiteLink>
            </th>
            <td className={cellClasses}>{year}</td>
            <td className={cellClasses}>{amountText(quartiles.total[1], currency)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)
