/** A table of counts: words to the left, numbers to the right. It scrolls where it does not fit. */
import { cx } from '#app/kit/ui/cx.ts'
import { cellLook, tableLook } from './table-look.ts'

interface CountsTableProps {
  label: string
  caption?: string
  head: readonly string[]
  rows: readonly { key: string; cells: readonly string[] }[]
  className?: string
}

export function CountsTable({ label, caption, head, rows, className }: CountsTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it may scroll, so keys must reach it
    <section aria-label={label} tabIndex={0} className={cx('overflow-x-auto', className)}>
      <table className={tableLook}>
        {caption && (
          <caption className="pb-2 text-left text-sm leading-6 text-ink-faint">{caption}</caption>
        )}
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col" className={cellLook}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells: [name, ...counts] }) => (
            <tr key={key}>
              <th scope="row" className={`${cellLook} font-normal`}>
                {name}
              </th>
              {counts.map((count, i) => (
                <td key={head[i + 1]} className={cellLook}>
                  {count}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
