/** Spec §2.6. */
import { MessageCircle, MessagesSquare, TrendingUp } from 'lucide'
import type { ReactNode } from 'react'
import { useSite } from '#app/kit/session/site.tsx'
import { Badge } from '#app/kit/ui/badge.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { abbreviate, plural } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import type { CompanyView } from '../company.contract.ts'
import { companyPath } from '../company.ts'
import { CompanyLogo } from '../logos/ui/company-logo.tsx'
import { type CompanyMatch, isInName } from '../search/company-match.ts'
import { trackClick } from '../tracking/tracking.data.ts'
import { CompanyScore, RatingInvitation } from './company-score.tsx'
import { FoundElsewhere, FoundText } from './found-text.tsx'

const isBlank = ({ rating, threadCount, commentCount }: CompanyView) =>
  rating === null && threadCount + commentCount === 0

interface CompanyCardProps {
  /** `match` says why a search found it. */
  company: CompanyView & { match?: CompanyMatch | null }
  /** `list` adds the Trending badge and, on wide screens, the description. */
  variant?: 'card' | 'list'
  /** The name's heading level, which depends on the headings above. */
  heading?: 'h2' | 'h3'
  /** Shown next to the counts. */
  extra?: ReactNode
  /** Shown below the counts. */
  children?: ReactNode
  className?: string
}

export function CompanyCard({
  company,
  variant = 'card',
  heading: Name = 'h3',
  extra,
  children,
  className,
}: CompanyCardProps) {
  const { flags } = useSite()
  const { name, category, threadCount, commentCount, match } = company
  const marksIn = (...places: CompanyMatch['in'][]) =>
    match && places.includes(match.in) ? match.marks : []
  return (
    <article
      className={cx(
        'group relative flex min-w-0 flex-col gap-3 rounded-xl border border-line bg-surface p-4',
        'transition-[border-color,box-shadow] duration-150 hover:border-line-strong/60 hover:shadow-card',
        className,
      )}
    >
      <div className="flex min-w-0 items-start gap-3">
        <CompanyLogo name={name} logoUrl={company.logoUrl} />
        <div className="min-w-0 flex-1">
          <Name className="text-[0.9375rem] leading-snug font-semibold text-ink">
            {/* The whole card is clickable, but the link's text is just its name. */}
            <a
              href={companyPath(company)}
              onClick={() => trackClick(company.id)}
              data-tooltip={name}
              dir="auto"
              className="line-clamp-2 outline-none after:absolute after:inset-0 after:rounded-xl focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-offset-2 focus-visible:after:outline-tea"
            >
              <FoundText text={name} marks={marksIn('name', 'slip')} />
            </a>
          </Name>
          <p className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-[0.8125rem] text-ink-faint">
            <span className="max-w-full truncate">
              <FoundText text={category} marks={marksIn('category')} />
            </span>
            {variant === 'list' && company.trending && (
              <Badge tone="tea" icon={<Icon of={TrendingUp} />}>
                Trending
              </Badge>
            )}
            {company.demo && <Badge>Demo</Badge>}
            {isBlank(company) && <RatingInvitation company={company} />}
          </p>
        </div>
      </div>
      {variant === 'list' && company.description && (
        <p dir="auto" className="line-clamp-2 text-sm leading-relaxed text-ink-soft max-md:hidden">
          <FoundText text={company.description} marks={marksIn('description')} />
        </p>
      )}
      {match && !isInName(match) && match.in !== 'category' && (
        // Phones don't show the description.
        <p
          className={cx(
            'text-[0.8125rem] leading-relaxed text-ink-soft',
            match.in === 'description' && 'md:hidden',
          )}
        >
          <FoundElsewhere match={match} category={category} />
        </p>
      )}
      <div className="mt-auto flex items-center gap-4 border-t border-line pt-3 text-[0.8125rem] text-ink-soft">
        {flags.enableDiscussions && (
          <>
            <Count n={threadCount} what={plural(threadCount, 'discussion')}>
              <Icon of={MessagesSquare} className="size-4 text-ink-faint" />
            </Count>
            <Count n={commentCount} what={plural(commentCount, 'comment')}>
              <Icon of={MessageCircle} className="size-4 text-ink-faint" />
            </Count>
          </>
        )}
        {extra}
        <CompanyScore company={company} className="ml-auto" />
      </div>
      {children}
    </article>
  )
}

function Count({ n, what, children }: { n: number; what: string; children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5 tabular-nums">
      {children}
      <span aria-hidden="true">{abbreviate(n)}</span>
      <span className="sr-only">{what}</span>
    </span>
  )
}
