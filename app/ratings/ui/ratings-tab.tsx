import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { useOwnRating } from '#app/companies/own-rating/own-rating.data.ts'
import {
  changeRated,
  isSecretRestored,
  isSecretShared,
  useRated,
} from '#app/identity/credentials/rated.data.ts'
import type { PublicNumbers } from '#app/identity/credentials/rated.ts'
import { errorSentence } from '#app/kit/forms/refusal.ts'
import { navigate, useAddress } from '#app/kit/ui/address.ts'
import { lazyComponent } from '#app/kit/ui/lazy-component.tsx'
import { EmptyState, LoadError } from '#app/kit/ui/message.tsx'
import { Loading, Skeleton, SkeletonCard } from '#app/kit/ui/skeleton.tsx'
import { useAnchor } from '#app/kit/ui/use-anchor.ts'
import type { RatingContract, RatingsView } from '../rating.contract.ts'
import {
  type MyRatings,
  publicOf,
  type RatedCompany,
  type RatingQueries,
  ratingsQuery,
} from '../rating.data.ts'
import { Numbers } from './numbers.tsx'
import { RateLink, RatingForm, wantsToRate } from './rate-link.tsx'
import { RatingFormSkeleton } from './rating-form-skeleton.tsx'
import { RatingNotes } from './rating-notes.tsx'
import { useRatingQueries } from './use-rating-queries.ts'

/** Lazy, because most readers haven't rated. */
const OwnRating = lazyComponent(() => import('./own-rating.tsx').then((it) => it.OwnRating))
const TakenBack = lazyComponent(() => import('./own-rating.tsx').then((it) => it.TakenBack))
const RatingSearch = lazyComponent(() => import('./own-rating.tsx').then((it) => it.RatingSearch))

/** @param children shown after the numbers, unless someone is rating */
export function RatingsTab({ company, children }: { company: RatedCompany; children?: ReactNode }) {
  const api = useApi<RatingContract>()
  const { search } = useAddress()
  const ratings = useQuery(ratingsQuery(api, company.id))
  const shown = useMemo(() => ratings.data && publicOf(ratings.data), [ratings.data])
  const own = useOwnRating({ id: company.id, rating: ratings.data?.score ?? null }, shown)
  const view: RatingsView | undefined = ratings.data && { ...ratings.data, ...own?.view }
  const { queries, myRatings, isKnown } = useRatingQueries(company)
  const close = () => navigate(`${company.path}?tab=ratings`, { replace: true })
  const isRating = wantsToRate(search)
  const container = useRef<HTMLDivElement>(null)
  const wasRating = useRef(isRating)
  const [hasSeenForm, setHasSeenForm] = useState(isRating)
  useEffect(() => {
    if (isRating) setHasSeenForm(true)
    const it = container.current
    if (wasRating.current && !isRating && it) {
      // The focus was in the form.
      if (document.activeElement === document.body) it.focus({ preventScroll: true })
      // The form was longer than what replaces it.
      if (it.getBoundingClientRect().top < 0) it.scrollIntoView({ block: 'start' })
    }
    wasRating.current = isRating
  }, [isRating])

  useKeptUp(queries, isKnown ? myRatings : undefined, { shown, isRating })

  return (
    <div
      ref={container}
      tabIndex={-1}
      className="grid scroll-mt-24 grid-cols-[minmax(0,1fr)] gap-10 outline-none"
    >
      {isRating && (
        <div className="no-js:hidden">
          {/* We don't know the session before hydration. */}
          {isKnown ? <RatingForm company={company} onClose={close} /> : <RatingFormSkeleton />}
        </div>
      )}
      {!isRating && myRatings?.rating && (
        <OwnRating
          company={company}
          myRatings={myRatings}
          rating={myRatings.rating}
          queries={queries}
          isJustSaved={hasSeenForm}
        />
      )}
      {!isRating && myRatings?.isLeaving && (
        <TakenBack company={company} isSent={!myRatings.isGoing} />
      )}
      {!isRating && myRatings?.isUnknown && (
        <div id={view?.ratings === 0 ? 'ratings' : undefined}>
          <RatingSearch company={company} />
        </div>
      )}
      {ratings.isPending && <RatingsSkeleton />}
      {ratings.isError && !ratings.data && (
        <LoadError text={errorSentence(ratings.error)} onRetry={ratings.refetch} />
      )}
      {view && view.ratings === 0 && !isRating && !myRatings?.isUnknown && (
        <Unrated company={company} />
      )}
      {view && view.ratings > 0 && <Numbers companyId={company.id} view={view} />}
      {!isRating && children}
      {view && view.ratings > 0 && (
        <RatingNotes company={company} queries={queries} myRatings={myRatings} />
      )}
    </div>
  )
}

function Unrated({ company }: { company: RatedCompany }) {
  const here = useAnchor<HTMLDivElement>('ratings')
  return (
    <div ref={here} id="ratings">
      <EmptyState
        title={`No one has rated ${company.name} yet`}
        text="Four questions, one minute. Return-to-office policy, diversity, work-life balance and culture. No one learns who you are."
        action={<RateLink company={company} />}
      />
    </div>
  )
}

/**
 * Stores the public numbers while your rating waits, and looks for a rating from another device with the
 * same secret.
 */
function useKeptUp(
  { company, sessionKey }: RatingQueries,
  myRatings: MyRatings | undefined,
  { shown, isRating }: { shown: PublicNumbers | undefined; isRating: boolean },
) {
  const { onServer, base, outgoing } = useRated(sessionKey)[company.id] ?? {}
  const wantsBase = base === undefined && onServer?.isUnpublished === true && !outgoing && shown
  useEffect(() => {
    if (wantsBase) changeRated(sessionKey, company.id, (now) => now && { ...now, base: wantsBase })
  }, [wantsBase, sessionKey, company.id])
  const isElsewhere = isRating ? isSecretRestored : isSecretShared
  const mayExistElsewhere =
    myRatings?.rating === null && !myRatings.isLeaving && isElsewhere(sessionKey)
  const formerIds = myRatings?.formerIds.join()
  useEffect(() => {
    if (mayExistElsewhere && formerIds !== undefined)
      import('../presented/presented-rating.data.ts').then(
        ({ seekRating }) =>
          seekRating({ company, sessionKey }, formerIds.split(',').filter(Boolean), isRating),
        () => {},
      )
    // Runs once each time the tab or the form is opened.
  }, [mayExistElsewhere, company, sessionKey, formerIds, isRating])
}

const RatingsSkeleton = () => (
  <Loading>
    <div className="grid gap-8 lg:grid-cols-[18rem_minmax(0,1fr)]">
      <SkeletonCard className="h-44" />
      <SkeletonCard className="h-44" />
    </div>
    <div className="mt-10 grid gap-8 md:grid-cols-2">
      {['rto', 'dei', 'workLife', 'culture'].map((key) => (
        <Skeleton key={key} className="h-40 w-full" />
      ))}
    </div>
  </Loading>
)
