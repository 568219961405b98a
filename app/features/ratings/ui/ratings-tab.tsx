/** How people rate one company, on the company's page: numbers, how they came about, and words. */
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useApi } from '../../../api/client.ts'
import { navigate, useAddress } from '../../../ui/address.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { EmptyState, ErrorState } from '../../../ui/message.tsx'
import { grouped, plural } from '../../../ui/number.ts'
import { openable } from '../../../ui/openable.tsx'
import { Score } from '../../../ui/score.tsx'
import { toast } from '../../../ui/toast.ts'
import { tellOfFailure } from '../../accounts/ui/tell-of-failure.ts'
import { RATING_CATEGORIES } from '../../companies/company.ts'
import type { MyRating, RatingContract, RatingsView } from '../rating.contract.ts'
import { type RatingDesk, ratingsQuery, removeRating } from '../rating.data.ts'
import { tenthsOf } from '../rating.ts'
import { monthName } from '../rating-trend.ts'
import { Breakdowns } from './breakdowns.tsx'
import { RateLink, wantsToRate } from './rate-link.tsx'
import { RatingNotes } from './rating-notes.tsx'
import { RatingFormSkeleton, RatingsSkeleton } from './rating-skeletons.tsx'
import { ScoreRecipe } from './score-recipe.tsx'
import { StarCounts } from './star-counts.tsx'
import { TrendLine } from './trend-line.tsx'
import { useRatingDesk } from './use-rating-desk.ts'

const RatingForm = lazy(() =>
  import('./rating-form.tsx').then((it) => ({ default: it.RatingForm })),
)
const OwnNote = lazy(() =>
  import('../../moderation/ui/own-note.tsx').then((it) => ({ default: it.OwnNote })),
)
const RemovalDialog = openable(() => import('./removal-dialog.tsx').then((it) => it.RemovalDialog))

export function RatingsTab({ company }: RatingsTabProps) {
  const api = useApi<RatingContract>()
  const { search } = useAddress()
  const ratings = useQuery(ratingsQuery(api, company.id))
  const { desk, mine, isKnown } = useRatingDesk(company.id)
  const close = () => navigate(`${company.path}?tab=ratings`, { replace: true })
  const isRating = wantsToRate(search)
  const own = mine.data?.rating
  const place = useRef<HTMLDivElement>(null)
  const wasRating = useRef(isRating)
  useEffect(() => {
    // The form had the focus, and is gone.
    if (wasRating.current && !isRating && document.activeElement === document.body)
      place.current?.focus({ preventScroll: true })
    wasRating.current = isRating
  }, [isRating])

  return (
    <div ref={place} tabIndex={-1} className="grid grid-cols-[minmax(0,1fr)] gap-10 outline-none">
      {isRating && (
        <div className="no-js:hidden">
          {/* Who is here is not known before the page has come to life. */}
          {isKnown ? (
            <Suspense fallback={<RatingFormSkeleton />}>
              <RatingForm company={company} onClose={close} />
            </Suspense>
          ) : (
            <RatingFormSkeleton />
          )}
        </div>
      )}
      {!isRating && own && <OwnRating company={company} rating={own} desk={desk} />}
      {ratings.isPending && <RatingsSkeleton />}
      {ratings.isError && !ratings.data && (
        <ErrorState
          title="Something went wrong"
          text={ratings.error.message}
          action={<Button onClick={() => ratings.refetch()}>Try Again</Button>}
        />
      )}
      {ratings.data && ratings.data.ratings === 0 && !isRating && (
        <EmptyState
          title={`Nobody has rated ${company.name} yet`}
          text="Four questions, a minute: return-to-office policy, diversity, work-life balance and culture. Nobody learns who you are."
          action={<RateLink company={company} />}
        />
      )}
      {ratings.data && ratings.data.ratings > 0 && (
        <>
          <Numbers company={company} view={ratings.data} />
          <RatingNotes company={company} desk={desk} mine={mine.data} />
        </>
      )}
    </div>
  )
}

function Numbers({ company, view }: { company: Company; view: RatingsView }) {
  const { ratings, score, isHeldBack, minShown, surgeSince, categories, month } = view
  return (
    <section aria-labelledby="ratings" className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <h2 id="ratings" className="font-serif text-2xl font-medium tracking-tight">
        How people rate it
      </h2>
      {surgeSince && (
        <p className="flex gap-3 rounded-lg border border-tea/30 bg-tea-soft px-4 py-3 text-sm leading-6 text-ink">
          <Icon of={TriangleAlert} className="mt-1 size-4 shrink-0 text-tea-strong" />
          {`Unusually many ratings since ${dayName(surgeSince)}. They count in full after 30 days.`}
        </p>
      )}
      {isHeldBack ? (
        <p className="rounded-lg bg-sunken px-4 py-3 text-[0.9375rem] leading-7 text-ink-soft">
          {`Numbers are shown from ${grouped(minShown)} ratings on. So far there ${ratings === 1 ? 'is' : 'are'} ${plural(ratings, 'rating')}.`}
        </p>
      ) : (
        <>
          <div className="grid grid-cols-[minmax(0,1fr)] items-stretch gap-x-10 gap-y-6 lg:grid-cols-[15rem_minmax(0,1fr)]">
            <div className="flex flex-wrap items-center gap-x-5 gap-y-1 lg:flex-col lg:items-start lg:justify-center">
              <Score rating={score} size="lg" className="text-5xl [&_svg]:size-9" />
              <p className="text-sm leading-6 text-ink-soft">
                {`Overall, from ${plural(ratings, 'rating')}`}
              </p>
            </div>
            <TrendLine buckets={view.buckets} month={month} />
          </div>
          <ul className="grid grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-8 md:grid-cols-2">
            {RATING_CATEGORIES.map(({ key, name }) => (
              <li key={key} className="min-w-0 border-t border-line pt-4">
                <StarCounts name={name} {...categories[key]} />
              </li>
            ))}
          </ul>
          <Breakdowns view={view} />
          <ScoreRecipe companyId={company.id} view={view} />
        </>
      )}
    </section>
  )
}

/** What this person gave, and the ways to change it. */
function OwnRating({ company, rating, desk }: OwnRatingProps) {
  const [isAsked, setAsked] = useState(false)
  const remove = async () => {
    try {
      await removeRating(desk)
      toast({ title: 'Rating removed' })
    } catch (error) {
      tellOfFailure('Your rating is still there')(error)
    }
  }
  return (
    <section
      aria-label="Your rating"
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-xl border border-line bg-surface px-5 py-4"
    >
      <p className="flex flex-wrap items-center gap-x-3 text-sm leading-6 text-ink-soft">
        <span>{`You rated ${company.name} in ${monthName(rating.month)}`}</span>
        <Score rating={tenthsOf(rating) / 10} className="text-ink" />
      </p>
      <p className="flex gap-2">
        <RateLink company={company} label="Change" variant="secondary" size="sm" />
        <Button variant="ghost" size="sm" {...RemovalDialog.warm} onClick={() => setAsked(true)}>
          Remove
        </Button>
      </p>
      {rating.noteState !== 'shown' && (
        <div className="w-full border-t border-line pt-3">
          <Suspense>
            <OwnNote id={rating.id} />
          </Suspense>
        </div>
      )}
      <RemovalDialog
        open={isAsked}
        onOpenChange={setAsked}
        company={company.name}
        onRemove={remove}
      />
    </section>
  )
}

const dayName = (day: string) =>
  new Date(day).toLocaleDateString('en', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })

interface Company {
  id: string
  name: string
  /** Where its page is. */
  path: string
}

interface RatingsTabProps {
  company: Company
}

interface OwnRatingProps {
  company: Company
  rating: MyRating
  desk: RatingDesk
}
