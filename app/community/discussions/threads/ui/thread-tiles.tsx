/** A few threads on a page about something else. Keep this light, because the home page shows it. */
import { MessageCircle } from 'lucide'
import { abbreviate, plural } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import type { ThreadRow } from '../../discussion.contract.ts'

export const ThreadTiles = ({ threads }: { threads: readonly ThreadRow[] }) => (
  <ul className="grid gap-3 sm:grid-cols-2 md:gap-4 lg:grid-cols-3">
    {threads.map(({ id, path, title, company, comments }) => (
      <li
        key={id}
        className="group relative flex min-w-0 flex-col gap-3 rounded-xl border border-line bg-surface p-4 transition-[border-color,box-shadow] duration-150 hover:border-line-strong/60 hover:shadow-card"
      >
        <h3 dir="auto" className="text-[0.9375rem] leading-snug font-semibold text-pretty text-ink">
          <a
            href={path}
            className="line-clamp-3 outline-none after:absolute after:inset-0 after:rounded-xl group-hover:text-tea-strong focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-offset-2 focus-visible:after:outline-tea"
          >
            {title}
          </a>
        </h3>
        <p className="mt-auto flex items-center justify-between gap-4 text-[0.8125rem] text-ink-faint">
          <span dir="auto" className="truncate">
            {company?.name}
          </span>
          <span className="inline-flex items-center gap-1.5 tabular-nums">
            <Icon of={MessageCircle} className="size-4" />
            <span aria-hidden="true">{abbreviate(comments)}</span>
            <span className="sr-only">{plural(comments, 'comment')}</span>
          </span>
        </p>
      </li>
    ))}
  </ul>
)
