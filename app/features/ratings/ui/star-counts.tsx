/** How often each number of stars was given, for one of the four. */
import { grouped } from '../../../ui/number.ts'
import { Score } from '../../../ui/score.tsx'

/** @param stars how often one, two, … five */
export function StarCounts({ name, score, stars }: StarCountsProps) {
  const all = stars.reduce((sum, n) => sum + n, 0)
  const most = Math.max(1, ...stars)
  return (
    <>
      <h3 className="flex items-baseline justify-between gap-4 text-[0.9375rem] font-semibold">
        {name}
        <Score rating={score} className="text-base" />
      </h3>
      {all === 0 ? (
        <p className="mt-2 text-sm text-ink-faint">Nobody has rated this yet.</p>
      ) : (
        <ul className="mt-2.5 grid gap-1.5">
          {[5, 4, 3, 2, 1].map((number) => {
            const n = stars[number - 1] ?? 0
            return (
              <li key={number} className="flex items-center gap-3 text-sm text-ink-soft">
                <span className="sr-only">
                  {`${number} ${number === 1 ? 'star' : 'stars'}: ${grouped(n)} of ${grouped(all)}`}
                </span>
                <span aria-hidden="true" className="w-2 tabular-nums">
                  {number}
                </span>
                <svg
                  aria-hidden="true"
                  className="block h-2 w-0 min-w-0 flex-1 overflow-hidden rounded-full"
                >
                  <rect width="100%" height="100%" className="fill-line" />
                  <rect width={`${(n / most) * 100}%`} height="100%" rx="4" className="fill-star" />
                </svg>
                <span aria-hidden="true" className="w-9 text-right tabular-nums">
                  {grouped(n)}
                </span>
              </li>
            )
          })}
        </ul>
      )}
    </>
  )
}

interface StarCountsProps {
  name: string
  score: number | null
  stars: number[]
}
