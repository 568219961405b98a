import { useQuery } from '@tanstack/react-query'
import { Columns2, Pencil, Share2 } from 'lucide'
import { type ComponentType, type ReactNode, useEffect, useRef } from 'react'
import { useApi } from '#app/api/client.ts'
import { RoomLink } from '#app/community/rooms/ui/room-link.tsx'
import { BadgeLink } from '#app/companies/badges/ui/badge-link.tsx'
import { YoursLink } from '#app/companies/claims/ui/yours-link.tsx'
import type { CompanyContract, CompanyPageView } from '#app/companies/company.contract.ts'
import { companyQuery } from '#app/companies/company.data.ts'
import {
  companyPath,
  PICK_PARAM,
  RATING_CATEGORIES,
  referenceOf,
  TABS_ID,
} from '#app/companies/company.ts'
import { factText, placeText } from '#app/companies/edits/company-facts.ts'
import { officeText } from '#app/companies/edits/company-policy.ts'
import { FollowButton } from '#app/companies/following/ui/follow-button.tsx'
import { CompanyLogo } from '#app/companies/logos/ui/company-logo.tsx'
import { useOwnRating } from '#app/companies/own-rating/own-rating.data.ts'
import { ViewBeacon } from '#app/companies/tracking/ui/view-beacon.tsx'
import { CompanyScore } from '#app/companies/ui/company-score.tsx'
import { WebsiteLink } from '#app/companies/ui/website-link.tsx'
import { pageFailure } from '#app/kit/session/page-failure.tsx'
import { useQuietWhile } from '#app/kit/session/quiet-companies.data.ts'
import { useSession } from '#app/kit/session/session.data.ts'
import { useSite } from '#app/kit/session/site.tsx'
import { navigate, useAddress } from '#app/kit/ui/address.ts'
import { Badge } from '#app/kit/ui/badge.tsx'
import { Button, buttonClasses } from '#app/kit/ui/button.tsx'
import { linkClasses, tabClasses } from '#app/kit/ui/class-names.ts'
import { cx } from '#app/kit/ui/cx.ts'
import { plural } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { lazyComponent } from '#app/kit/ui/lazy-component.tsx'
import { Score, ScoreBar } from '#app/kit/ui/score.tsx'
import { share } from '#app/kit/ui/share.ts'
import { Loading, Skeleton, SkeletonCard } from '#app/kit/ui/skeleton.tsx'
import { amountText } from '#app/kit/writing/currencies.ts'
import { wantsToGivePay } from '#app/ratings/pay/pay.data.ts'
import { HeaderRateLink, wantsToRate } from '#app/ratings/ui/rate-link.tsx'
import { BEFORE_YOU_SIGN, companyTab, companyTabs, firstTab } from './company-tabs.ts'

const MergeButton = lazyComponent(() =>
  import('#app/companies/merging/ui/company-merge.tsx').then((it) => it.MergeButton),
)

type CompanyTab = ComponentType<{ company: CompanyPageView }>

/** A company's page, by slug at `/{companySlug}`, by id or slug at `/company/{companyId}`. Spec §2.1. */
export default function CompanyScreen({
  companyId,
  companySlug,
  Tab,
}: {
  companyId?: string
  companySlug?: string
  Tab?: CompanyTab
}) {
  const api = useApi<CompanyContract>()
  const { path, search } = useAddress()
  const query = useQuery(companyQuery(api, companyId ?? companySlug ?? ''))
  const company = query.data

  // The server redirects to the slug. Within the site, the URL is replaced.
  const home = company && companyPath(company)
  useEffect(() => {
    if (home && home !== path) navigate(search ? `${home}?${search}` : home, { replace: true })
  }, [home, path, search])

  const failure = pageFailure(query)
  if (failure) return failure
  if (!company) return <CompanySkeleton />
  return <CompanyPage company={company} Tab={Tab} />
}

function CompanyPage({ company: shown, Tab }: { company: CompanyPageView; Tab?: CompanyTab }) {
  const company = { ...shown, ...useOwnRating(shown)?.numbers }
  const { siteName, siteUrl, flags } = useSite()
  const { search } = useAddress()
  useQuietWhile(wantsToRate(search) || wantsToGivePay(search), shown.id)
  const tab = companyTab(new URLSearchParams(search).get('tab'), flags)
  const path = companyPath(company)
  const { name, category, description } = company
  // Search engines list it by itself.
  const isPay = tab === 'pay' && company.pay !== null
  const about = isPay
    ? 'what people say they earn there. Each number comes from at least ten people.'
    : `anonymous discussions and ratings of return-to-office policy, diversity, work-life balance and culture. ${description ?? ''}`
  const tabs = useRef<HTMLDivElement>(null)
  const chosen = useRef<string>(undefined)
  useEffect(() => {
    // After Back, the browser scrolls by itself.
    if (!Tab || chosen.current !== tab) return
    chosen.current = undefined
    tabs.current?.scrollIntoView()
  }, [tab, Tab])
  return (
    <div className="mx-auto w-full max-w-6xl px-5 py-8 md:py-12">
      <title>
        {`${name}: ${isPay ? 'what people earn' : 'what it’s like to work'} there – ${siteName}`}
      </title>
      <meta name="description" content={`${name} (${category}): ${about}`.trim()} />
      <link rel="canonical" href={siteUrl + path + (isPay ? '?tab=pay' : '')} />
      {company.demo && <meta name="robots" content="noindex" />}

      <ViewBeacon companyId={company.id} />
      {/* On a phone, the numbers are above the tabs and the rest is below. On a wide screen, both are next to them. */}
      <div className="flex flex-col gap-x-12 gap-y-8 [reading-flow:flex-visual] lg:grid lg:grid-cols-[minmax(0,1fr)_22rem] lg:grid-rows-[auto_1fr]">
        <CompanyHead company={company} />
        <aside
          aria-label={`${name} in short`}
          className="max-lg:contents lg:sticky lg:top-[calc(var(--spacing-header)+1.5rem)] lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:self-start"
        >
          <RatingPanel company={company} />
          <SimilarCompanies
            title={company.demo ? 'Other demo companies' : 'Similar companies'}
            companies={company.similar}
            className="max-lg:order-2 max-lg:border-t max-lg:border-line max-lg:pt-6 lg:mt-6 lg:px-5 print:hidden"
          />
          <BadgeLink company={company} />
          <YoursLink
            companyId={company.id}
            className="max-lg:order-3 lg:mt-6 lg:px-5 print:hidden"
          />
          {flags.enableDiscussions && <RoomLink company={company} />}
        </aside>
        {/* The tabs are sticky, so only what's around them can be scrolled to. */}
        <div ref={tabs} id={TABS_ID} className="min-w-0 max-lg:order-1 max-lg:-scroll-mt-[60px]">
          <nav
            aria-label={`About ${name}`}
            className="sticky-tabs z-10 border-b border-line bg-paper max-lg:sticky max-lg:top-header max-lg:-mx-5 max-lg:px-5"
          >
            <ul className="-mb-px flex flex-wrap gap-x-4 sm:gap-x-6">
              {companyTabs(flags).map(({ key, name }) => (
                <li key={key}>
                  <a
                    href={`${path}${key === firstTab(flags) ? '' : `?tab=${key}`}#${TABS_ID}`}
                    onClick={() => {
                      chosen.current = key
                    }}
                    aria-current={tab === key ? 'page' : undefined}
                    className={tabClasses(tab === key)}
                  >
                    {name}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <div className="min-h-64 pt-8">
            {Tab ? (
              <Tab company={company} />
            ) : (
              <div role="status" aria-label="Loading...">
                <SkeletonCard className="h-64" />
              </div>
            )}
          </div>
        </div>
      </div>
    </div>
  )
}

function CompanyHead({ company }: { company: CompanyPageView }) {
  const { flags } = useSite()
  const { name, category, website, description, threadCount, commentCount, ratings } = company
  const facts = [
    placeText(company),
    factText('size', company),
    company.founded && `Founded ${company.founded}`,
  ].filter(Boolean)
  return (
    <header className="grid min-w-0 grid-cols-[auto_minmax(0,1fr)] content-start items-center gap-x-4 md:items-start md:gap-x-5">
      <CompanyLogo
        name={name}
        logoUrl={company.logoUrl}
        className="size-14 md:row-span-2 md:size-20"
      />
      <h1
        dir="auto"
        className="font-serif text-3xl leading-tight font-medium tracking-tight text-balance sm:text-4xl md:text-5xl"
      >
        {name}
      </h1>
      <div className="max-md:col-span-2">
        <AtAGlance company={company} />
        <p className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
          <a
            href={`/companies?${new URLSearchParams({ category })}`}
            className="inline-flex min-h-8 items-center font-medium text-tea underline decoration-tea/40 underline-offset-4 hover:decoration-tea"
          >
            {category}
          </a>
          {website && <WebsiteLink website={website} />}
          {company.demo && <Badge>Demo</Badge>}
        </p>
        {facts.length > 0 && (
          <p className="dotted mt-2 text-sm text-ink-soft">
            {facts.map((fact) => (
              <span key={fact} dir="auto">
                {fact}
              </span>
            ))}
          </p>
        )}
        {description && (
          <p dir="auto" className="mt-4 max-w-prose leading-relaxed text-pretty text-ink-soft">
            {description}
          </p>
        )}
        <dl className="mt-6 flex flex-wrap gap-x-8 gap-y-2">
          {flags.enableDiscussions && <Counter of="discussion" n={threadCount} />}
          {flags.enableDiscussions && <Counter of="comment" n={commentCount} />}
          <Counter of="rating" n={ratings} />
        </dl>
        {/* In a grid, font metrics don't change the line breaks on a phone. */}
        <div className="mt-5 grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-2 md:flex md:flex-wrap">
          {flags.enableAlerts && <FollowButton company={company} />}
          <Button
            variant="ghost"
            icon={<Icon of={Share2} />}
            className="no-js:hidden"
            onClick={() => share(name, companyPath(company))}
          >
            Share
          </Button>
          <a
            href={`/companies?${PICK_PARAM}=${encodeURIComponent(referenceOf(company))}`}
            rel="nofollow"
            className={buttonClasses('ghost')}
          >
            <Icon of={Columns2} />
            Compare
          </a>
          <EditLink companyId={company.id} />
          <MergeInto company={company} />
        </div>
      </div>
    </header>
  )
}

/** The main numbers on phones, where the ratings panel is further down. */
function AtAGlance({ company }: { company: CompanyPageView }) {
  const { rating, ratings, policy, officeDays } = company
  return (
    <p className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-soft lg:hidden">
      <Score rating={rating} size="lg" />
      <a href={`${companyPath(company)}?tab=ratings#ratings`} className={linkClasses}>
        {ratings > 0 ? plural(ratings, 'rating') : 'No ratings yet'}
      </a>
      <span className="text-ink">{officeText(policy, officeDays)}</span>
      <PayRange company={company} />
    </p>
  )
}

function PayRange({ company }: { company: CompanyPageView }) {
  if (!company.pay) return null
  const { from, to, currency } = company.pay
  return (
    <a href={`${companyPath(company)}?tab=pay#pay`} className={linkClasses}>
      {`Half earn between ${amountText(from, currency)} and ${amountText(to, currency)}`}
    </a>
  )
}

/** Links to a page that asks signed-out people to log in. Administrators' changes apply directly. */
function EditLink({ companyId }: { companyId: string }) {
  const isEditor = useSession().me?.can.includes('editCompanies') ?? false
  return (
    <a
      href={`/edit-company/${companyId}`}
      rel="nofollow"
      className={cx(buttonClasses('ghost'), 'no-js:hidden')}
    >
      <Icon of={Pencil} />
      {isEditor ? 'Edit' : 'Suggest an edit'}
    </a>
  )
}

function MergeInto({ company }: { company: CompanyPageView }) {
  const isAllowed = useSession().me?.can.includes('mergeCompanies') ?? false
  return isAllowed ? <MergeButton company={company} /> : null
}

function Counter({ of, n }: { of: string; n: number }) {
  const [number, word] = plural(n, of).split(' ')
  return (
    <div className="flex flex-row-reverse items-baseline gap-1.5">
      <dt className="text-sm text-ink-faint">{word}</dt>
      <dd className="font-serif text-2xl tabular-nums">{number}</dd>
    </div>
  )
}

/** "--" for what no one rated. Spec §5. */
function RatingPanel({ company }: { company: CompanyPageView }) {
  const { policy, officeDays, pay } = company
  return (
    <section aria-labelledby="rating" className="rounded-xl border border-line bg-surface p-5">
      <div className="flex items-center justify-between gap-4">
        <h2 id="rating" className="text-sm font-semibold">
          Overall rating
        </h2>
        <Score rating={company.rating} size="lg" />
      </div>
      <ul className="mt-4 grid gap-3.5 border-t border-line pt-4">
        {RATING_CATEGORIES.map(({ key, name }) => (
          <li key={key}>
            <ScoreBar label={name} rating={company.categoryRatings[key]} />
          </li>
        ))}
      </ul>
      <p className="mt-5 grid">
        <HeaderRateLink
          company={{ id: company.id, name: company.name, path: companyPath(company) }}
        />
      </p>
      <p className="mt-3 text-center text-sm">
        <a href={`${companyPath(company)}?tab=ratings#${BEFORE_YOU_SIGN}`} className={linkClasses}>
          Before you sign: five questions to ask
        </a>
      </p>
      <dl className="mt-5 grid gap-3 border-t border-line pt-4 text-sm leading-6">
        <Fact name="Days in the office">{officeText(policy, officeDays) ?? 'Not added yet'}</Fact>
        {pay && (
          <Fact name={`Pay in ${pay.year}`}>
            <PayRange company={company} />
          </Fact>
        )}
      </dl>
    </section>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt className="text-ink-faint">{name}</dt>
    <dd>{children}</dd>
  </div>
)

const CompanySkeleton = () => (
  <Loading className="mx-auto w-full max-w-6xl px-5 py-8 md:py-12">
    <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="flex flex-col gap-5 md:flex-row">
        <Skeleton className="size-16 rounded-2xl md:size-20" />
        <div className="flex-1">
          <Skeleton className="h-12 w-2/3" />
          <Skeleton className="mt-4 h-5 w-1/3" />
          <Skeleton className="mt-5 h-16 w-full max-w-prose" />
        </div>
      </div>
      <SkeletonCard className="h-72" />
    </div>
  </Loading>
)

/** Companies in the same category, or made-up ones for a made-up company. Most discussed first. */
function SimilarCompanies({ title, companies, className }: SimilarCompaniesProps) {
  if (companies.length === 0) return null
  return (
    <section aria-labelledby="similar" className={className}>
      <h2 id="similar" className="text-sm font-semibold">
        {title}
      </h2>
      <ul className="mt-2 -mx-2">
        {companies.map((company) => (
          <li
            key={company.id}
            className="relative flex min-h-12 items-center gap-3 rounded-lg px-2 py-1.5 text-sm hover:bg-sunken"
          >
            <CompanyLogo name={company.name} logoUrl={company.logoUrl} className="size-8" />
            <a
              href={companyPath(company)}
              dir="auto"
              className="line-clamp-2 min-w-0 flex-1 font-medium after:absolute after:inset-0"
            >
              {company.name}
            </a>
            <CompanyScore company={company} />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface SimilarCompaniesProps {
  title: string
  companies: CompanyPageView['similar']
  className?: string
}
