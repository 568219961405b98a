/**
 * A table at most 600 px high (Spec §2.13) that renders only the rows in view. All rows have the
 * same height, so the scroll bar is right.
 */
import { ArrowDown, ArrowUp } from 'lucide'
import { useRef, useState } from 'react'
import { Button } from '#app/kit/ui/button.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import {
  COLUMN_NAMES,
  COLUMNS,
  type Column,
  inOrder,
  type Order,
  pressed,
  ROW_HEIGHT,
  rowsInView,
} from '../click-table.ts'
import type { Interaction } from '../tracking.contract.ts'
import { ME, momentText } from '../tracking.ts'

interface InteractionTableProps {
  /** Newest first. */
  interactions: Interaction[]
  order: Order
  onOrder: (order: Order) => void
}

export function InteractionTable({ interactions, order, onOrder }: InteractionTableProps) {
  const box = useRef<HTMLElement>(null)
  const [scrollTop, setScrollTop] = useState(0)
  const rows = inOrder(interactions, order)
  const { first, end } = rowsInView(scrollTop, rows.length)
  return (
    <section
      ref={box}
      aria-label="Clicks"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it
      tabIndex={0}
      onScroll={({ currentTarget }) =>
        // Rounds to whole rows, because smaller steps change nothing.
        setScrollTop(currentTarget.scrollTop - (currentTarget.scrollTop % ROW_HEIGHT))
      }
      className="max-h-[600px] overflow-y-auto overscroll-contain rounded-xl border border-line bg-surface [overflow-anchor:none]"
    >
      <table
        aria-rowcount={rows.length + 1}
        className="w-full table-fixed border-separate border-spacing-0 text-sm tabular-nums"
      >
        <caption className="sr-only">Who chose which company from a list, and when</caption>
        <thead>
          <tr aria-rowindex={1}>
            {COLUMNS.map((column) => (
              <Head
                key={column}
                column={column}
                order={order}
                onPress={() => {
                  onOrder(pressed(order, column))
                  box.current?.scrollTo({ top: 0 })
                }}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap rows={first} />
          {rows.slice(first, end).map((interaction, i) => (
            <Row key={interaction.id} interaction={interaction} index={first + i + 2} />
          ))}
          <Gap rows={rows.length - end} />
        </tbody>
      </table>
    </section>
  )
}

const WIDTHS: Record<Column, string> = {
  at: 'w-[38%] sm:w-56',
  company: '',
  user: 'w-[28%] sm:w-44',
}

function Head({ column, order, onPress }: HeadProps) {
  const isSorted = order.column === column
  const direction = order.isDescending ? 'descending' : 'ascending'
  return (
    <th
      scope="col"
      aria-sort={isSorted ? direction : undefined}
      className={cx(
        'sticky top-0 z-10 bg-sunken p-0 text-left shadow-[inset_0_-1px_var(--color-line)]',
        WIDTHS[column],
      )}
    >
      <Button
        variant="ghost"
        size="sm"
        onClick={onPress}
        className="h-auto min-h-11 w-full justify-start gap-1 rounded-none text-left text-[0.8125rem] whitespace-normal -outline-offset-2 max-sm:px-2 sm:px-4 md:h-auto"
      >
        {COLUMN_NAMES[column]}
        <Icon
          of={order.isDescending ? ArrowDown : ArrowUp}
          className={cx('size-3.5', !isSorted && 'invisible max-sm:hidden')}
        />
      </Button>
    </th>
  )
}

interface HeadProps {
  column: Column
  order: Order
  onPress: () => void
}

/** Takes the space of rows that aren't rendered. */
function Gap({ rows }: { rows: number }) {
  if (rows === 0) return null
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row of a table gets no focus
    <tr aria-hidden="true">
      <td colSpan={COLUMNS.length} className="p-0" style={{ height: rows * ROW_HEIGHT }} />
    </tr>
  )
}

/** @param index from 1, the header's */
function Row({ interaction, index }: { interaction: Interaction; index: number }) {
  const { at, companyName, userId, isMe } = interaction
  const [date, time] = momentText(at)
  return (
    <tr aria-rowindex={index} className="h-12">
      <td className={cellClasses}>
        <time dateTime={time && at} className="flex flex-wrap gap-x-1.5 leading-5 text-ink-soft">
          <span className="whitespace-nowrap">{date}</span>
          {time && <span className="whitespace-nowrap">{time}</span>}
        </time>
      </td>
      <td className={cellClasses}>
        <span className="line-clamp-2 leading-5 break-words text-ink" title={companyName}>
          {companyName}
        </span>
      </td>
      <td className={cellClasses}>
        {isMe ? (
          <span className="rounded-full bg-tea-soft px-2 py-0.5 font-medium text-tea-strong">
            {ME}
          </span>
        ) : (
          <span className="font-mono text-xs whitespace-nowrap text-ink-faint sm:text-[0.8125rem]">
            {userId}
          </span>
        )}
      </td>
    </tr>
  )
}

const cellClasses = 'h-12 overflow-hidden border-b border-line px-2 py-0 sm:px-4'
