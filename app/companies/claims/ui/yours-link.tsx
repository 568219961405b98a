import { useSession } from '#app/kit/session/session.data.ts'
import { settingsPath } from '#app/kit/session/settings.tsx'
import { useSite } from '#app/kit/session/site.tsx'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { cx } from '#app/kit/ui/cx.ts'
import { representAddress } from '../claim.ts'

/** Looks the same on each company's page, so it doesn't reveal whether anyone acts for that company. */
export function YoursLink({ companyId, className }: { companyId: string; className?: string }) {
  const { flags } = useSite()
  // Employers don't need this link.
  if (useSession().me?.userType === 'employer') return null
  return (
    <p className={cx('text-sm leading-6 text-ink-faint', className)}>
      <a
        href={representAddress(settingsPath(flags), companyId)}
        rel="nofollow"
        className={linkClasses}
      >
        Is this your company?
      </a>
      {' Claim it to reply on the company’s behalf.'}
    </p>
  )
}
