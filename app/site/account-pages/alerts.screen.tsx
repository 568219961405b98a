/** Followed companies, and what each one alerts you about. Visitors have this page, too. Spec §2.1. */
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { followsQuery } from '#app/companies/following/follow.data.ts'
import { useFollowQueries } from '#app/companies/following/follow-actions.data.ts'
import { FollowedCompany } from '#app/companies/following/ui/followed-company.tsx'
import { OfThisBrowser } from '#app/identity/accounts/visitor/ui/of-this-browser.tsx'
import { JobAlerts } from '#app/jobs/alerts/ui/job-alerts.tsx'
import { errorSentence } from '#app/kit/forms/refusal.ts'
import { askToSignIn, useReader, useSession } from '#app/kit/session/session.data.ts'
import { PageHead, useSite } from '#app/kit/session/site.tsx'
import { Button, buttonClasses } from '#app/kit/ui/button.tsx'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { plural } from '#app/kit/ui/format.ts'
import { EmptyState, LoadError, NeedsScripts } from '#app/kit/ui/message.tsx'
import { Loading, SkeletonCard } from '#app/kit/ui/skeleton.tsx'

export default function AlertsScreen() {
  const reader = useReader()
  const { status } = useSession()
  const { flags } = useSite()
  return (
    <div className="mx-auto w-full max-w-3xl px-5 py-8 md:py-12">
      <PageHead title="Alerts" text="Companies you follow." />
      <h1 className="font-serif text-4xl leading-tight font-medium tracking-tight text-ink md:text-5xl">
        Alerts
      </h1>
      <p className="mt-3 max-w-prose leading-relaxed text-ink-soft">
        {'You’ll see updates from companies you follow in '}
        {flags.enableNotifications ? (
          <a href="/notifications" className={linkClasses}>
            Notifications
          </a>
        ) : (
          'Notifications'
        )}
        {'. No one knows which ones you follow.'}
      </p>
      {status === 'signed-out' && reader && <OfThisBrowser what="follow" />}
      <div className="mt-8">
        {reader ? (
          <Follows key={reader} />
        ) : reader === null ? (
          <NoFollows isSignedOut />
        ) : (
          <>
            <NeedsScripts>Alerts need JavaScript.</NeedsScripts>
            <div className="no-js:hidden">
              <FollowsSkeleton />
            </div>
          </>
        )}
      </div>
      {flags.enableJobs && reader !== undefined && (
        <section aria-labelledby="job-alerts" className="mt-12 border-t border-line pt-8">
          <h2 id="job-alerts" className="font-serif text-2xl font-medium text-ink">
            Job alerts
          </h2>
          <p className="mt-2 mb-6 max-w-prose text-sm leading-6 text-ink-soft">
            Get notified about new jobs that match, at any company. No one knows what you’re looking
            for.
          </p>
          <JobAlerts key={reader} />
        </section>
      )}
    </div>
  )
}

function Follows() {
  const { queries, isKnown } = useFollowQueries()
  const { status } = useSession()
  const count = useRef<HTMLParagraphElement>(null)
  const { data, error, refetch } = useQuery({
    ...followsQuery(queries.api, queries.sessionKey),
    enabled: isKnown,
  })
  if (!data && error) return <LoadError text={errorSentence(error)} onRetry={refetch} />
  if (!data) return <FollowsSkeleton />
  const { follows } = data
  return (
    <>
      <p
        ref={count}
        role="status"
        tabIndex={-1}
        className={follows.length > 0 ? 'mb-3 text-sm text-ink-soft' : 'sr-only'}
      >
        {follows.length > 0
          ? `You’re following ${plural(follows.length, 'company', 'companies')}`
          : 'You’re not following any companies'}
      </p>
      {follows.length === 0 ? (
        <NoFollows isSignedOut={status === 'signed-out'} />
      ) : (
        <ul className="grid gap-3">
          {follows.map((follow) => (
            <li key={follow.company.id}>
              <FollowedCompany
                follow={follow}
                queries={queries}
                onUnfollow={() => count.current?.focus()}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function NoFollows({ isSignedOut }: { isSignedOut: boolean }) {
  const { flags } = useSite()
  const what = flags.enableJobs
    ? 'rating changes, office policy changes and new jobs'
    : 'rating changes and office policy changes'
  return (
    <EmptyState
      title="You’re not following any companies yet"
      text={`Press Follow on a company’s page, or the bell on its card, to hear about new threads, ${what}.`}
      action={
        <span className="flex flex-wrap justify-center gap-3">
          {flags.enableCompanies && (
            <a href="/companies" className={buttonClasses()}>
              Browse companies
            </a>
          )}
          {isSignedOut && (
            <Button
              variant="secondary"
              onClick={() => askToSignIn({ view: 'login', redirect: '/alerts' })}
            >
              Log in
            </Button>
          )}
        </span>
      }
    />
  )
}

const FollowsSkeleton = () => (
  <Loading label="Loading alerts..." times={3} className="grid gap-3">
    <SkeletonCard className="h-58 sm:h-46" />
  </Loading>
)
