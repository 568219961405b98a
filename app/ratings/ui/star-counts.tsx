/** How often each number of stars was given, for one of the four. */
import { grouped } from '#app/kit/ui/number.ts'

/** @param stars how often one, two, … five */
export function StarCounts({ name, stars }: StarCountsProps) {
  const all = stars.reduce((sum, n) => sum + n, 0)
  return (
    <>
      <h3 className="text-[0.9375rem] font-semibold">{name}</h3>
      {all === 0 ? (
        <p className="mt-2 text-sm text-ink-faint">Nobody has rated this yet.</p>
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

const percent = (share: number) => `${Math.round(share)} %`

interface StarCountsProps {
  name: string
  stars: number[]
}
