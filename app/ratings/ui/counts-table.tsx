/** A table of counts, which scrolls if it is too wide. */
import { cx } from '#app/kit/ui/cx.ts'

export const tableLook = 'w-full border-collapse text-sm tabular-nums'
export const cellLook =
  'border-b border-line py-1.5 pl-4 text-right text-ink-soft first:pl-0 first:text-left [th]:font-medium'

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
