import { grouped } from '#app/kit/ui/format.ts'
import { scoreText } from '#app/kit/ui/score.tsx'
import type { RatingsView } from '../rating.contract.ts'
import { ERA_NAMES, ERAS, type Era, RATER_NAMES, RELATIONS, type Relation } from '../rating.ts'
import { cellLook, tableLook } from './counts-table.tsx'
export function Breakdowns({ view }: { view: RatingsView }) {
  const { byRelation, byEra } = view
  if (byRelation.length === 0 && byEra.length === 0) return null
  return (
    <div className="grid gap-x-12 gap-y-8 md:grid-cols-2">
      {byRelation.length > 0 && (
        <Parts
          title="By connection"
          parts={inOrder(RELATIONS, byRelation)}
          nameOf={(key) => RATER_NAMES[key as Relation]}
        />
      )}
      {byEra.length > 0 && (
        <Parts
          title="By when they left"
          parts={inOrder(ERAS, byEra)}
          nameOf={(key) => ERA_NAMES[key as Era]}
        />
      )}
    </div>
  )
}

const inOrder = (order: readonly string[], parts: RatingsView['byEra']) =>
  parts.toSorted((a, b) => order.indexOf(a.key) - order.indexOf(b.key))

function Parts({ title, parts, nameOf }: PartsProps) {
  return (
    <div className="border-t border-line pt-4">
      <h3 className="text-[0.9375rem] font-semibold">{title}</h3>
      <table className={`mt-1 ${tableLook}`}>
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
              <th scope="row" className={`${cellLook} font-normal`}>
                {nameOf(key)}
              </th>
              <td className={cellLook}>
                {grouped(ratings)}
                <span aria-hidden="true"> ratings</span>
              </td>
              <td className={`${cellLook} font-medium text-ink`}>{scoreText(score)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface PartsProps {
  title: string
  parts: RatingsView['byEra']
  nameOf: (key: string) => string
}
