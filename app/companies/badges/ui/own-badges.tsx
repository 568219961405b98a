import { lastDayOf } from '#app/api/credential/quarter.ts'
import { useSessionKey } from '#app/kit/session/session.data.ts'
import { SettingsSection } from '#app/kit/session/settings.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { dateText } from '#app/kit/ui/format.ts'
import { BADGE_PATH, badgePath, WHAT_IT_SHOWS } from '../badge.ts'
import { forgetBadge, isOfThisQuarter, useBadges } from '../stored-badges.data.ts'
import { worksAt } from './badge-mark.tsx'

export function OwnBadges() {
  const sessionKey = useSessionKey()
  const badges = useBadges(sessionKey)
  return (
    <SettingsSection id="your-badges" title="Your badges" text={WHAT_IT_SHOWS}>
      <div className="grid gap-3 text-sm leading-6 text-ink-soft">
        {badges.length > 0 && (
          <>
            <ul className="grid gap-2">
              {badges.map((badge) => (
                <li
                  key={badge.domain}
                  className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1"
                >
                  <span className="min-w-0">
                    <span className="font-medium text-ink">{worksAt(badge.company.name)}</span>
                    <span className="block">
                      {`Valid until ${dateText(lastDayOf(badge.quarter))}`}
                      {!isOfThisQuarter(badge) && (
                        <>
                          {'. '}
                          <a href={badgePath(badge.company.id)} className={linkClasses}>
                            Get the next one
                          </a>
                        </>
                      )}
                    </span>
                  </span>
                  <Button
                    variant="ghost"
                    size="sm"
                    aria-label={`Forget the badge “${worksAt(badge.company.name)}”`}
                    onClick={() => forgetBadge(sessionKey, badge.domain)}
                  >
                    Forget
                  </Button>
                </li>
              ))}
            </ul>
            <p>
              Your badge stays in this browser. You can get one on another device next quarter by
              confirming the address again.
            </p>
          </>
        )}
        <p>
          <a href={BADGE_PATH} className={linkClasses}>
            Get a badge
          </a>
        </p>
      </div>
    </SettingsSection>
  )
}
