import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide'
import type { ReactNode } from 'react'
import { useApi } from '#app/api/client.ts'
import { errorSentence } from '#app/kit/forms/refusal.ts'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { dateText, grouped, plural } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { lazyComponent } from '#app/kit/ui/lazy-component.tsx'
import { EmptyState, LoadError } from '#app/kit/ui/message.tsx'
import { Loading, SkeletonCard } from '#app/kit/ui/skeleton.tsx'
import type { RatedCompany } from '../../rating.data.ts'
import { EntryTab, GiveLink } from '../../ui/entry-tab.tsx'
import type { BenefitsContract, CompanyBenefits } from '../benefits.contract.ts'
import { benefitsQuery } from '../benefits.data.ts'
import { BENEFIT_GROUPS, BENEFITS, type Benefit, MEDIAN_MIN } from '../benefits.ts'

const BenefitsForm = lazyComponent(
  () => import('./benefits-form.tsx').then((it) => it.BenefitsForm),
  <SkeletonCard className="h-96" />,
)
/** Lazy, because most readers gave nothing. */
const OwnBenefitsList = lazyComponent(() =>
  import('./own-benefits.tsx').then((it) => it.OwnBenefitsList),
)

const YOURS = { tab: 'benefits', yours: 'your benefits' }

/** @param children how to suggest a missing benefit */
export function BenefitsTab({ company, children }: { company: RatedCompany; children: ReactNode }) {
  const api = useApi<BenefitsContract>()
  const { data, error, isPending, refetch } = useQuery(benefitsQuery(api, company.id))
  const give = <GiveLink company={company} preload={BenefitsForm.preload} {...YOURS} />
  return (
    <EntryTab
      kind="benefits"
      company={company}
      formerIds={data?.formerIds}
      Form={BenefitsForm}
      List={OwnBenefitsList}
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
          {data && !data.shares && !isGiving && (
            <EmptyState
              title="Be one of the first five"
              text={`Shares appear once five people at ${company.name} have given their benefits for the same year. Until then, an entry waits without a name or a day, and no one sees it. You can change or remove it from this browser.`}
              action={give}
            />
          )}
          {data?.shares && <Numbers data={data} shares={data.shares} give={give} />}
          {!isGiving && children}
        </>
      )}
    </EntryTab>
  )
}

function Numbers({ data, shares, give }: NumbersProps) {
  const { leave, daysOff, surgeUntil } = data
  const shareOf = new Map(shares.benefits.map((it) => [it.benefit, it]))
  const isCommon = ({ key }: Benefit) => (shareOf.get(key)?.have ?? 0) > 0
  const groups = BENEFIT_GROUPS.map(({ name, benefits }) => ({
    name,
    common: benefits.filter(isCommon),
  }))
  const rare = BENEFITS.filter((it) => !isCommon(it))
  return (
    <section aria-labelledby="benefits" className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h2 id="benefits" className="font-serif text-2xl font-medium tracking-tight">
          What people get
        </h2>
        {give}
      </div>
      {surgeUntil && (
        <p className="flex gap-3 rounded-lg border border-tea/30 bg-tea-soft px-4 py-3 text-sm leading-6 text-ink">
          <Icon of={TriangleAlert} className="mt-1 size-4 shrink-0 text-tea-strong" />
          {`Unusually many people gave their benefits lately. They count from ${dateText(surgeUntil)} on.`}
        </p>
      )}
      <dl className="grid gap-4 sm:grid-cols-2">
        <Median name="Paid days off a year" of={daysOff} unit="day" />
        <Median name="Paid parental leave" of={leave} unit="week" />
      </dl>
      <div className="gap-x-10 md:columns-2">
        {groups.map(
          ({ name, common }) =>
            common.length > 0 && (
              <div key={name} className="mb-6 break-inside-avoid">
                <h3 className="mb-1 text-[0.9375rem] font-semibold">{name}</h3>
                <ul className="divide-y divide-line">
                  {common.map(({ key, name }) => (
                    <Share key={key} name={name} of={shareOf.get(key)} />
                  ))}
                </ul>
              </div>
            ),
        )}
      </div>
      {rare.length > 0 && (
        <details className="text-sm leading-6">
          <summary className={`w-fit rounded-sm py-1 ${linkClasses}`}>
            {`${plural(rare.length, 'benefit')} that hardly anyone has`}
          </summary>
          <p className="mt-2 text-ink-soft">{rare.map(({ name }) => name).join(', ')}</p>
        </details>
      )}
      <p className="text-sm leading-6 text-ink-soft">
        {`At least ${grouped(shares.entries)} people gave their benefits for ${shares.year}. Shares are in quarters, so they say nothing about any one of them.`}
      </p>
    </section>
  )
}

interface NumbersProps {
  give: ReactNode
  data: CompanyBenefits
  shares: NonNullable<CompanyBenefits['shares']>
}

const Median = ({ name, of, unit }: MedianProps) => (
  <div className="rounded-xl border border-line bg-surface p-4">
    <dt className="text-sm text-ink-soft">{name}</dt>
    <dd className="mt-1">
      <span className="font-serif text-2xl tabular-nums">
        {of ? plural(of.median, unit) : 'Not known yet'}
      </span>
      <span className="block text-sm leading-6 text-ink-faint">
        {of
          ? `The median of at least ${grouped(of.entries)} people, ${of.year}`
          : `Shown once ${MEDIAN_MIN} people have given it`}
      </span>
    </dd>
  </div>
)

interface MedianProps {
  name: string
  of: CompanyBenefits['leave']
  unit: string
}

const HOW_MANY = ['hardly anyone', 'some', 'about half', 'most', 'nearly everyone']

function Share({ name, of }: ShareProps) {
  const { have = 0, use = 0 } = of ?? {}
  return (
    <li className="py-2.5">
      <p className="text-sm font-medium text-ink">{name}</p>
      <svg aria-hidden="true" className="mt-1.5 block h-2 w-full overflow-hidden rounded-full">
        <rect width="100%" height="100%" className="fill-line" />
        <rect width={`${25 * have}%`} height="100%" className="fill-star opacity-40" />
        <rect width={`${25 * use}%`} height="100%" className="fill-star" />
      </svg>
      <p className="mt-1 text-xs text-ink-faint">
        {`Have it: ${HOW_MANY[have]}. Use it: ${HOW_MANY[use]}.`}
      </p>
    </li>
  )
}

interface ShareProps {
  name: string
  of: NonNullable<CompanyBenefits['shares']>['benefits'][number] | undefined
}
