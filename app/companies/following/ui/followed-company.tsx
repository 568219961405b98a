/** A followed company and its alerts, which save immediately. */

import { useId } from 'react'
import { reportError } from '#app/kit/forms/refusal.ts'
import { SiteLink, useSite } from '#app/kit/session/site.tsx'
import { Badge } from '#app/kit/ui/badge.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { toast } from '#app/kit/ui/toast.ts'
import { CompanyLogo } from '../../logos/ui/company-logo.tsx'
import { CompanyScore } from '../../ui/company-score.tsx'
import type { Follow } from '../follow.contract.ts'
import type { FollowQueries } from '../follow.data.ts'
import { chooseAlerts, followAgain, followCompany } from '../follow-actions.data.ts'
import { ALERT_TOPIC_NAMES, ALERT_TOPICS } from '../following.ts'

interface FollowedCompanyProps {
  follow: Follow
  queries: FollowQueries
  /** The row with the focus is about to disappear. */
  onUnfollow: () => void
}

export function FollowedCompany({ follow, queries, onUnfollow }: FollowedCompanyProps) {
  const { company, isPaused } = follow
  const { flags } = useSite()
  const id = useId()
  const about = <span className="sr-only">{` ${company.name}`}</span>
  const choose = (choices: Parameters<typeof chooseAlerts>[2]) => {
    chooseAlerts(queries, company.id, choices).catch(reportError('Couldn’t save your choice'))
  }
  return (
    <article
      aria-labelledby={id}
      className="rounded-xl border border-line bg-surface px-4 py-4 md:px-5"
    >
      <div className="flex items-start gap-3">
        <CompanyLogo name={company.name} logoUrl={company.logoUrl} />
        <div className="min-w-0 flex-1">
          <h2 id={id} className="leading-snug font-semibold">
            <SiteLink
              href={company.path}
              dir="auto"
              className="text-ink underline-offset-4 [overflow-wrap:anywhere] hover:text-tea-strong hover:underline"
            >
              {company.name}
            </SiteLink>
          </h2>
          <p className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-[0.8125rem] text-ink-faint">
            <span>{company.category}</span>
            <CompanyScore company={company} />
            <span role="status">{isPaused && <Badge>Paused</Badge>}</span>
          </p>
        </div>
      </div>
      <fieldset className="mt-3 border-t border-line pt-3">
        <legend className="sr-only">{`What ${company.name} alerts you about`}</legend>
        <div className="grid grid-cols-2 gap-x-4 sm:flex sm:flex-wrap sm:gap-x-6">
          {ALERT_TOPICS.map((topic) => (
            <label
              key={topic}
              className={cx(
                'flex min-h-10 items-center gap-2.5 text-sm',
                isPaused ? 'text-ink-faint' : 'text-ink',
              )}
            >
              <input
                type="checkbox"
                checked={follow[topic]}
                onChange={(event) => choose({ [topic]: event.target.checked })}
                className="size-4.5 shrink-0 accent-tea"
              />
              <span>
                {ALERT_TOPIC_NAMES[topic]}
                {topic === 'jobs' && !flags.enableJobs && (
                  <span className="text-ink-faint"> (soon)</span>
                )}
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <p className="mt-2 -ml-3 flex flex-wrap gap-1">
        <Button variant="ghost" size="sm" onClick={() => choose({ isPaused: !isPaused })}>
          {isPaused ? 'Resume' : 'Pause'}
          {about}
        </Button>
        <Button
          variant="ghost"
          size="sm"
          onClick={() => {
            onUnfollow()
            unfollow(queries, follow)
          }}
        >
          Unfollow
          {about}
        </Button>
      </p>
    </article>
  )
}

function unfollow(queries: FollowQueries, follow: Follow) {
  const { id, name } = follow.company
  followCompany(queries, id, false).then(
    () =>
      toast({
        id: `follow-${id}`,
        title: `Unfollowed ${name}`,
        duration: 8000,
        action: {
          label: 'Undo',
          onPress: () => {
            followAgain(queries, follow).then(
              () => toast({ id: `follow-${id}`, title: `You follow ${name} again` }),
              reportError(`Couldn’t follow ${name}`),
            )
          },
        },
      }),
    reportError(`Couldn’t unfollow ${name}`),
  )
}
