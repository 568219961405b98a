import { lastDayOf } from '#app/api/credential/quarter.ts'
import { useSessionKey } from '#app/kit/session/session.data.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { dateText } from '#app/kit/ui/format.ts'
import { linkLook } from '#app/kit/ui/looks.ts'
import { BADGE_PATH } from '../badge.ts'
import { OWN_BADGES, worksAt } from '../badge-texts.ts'
import { forgetBadge, isOfThisQuarter, useBadges } from '../kept-badges.data.ts'

export function OwnBadges() {
  const who = useSessionKey()
  const badges = useBadges(who)
  return (
    <div className="grid gap-3 border-t border-line pt-4 text-sm leading-6 text-ink-soft">
      {badges.length === 0 ? (
        <p>{OWN_BADGES.none}</p>
      ) : (
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
                    {OWN_BADGES.until(dateText(lastDayOf(badge.quarter)))}
                    {!isOfThisQuarter(badge) && (
                      <>
                        {'. '}
                        <a href={`${BADGE_PATH}?company=${badge.company.id}`} className={linkLook}>
                          {OWN_BADGES.renew}
                        </a>
                      </>
                    )}
                  </span>
                </span>
                <Button
                  variant="ghost"
                  size="sm"
                  aria-label={`${OWN_BADGES.forget} the badge “${worksAt(badge.company.name)}”`}
                  onClick={() => forgetBadge(who, badge.domain)}
                >
                  {OWN_BADGES.forget}
                </Button>
              </li>
            ))}
          </ul>
          <p>{OWN_BADGES.devices}</p>
        </>
      )}
      <p>
        <a href={BADGE_PATH} className={linkLook}>
          {OWN_BADGES.get}
        </a>
      </p>
    </div>
  )
}
