import { useState } from 'react'
import { tenthsOf } from '#app/companies/own-rating/rating-buckets.ts'
import { useHolder } from '#app/identity/credentials/holder.data.ts'
import { isSecretShared, useRated } from '#app/identity/credentials/rated.data.ts'
import { SecretElsewhereNotice } from '#app/identity/credentials/ui/secret-elsewhere.tsx'
import { ConfirmDialog } from '#app/kit/forms/confirm-dialog.tsx'
import { useSessionKey } from '#app/kit/session/session.data.ts'
import { SiteLink } from '#app/kit/session/site.tsx'
import { Button, buttonClasses } from '#app/kit/ui/button.tsx'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { dateText, plural } from '#app/kit/ui/format.ts'
import { EmptyState } from '#app/kit/ui/message.tsx'
import { Score } from '#app/kit/ui/score.tsx'
import { removePresentedRating } from '../presented/presented-rating.data.ts'
import { type MyRatings as Known, myRatingsOf, NO_RATINGS } from '../rating.data.ts'
import { removalTexts } from './own-rating.tsx'
import { RateLink } from './rate-link.tsx'

/**
 * This list comes from what this browser remembers. Requesting it would reveal which ratings belong
 * to one person.
 */
export function MyRatings() {
  const sessionKey = useSessionKey()
  const rated = useRated(sessionKey)
  const holder = useHolder(sessionKey)
  // Until the words are written down, no one can open it.
  const isBackedUp = holder?.hasBackup === true && !holder.words
  const listed = Object.entries(rated)
    .map(([id, { name, path, formerIds, outgoing }]) => ({
      company: { id, name, path },
      problem: outgoing?.problem,
      known: myRatingsOf(id, { rated, answer: NO_RATINGS, formerIds }),
    }))
    .filter(({ known }) => known.rating || known.isLeaving)
    .toSorted((one, other) => one.company.name.localeCompare(other.company.name))
  return (
    <>
      <SecretElsewhereNotice className="mb-6" />
      {listed.length === 0 ? (
        <EmptyState
          title="No ratings on this device"
          text={`Companies you rate here show up in this list. It stays in this browser, so not even we can see it.${isSecretShared(sessionKey) ? ' A rating from another device joins it some time after you open its company here.' : ''}`}
          action={
            <a href="/companies" className={buttonClasses('secondary')}>
              Browse companies
            </a>
          }
        />
      ) : (
        <>
          <p className="mb-4 text-sm text-ink-soft">
            {`${plural(listed.length, 'rating')}. Only this browser knows this list. `}
            {isBackedUp ? 'You have a backup. ' : 'You have no backup yet. '}
            <SiteLink href="/settings#your-ratings" className={linkClasses}>
              {isBackedUp ? 'Manage it' : 'Back up your ratings'}
            </SiteLink>
          </p>
          <ul className="divide-y divide-line border-y border-line">
            {listed.map((it) => (
              <Line key={it.company.id} sessionKey={sessionKey} {...it} />
            ))}
          </ul>
        </>
      )}
    </>
  )
}

function Line({ sessionKey, company, known, problem }: LineProps) {
  const [isAsked, setAsked] = useState(false)
  const { rating } = known
  return (
    <li
      tabIndex={-1}
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-4 outline-none"
    >
      <div className="min-w-0 flex-1 basis-64">
        <SiteLink
          href={`${company.path}?tab=ratings`}
          dir="auto"
          className="block font-serif text-xl leading-7 font-medium text-ink underline-offset-4 hover:underline"
        >
          {company.name}
        </SiteLink>
        <p className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-soft">
          {rating && <Score rating={tenthsOf(rating) / 10} className="text-ink" />}
          {rating && <span>{dateText(rating.month)}</span>}
          <span className={problem ? 'text-danger' : undefined}>{stateOf(known, problem)}</span>
        </p>
      </div>
      {rating && (
        <div className="flex gap-2">
          <RateLink
            company={company}
            label="Change"
            about={company.name}
            variant="secondary"
            size="sm"
          />
          <Button
            variant="ghost"
            size="sm"
            aria-label={`Remove your rating of ${company.name}`}
            {...ConfirmDialog.preload}
            onClick={() => setAsked(true)}
          >
            Remove
          </Button>
        </div>
      )}
      <ConfirmDialog
        open={isAsked}
        onOpenChange={setAsked}
        title="Remove your rating?"
        texts={removalTexts(company.name)}
        act={async () => removePresentedRating({ company, sessionKey }, known)}
      />
    </li>
  )
}

function stateOf(
  { isGoing, isLeaving, isUnpublished, undecided }: Known,
  problem: string | undefined,
): string {
  if (problem) return `Not sent: ${problem}`
  if (undecided) return 'Also rated on another device. Open it to choose one.'
  if (isLeaving) return isGoing ? 'Removing…' : 'Removed. Stops counting with the next update.'
  if (isGoing) return 'Sending…'
  return isUnpublished ? 'Sent. Counts from the next update.' : 'Counts'
}

interface LineProps {
  sessionKey: string
  company: { id: string; name: string; path: string }
  known: Known
  problem: string | undefined
}
