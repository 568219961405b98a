/** How a company's scores came about. The scores themselves are at the top of its page. */
import { TriangleAlert } from 'lucide'
import { VerifiedMark } from '#app/companies/badges/ui/badge-mark.tsx'
import { BREAKDOWN_MIN, RATING_CATEGORIES } from '#app/companies/company.ts'
import { SURGE_DAYS } from '#app/companies/own-rating/rating-buckets.ts'
import { grouped, plural } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { Score, scoreText } from '#app/kit/ui/score.tsx'
import { useAnchor } from '#app/kit/ui/use-anchor.ts'
import type { RatingsView } from '../rating.contract.ts'
import { ERA_NAMES, ERAS, type Era, RATER_NAMES, RELATIONS, type Relation } from '../rating.ts'
import { cellClasses, ScoreRecipe, tableClasses } from './score-recipe.tsx'
import { TrendLine } from './trend-line.tsx'

export function Numbers({ companyId, view }: { companyId: string; view: RatingsView }) {
  const { ratings, isHeldBack, minShown, surgeSince, categories, month, verified } = view
  const heading = useAnchor<HTMLHeadingElement>('ratings')
  return (
    <section aria-labelledby="ratings" className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <h2 ref={heading} id="ratings" className="font-serif text-2xl font-medium tracking-tight">
        How people rate it
      </h2>
      {surgeSince && (
        <p className="flex gap-3 rounded-lg border border-tea/30 bg-tea-soft px-4 py-3 text-sm leading-6 text-ink">
          <Icon of={TriangleAlert} className="mt-1 size-4 shrink-0 text-tea-strong" />
          {`An unusual number of ratings have come in since ${dayName(surgeSince)}. They count in full after ${SURGE_DAYS} days.`}
        </p>
      )}
      {isHeldBack ? (
        <p className="rounded-lg bg-sunken px-4 py-3 text-[0.9375rem] leading-7 text-ink-soft">
          {`Numbers appear once there are ${grouped(minShown)} ratings. So far there ${ratings === 1 ? 'is' : 'are'} ${plural(ratings, 'rating')}.`}
        </p>
      ) : (
        <>
          <TrendLine buckets={view.buckets} month={month} />
          <ul className="grid grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-8 md:grid-cols-2">
            {RATING_CATEGORIES.map(({ key, name }) => (
              <li key={key} id={`stars-${key}`} className="min-w-0 border-t border-line pt-4">
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

/** @param stars how many gave one, two, … five */
function StarCounts({ name, stars }: StarCountsProps) {
  const all = stars.reduce((sum, n) => sum + n, 0)
  return (
    <>
      <h3 className="text-[0.9375rem] font-semibold">{name}</h3>
      {all === 0 ? (
        <p className="mt-2 text-sm text-ink-faint">No one has rated this yet.</p>
      ) : (
        <ul className="mt-2.5 grid gap-1.5">
          {[5, 4, 3, 2, 1].map((number) => {
            const n = stars[number - 1] ?? 0
            const share = (n / all) * 100
            return (
              <li key={number} className="flex items-center gap-3 text-sm text-ink-soft">
                <span className="sr-only">
                  {`${number} ${number === 1 ? 'star' : 'stars'}: ${percent(share)}, ${grouped(n)} of ${grouped(all)}`}
                </span>
                <span aria-hidden="true" className="w-2 tabular-nums">
                  {number}
                </span>
                <svg
                  aria-hidden="true"
                  className="block h-2 w-0 min-w-0 flex-1 overflow-hidden rounded-full"
                >
                  <rect width="100%" height="100%" className="fill-line" />
                  <rect width={`${share}%`} height="100%" rx="4" className="fill-star" />
                </svg>
                <span
                  aria-hidden="true"
                  data-tooltip={grouped(n)}
                  className="w-10 text-right tabular-nums"
                >
                  {percent(share)}
                </span>
              </li>
            )
          })}
        </ul>
      )}
    </>
  )
}

const percent = (share: number) => `${Math.round(share)}%`

interface StarCountsProps {
  name: string
  stars: number[]
}

function Breakdowns({ view }: { view: RatingsView }) {
  const { byRelation, byEra, ratings } = view
  if (byRelation.length === 0 && byEra.length === 0) return null
  return (
    <div className="grid gap-x-12 gap-y-8 md:grid-cols-2">
      {byRelation.length > 0 && (
        <Parts
          id="by-connection"
          title="By connection"
          parts={inOrder(RELATIONS, byRelation)}
          ratings={ratings}
          nameOf={(key) => RATER_NAMES[key as Relation]}
        />
      )}
      {byEra.length > 0 && (
        <Parts
          id="by-era"
          title="By when they left"
          parts={inOrder(ERAS, byEra)}
          ratings={ratings}
          nameOf={(key) => ERA_NAMES[key as Era]}
        />
      )}
    </div>
  )
}

const inOrder = (order: readonly string[], parts: RatingsView['byEra']) =>
  parts.toSorted((a, b) => order.indexOf(a.key) - order.indexOf(b.key))

/** @param ratings all of them, with those that aren't in the parts */
function Parts({ id, title, parts, ratings, nameOf }: PartsProps) {
  const shown = parts.reduce((sum, part) => sum + part.ratings, 0)
  return (
    <div id={id} className="border-t border-line pt-4">
      <h3 className="text-[0.9375rem] font-semibold">{title}</h3>
      <table className={`mt-1 ${tableClasses}`}>
        <thead className="sr-only">
          <tr>
            <th scope="col">Who</th>
            <th scope="col">Ratings</th>
            <th scope="col">Average</th>
          </tr>
        </thead>
        <tbody>
          {parts.map(({ key, ratings, score }) => (
            <tr key={key}>
              <th scope="row" className={`${cellClasses} font-normal`}>
                {nameOf(key)}
              </th>
              <td className={cellClasses}>
                {grouped(ratings)}
                <span aria-hidden="true"> ratings</span>
              </td>
              <td className={`${cellClasses} font-medium text-ink`}>{scoreText(score)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown < ratings && (
        <p className="mt-2 text-sm leading-6 text-ink-faint">
          {`The others didn’t say, or showing them would single out fewer than ${BREAKDOWN_MIN} people.`}
        </p>
      )}
    </div>
  )
}

interface PartsProps {
  id: string
  title: string
  parts: RatingsView['byEra']
  ratings: number
  nameOf: (key: string) => string
}
