import { cx } from '#app/kit/ui/cx.ts'
import { linkLook } from '#app/kit/ui/looks.ts'

interface NumbersTableProps {
  /** The plot's title. */
  title: string
  head: readonly string[]
  /** Newest first. Each row starts with its days. */
  rows: readonly (readonly string[])[]
}

export function NumbersTable({ title, head, rows }: NumbersTableProps) {
  return (
    <details className="mt-2 text-sm">
      <summary className={cx('w-fit rounded-sm py-1', linkLook)}>
        Show as a table<span className="sr-only">: {title}</span>
      </summary>
      <section
        aria-label={`${title} as a table`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it
        tabIndex={0}
        className="mt-2 max-h-64 overflow-auto rounded-md border border-line bg-surface px-3"
      >
        <table className="w-full border-collapse tabular-nums">
          <thead>
            <tr>
              {head.map((name) => (
                <th key={name} scope="col" className={headLook}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([days, ...numbers]) => (
              <tr key={days} className="border-b border-line last:border-b-0">
                <th scope="row" className="py-1.5 text-left font-normal text-ink-soft">
                  {days}
                </th>
                {numbers.map((number, i) => (
                  <td key={head[i + 1]} className="py-1.5 pl-4 text-right text-ink">
                    {number}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}

const headLook =
  'sticky top-0 bg-surface py-1.5 pl-4 text-right font-medium text-ink-faint shadow-[inset_0_-1px_var(--color-line)] first:pl-0 first:text-left'
