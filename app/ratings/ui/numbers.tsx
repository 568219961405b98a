/** How the numbers of one company came about; the means themselves stand at the head of its page. */
import { TriangleAlert } from 'lucide'
import { VerifiedMark } from '#app/companies/badges/ui/badge-mark.tsx'
import { RATING_CATEGORIES } from '#app/companies/company.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { grouped, plural } from '#app/kit/ui/number.ts'
import { Score } from '#app/kit/ui/score.tsx'
import type { RatingsView } from '../rating.contract.ts'
import { Breakdowns } from './breakdowns.tsx'
import { ScoreRecipe } from './score-recipe.tsx'
import { StarCounts } from './star-counts.tsx'
import { TrendLine } from './trend-line.tsx'

export function Numbers({ companyId, view }: { companyId: string; view: RatingsView }) {
  const { ratings, isHeldBack, minShown, surgeSince, categories, month, verified } = view
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
          <TrendLine buckets={view.buckets} month={month} />
          <ul className="grid grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-8 md:grid-cols-2">
            {RATING_CATEGORIES.map(({ key, name }) => (
              <li key={key} className="min-w-0 border-t border-line pt-4">
                <StarCounts name={name} stars={categories[key].stars} />
              </li>
            ))}
          </ul>
          {verified && (
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line pt-4 text-[0.9375rem] text-ink-soft">
              <VerifiedMark />
              {`${grouped(verified.ratings)} verified employees: `}
              <Score rating={verified.score} className="text-ink" />
            </p>
          )}
          <Breakdowns view={view} />
          <ScoreRecipe companyId={companyId} view={view} />
        </>
      )}
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
