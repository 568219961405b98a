/**
 * What an import changes at existing companies, by field. Before the import, people can choose. Afterwards,
 * it's just a list.
 */
import { grouped } from '#app/kit/ui/format.ts'
import { EDIT_FIELD_NAMES } from '../../edits/company-edit.ts'
import { type CellOutcomeCounts, type FillField, fieldCounts } from '../filling.ts'

interface FieldsHereProps {
  counts: CellOutcomeCounts
  /** The ticked fields, before the import. */
  replace?: FillField[]
  onReplace?: (replace: FillField[]) => void
}

export function FieldsHere({ counts, replace = [], onReplace }: FieldsHereProps) {
  const fields = fieldCounts(counts)
  if (fields.length === 0) return null
  const titles = onReplace
    ? ['Field', 'Fills in', 'Differs', 'Replace']
    : ['Field', 'Filled in', 'Replaced', 'Differs']
  return (
    <table className="w-full border-b border-line text-left text-sm">
      <caption className="pb-2 text-left text-ink-soft">
        <span className="font-semibold text-ink">Companies already here</span>
        {onReplace && '. We fill in what’s empty. What differs stays, unless you replace it.'}
      </caption>
      <thead className="text-xs text-ink-soft">
        <tr>
          {titles.map((title) => (
            <th key={title} scope="col" className="py-2 font-medium not-first:text-right">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line border-t border-line tabular-nums">
        {fields.map(({ field, given, filled, replaced, kept }) => (
          <tr key={field}>
            <th scope="row" className="py-2 font-normal text-ink">
              {EDIT_FIELD_NAMES[field]}
            </th>
            <td className="text-right">{`${grouped(filled)} of ${grouped(given)}`}</td>
            <td className="text-right">{grouped(onReplace ? kept : replaced)}</td>
            <td className="text-right">
              {onReplace ? (
                <label className="inline-flex min-h-10 items-center pl-4 md:min-h-8">
                  <input
                    type="checkbox"
                    aria-label={`Replace ${EDIT_FIELD_NAMES[field]}`}
                    className="size-[1.125rem] accent-tea disabled:opacity-60"
                    disabled={kept === 0}
                    checked={replace.includes(field)}
                    onChange={({ target }) =>
                      onReplace([
                        ...replace.filter((other) => other !== field),
                        ...(target.checked ? [field] : []),
                      ])
                    }
                  />
                </label>
              ) : (
                grouped(kept)
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
