/** The rating form and the link to it. The form has an address, so signing in can lead back to it. */
import { Star } from 'lucide'
import { type ButtonSize, type ButtonVariant, buttonClasses } from '#app/kit/ui/button.tsx'
import { wrappingClasses } from '#app/kit/ui/class-names.ts'
import { cx } from '#app/kit/ui/cx.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { lazyComponent } from '#app/kit/ui/lazy-component.tsx'
import { NeedsScripts } from '#app/kit/ui/message.tsx'
import { RatingFormSkeleton } from './rating-form-skeleton.tsx'
import { useMyRatings } from './use-rating-queries.ts'

export const RatingForm = lazyComponent(
  () => import('./rating-form.tsx').then((it) => it.RatingForm),
  <RatingFormSkeleton />,
)

export function HeaderRateLink({
  company,
}: {
  company: { id: string; name: string; path: string }
}) {
  const myRatings = useMyRatings(company)
  return (
    <RateLink
      company={company}
      label={myRatings?.rating ? 'Change your rating' : undefined}
      className={wrappingClasses}
    />
  )
}

export const wantsToRate = (search: string) => new URLSearchParams(search).get('rate') === 'yes'

export function RateLink({ company, label, about, variant, size, className }: RateLinkProps) {
  return (
    <>
      <a
        href={`${company.path}?tab=ratings&rate=yes`}
        rel="nofollow"
        {...RatingForm.preload}
        className={cx(buttonClasses(variant, size), 'no-js:hidden', className)}
      >
        {!label && <Icon of={Star} className="size-4" />}
        {about && <span className="sr-only">{about}: </span>}
        {label ?? `Rate ${company.name.length > 24 ? 'this company' : company.name}`}
      </a>
      <NeedsScripts>Rating needs JavaScript.</NeedsScripts>
    </>
  )
}

interface RateLinkProps {
  company: { name: string; path: string }
  label?: string
  /** Screen readers read this after the label, if several links say the same. */
  about?: string
  variant?: ButtonVariant
  size?: ButtonSize
  className?: string
}
