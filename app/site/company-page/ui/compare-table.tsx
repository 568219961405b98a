import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide'
import { type ReactNode, useEffect } from 'react'
import { useApi } from '#app/api/client.ts'
import type { CompanyContract, ComparedCompany } from '#app/companies/company.contract.ts'
import {
  COMPARED_MIN,
  companyPath,
  comparePath,
  PICK_PARAM,
  RATING_CATEGORIES,
  referenceOf,
} from '#app/companies/company.ts'
import { FACT_FIELDS, FACT_NAMES, factText, placeText } from '#app/companies/edits/company-facts.ts'
import { daysText, policyText } from '#app/companies/edits/company-policy.ts'
import { CompanyLogo } from '#app/companies/logos/ui/company-logo.tsx'
import { useWithOwnRatings } from '#app/companies/own-rating/own-rating.data.ts'
import { errorSentence } from '#app/kit/forms/refusal.ts'
import { useSite } from '#app/kit/session/site.tsx'
import { buttonClasses } from '#app/kit/ui/button.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { dateText, grouped } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { EmptyState, LoadError } from '#app/kit/ui/message.tsx'
import { Score } from '#app/kit/ui/score.tsx'
import { Loading, Skeleton } from '#app/kit/ui/skeleton.tsx'
import { amountText } from '#app/kit/writing/currencies.ts'
import type { Flag } from '#app/platform/operations/flags.ts'
import type { BenefitsContract } from '#app/ratings/benefits/benefits.contract.ts'
import { benefitsQuery } from '#app/ratings/benefits/benefits.data.ts'
import type { PayContract } from '#app/ratings/pay/pay.contract.ts'
import { payQuery } from '#app/ratings/pay/pay.data.ts'
import { comparisonQuery, listed } from '../compare.data.ts'

/**
 * Up to four companies side by side.
 * @param text the value of `compare` in the URL, so people can share it
 */
export function Comparison({ text }: { text: string }) {
  const api = useApi<CompanyContract>()
  const { siteName } = useSite()
  const { data, error, refetch } = useQuery(comparisonQuery(api, text))
  const companies = data?.companies ?? []
  const names = companies.map(({ name }) => name)
  useStartAtTop()
  const title = names.length > 0 ? `Compare ${listed(names)}` : 'Compare companies'
  return (
    <div className="mx-auto w-full max-w-6xl px-5 py-8 md:py-12">
      <title>{`${title} – ${siteName}`}</title>
      <meta
        name="description"
        content={`${title}: ratings, office policies and days people actually go in.`}
      />
      <meta name="robots" content="noindex, follow" />
      <h1 className="font-serif text-4xl font-medium tracking-tight md:text-5xl">
        Compare companies
      </h1>
      {data && data.unknown.length > 0 && (
        <p className="mt-4 text-ink-soft">
          {`We don’t know ${listed(data.unknown.map((it) => `“${it}”`))}.`}
        </p>
      )}
      {!data && !error && (
        <Loading
          label="Loading companies..."
          times={ROWS.length}
          className="mt-8 divide-y divide-line rounded-xl border border-line bg-surface"
        >
          <div className="flex gap-6 px-4 py-5">
            <Skeleton className="h-4 w-24 md:w-44" />
            <Skeleton className="h-4 w-16 md:w-28" />
            <Skeleton className="h-4 w-16 md:w-28" />
          </div>
        </Loading>
      )}
      {error && !data && <LoadError text={errorSentence(error)} onRetry={refetch} />}
      {data && companies.length === 0 && (
        <EmptyState
          title="Nothing to compare yet"
          text="Choose two to four companies in the list."
          action={
            <a href="/companies" className={buttonClasses('secondary')}>
              Show all companies
            </a>
          }
        />
      )}
      {companies.length > 0 && (
        <>
          {companies.length < COMPARED_MIN && (
            <p className="mt-4 text-ink-soft">Add one more to see them side by side.</p>
          )}
          <Table companies={companies} />
          <p className="mt-6">
            <a
              href={`/companies?${PICK_PARAM}=${companies.map(referenceOf).map(encodeURIComponent).join(',')}`}
              className={buttonClasses('secondary')}
            >
              Change selection
            </a>
          </p>
        </>
      )}
    </div>
  )
}

/** The link to it is in the middle of the list, which has the same path. */
function useStartAtTop() {
  useEffect(() => {
    if (!document.documentElement.classList.contains('alive')) return
    window.scrollTo(0, 0)
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [])
}

interface Row {
  name: string
  /** The part of the site that it needs. */
  flag?: Flag
  cell: (company: ComparedCompany) => ReactNode
}

const ROWS: Row[] = [
  { name: 'Category', cell: ({ category }) => category },
  { name: 'Overall rating', cell: ({ rating }) => <Score rating={rating} /> },
  ...RATING_CATEGORIES.map(({ key, name }) => ({
    name,
    cell: ({ categoryRatings }: ComparedCompany) => <Score rating={categoryRatings[key]} />,
  })),
  { name: 'Ratings', cell: ({ ratings }) => grouped(ratings) },
  { name: 'Pay', cell: ({ id }) => <MiddlePay companyId={id} /> },
  { name: 'Paid days off', cell: ({ id }) => <MiddleDaysOff companyId={id} /> },
  {
    name: 'Office policy',
    cell: ({ policy }) =>
      policy ? (
        <>
          {policyText(policy)}
          {policy.since && (
            <span className="block text-ink-faint">{`Since ${dateText(policy.since)}`}</span>
          )}
        </>
      ) : (
        <Unknown />
      ),
  },
  {
    name: 'Days people actually go in',
    cell: ({ officeDays }) =>
      officeDays ? (
        <>
          {`${daysText(officeDays.mean)} a week`}
          <span className="block text-ink-faint">{`According to ${officeDays.ratings} people`}</span>
        </>
      ) : (
        <Unknown />
      ),
  },
  {
    name: 'Discussions',
    flag: 'enableDiscussions',
    cell: ({ threadCount }) => grouped(threadCount),
  },
]

const FACT_ROWS = FACT_FIELDS.filter((field) => field !== 'aliases' && field !== 'country').map(
  (field) => ({
    name: FACT_NAMES[field],
    text: (company: ComparedCompany) =>
      field === 'headquarters' ? placeText(company) : factText(field, company),
  }),
)

/** Facts that at least one of the companies has. */
const factRows = (companies: ComparedCompany[]): Row[] =>
  FACT_ROWS.filter(({ text }) => companies.some(text)).map(({ name, text }) => ({
    name,
    cell: (company) => text(company) ?? <Unknown />,
  }))

/** Of everyone there, in their own currency. */
function MiddlePay({ companyId }: { companyId: string }) {
  const { data } = useQuery(payQuery(useApi<PayContract>(), companyId))
  const [whole] = data?.cells.filter(({ title }) => title === null) ?? []
  if (!whole) return <Unknown />
  return (
    <>
      {`${amountText(whole.quartiles.total[1], whole.currency)} a year`}
      <span className="block text-ink-faint">{`Median of all pay given for ${whole.year}`}</span>
    </>
  )
}

function MiddleDaysOff({ companyId }: { companyId: string }) {
  const { data } = useQuery(benefitsQuery(useApi<BenefitsContract>(), companyId))
  if (!data?.daysOff) return <Unknown />
  const { median, entries, year } = data.daysOff
  return (
    <>
      {`${median} a year`}
      <span className="block text-ink-faint">{`The median of at least ${entries} people, ${year}`}</span>
    </>
  )
}

const Unknown = () => <span className="text-ink-faint">Not known</span>

function Table({ companies: shown }: { companies: ComparedCompany[] }) {
  const { flags } = useSite()
  const companies = useWithOwnRatings(shown)
  const without = (company: ComparedCompany) =>
    comparePath(companies.filter((it) => it !== company).map(referenceOf))
  // On a phone, two fit.
  const isWide = companies.length > 2
  return (
    <section
      aria-label="Comparison"
      // If it scrolls sideways, keys must reach it.
      tabIndex={isWide ? 0 : undefined}
      className={cx(
        'relative mt-8 overflow-clip rounded-xl border border-line bg-surface',
        isWide && 'max-md:max-h-[80svh] max-md:overflow-auto',
      )}
    >
      <table
        className={cx('w-full border-collapse text-sm', isWide ? 'md:table-fixed' : 'table-fixed')}
      >
        <caption className="sr-only">{`${listed(companies.map(({ name }) => name))}, side by side`}</caption>
        <thead>
          <tr className="align-top">
            <td className={cx(firstColumn, headClasses, isWide && 'max-md:top-0', 'z-30')} />
            {companies.map((company) => (
              <th
                key={company.id}
                scope="col"
                className={cx(
                  headClasses,
                  'z-20 p-3 text-left font-normal md:px-4',
                  isWide && 'min-w-40 max-md:top-0',
                )}
              >
                <div className="flex items-start justify-between">
                  <CompanyLogo name={company.name} logoUrl={company.logoUrl} className="size-8" />
                  {companies.length > 1 && (
                    <a
                      href={without(company)}
                      data-replace
                      data-tooltip={`Remove ${company.name}`}
                      className="-mt-1 -mr-2 inline-flex size-10 items-center justify-center rounded-md text-ink-faint hover:bg-sunken hover:text-ink"
                    >
                      <span className="sr-only">{`Remove ${company.name}`}</span>
                      <Icon of={X} className="size-4" />
                    </a>
                  )}
                </div>
                <a
                  href={companyPath(company)}
                  className="mt-1 block font-semibold text-ink underline decoration-line-strong underline-offset-4 hover:decoration-ink"
                >
                  {company.name}
                </a>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...ROWS.filter(({ flag }) => !flag || flags[flag]), ...factRows(companies)].map(
            ({ name, cell }) => (
              <tr key={name} className="border-b border-line align-top last:border-b-0">
                <th
                  scope="row"
                  className={cx(firstColumn, 'z-10 text-left font-medium text-ink-soft')}
                >
                  {name}
                </th>
                {companies.map((company) => (
                  <td key={company.id} className="px-3 py-3 leading-6 tabular-nums md:px-4">
                    {cell(company)}
                  </td>
                ))}
              </tr>
            ),
          )}
        </tbody>
      </table>
    </section>
  )
}

/** Stays in place while the companies scroll. */
const firstColumn = 'sticky left-0 w-28 border-r border-line bg-surface px-2 py-3 md:w-56 md:px-4'
/** The names stay at hand. A border would scroll away. */
const headClasses =
  'sticky top-header bg-surface after:absolute after:inset-x-0 after:bottom-0 after:border-b after:border-line'
