import { useEffect, useRef, useState } from 'react'
import type { ModeratedNote } from '#app/community/reports/report.contract.ts'
import { OwnNote, OwnNoteState } from '#app/community/reports/ui/own-moderation.tsx'
import { RATING_PENDING, RATING_REMOVAL_PENDING } from '#app/companies/own-rating/own-rating.ts'
import { tenthsOf } from '#app/companies/own-rating/rating-buckets.ts'
import { awaitsCredential, useHolder } from '#app/identity/credentials/holder.data.ts'
import { holderKeys } from '#app/identity/credentials/holder-keys.data.ts'
import { changeRated, ratedOf, sendAgain, useRated } from '#app/identity/credentials/rated.data.ts'
import { ConfirmDialog } from '#app/kit/forms/confirm-dialog.tsx'
import { reportError } from '#app/kit/forms/refusal.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { dateText } from '#app/kit/ui/format.ts'
import { Score } from '#app/kit/ui/score.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { canHandOver } from '../presented/rating-request.data.ts'
import type { MyRating } from '../rating.contract.ts'
import type { MyRatings, RatingQueries } from '../rating.data.ts'
import { removeRating } from '../rating-actions.data.ts'
import { ratingDraftOf } from '../rating-input.ts'
import { KeepOrReplaceRating, keepStoredRating } from './keep-or-replace.tsx'
import { KeepWords } from './keep-words.tsx'
import { RateLink } from './rate-link.tsx'

export function OwnRating({ company, myRatings, rating, queries, isJustSaved }: OwnRatingProps) {
  const [isAsked, setAsked] = useState(false)
  const section = useRef<HTMLElement>(null)
  const wasJustSaved = useRef(isJustSaved)
  useEffect(() => {
    // It may load after the form has closed, and then the browser keeps what's below it in view.
    if (wasJustSaved.current) section.current?.scrollIntoView({ block: 'start' })
  }, [])
  const { outgoing } =
    ratedOf(useRated(queries.sessionKey), [queries.company.id, ...myRatings.formerIds]) ?? {}
  const holder = useHolder(queries.sessionKey)
  const awaits = outgoing?.needsCredential || (!outgoing?.badge && awaitsCredential(holder))
  const remove = async () => {
    try {
      await removeRating(queries, myRatings)
      // An anonymous rating is sent later, and says so then.
      if (myRatings.isOfAccount) toast({ title: 'Rating removed' })
    } catch (error) {
      reportError('Couldn’t remove your rating')(error)
    }
  }
  return (
    <section
      ref={section}
      aria-label="Your rating"
      tabIndex={-1}
      className={`${panelClasses} scroll-mt-24 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 outline-none`}
    >
      <p className="flex flex-wrap items-center gap-x-3 text-sm leading-6 text-ink-soft">
        <span>{`You rated ${company.name} in ${dateText(rating.month)}`}</span>
        <Score rating={tenthsOf(rating) / 10} className="text-ink" />
      </p>
      <p className="flex gap-2">
        <RateLink company={company} label="Change" variant="secondary" size="sm" />
        <Button variant="ghost" size="sm" {...ConfirmDialog.preload} onClick={() => setAsked(true)}>
          Remove
        </Button>
      </p>
      {myRatings.undecided && (
        <KeepOrReplaceRating
          title="You’ve also rated this company on another device. The rating from this one hasn’t been sent:"
          shown={ratingDraftOf(myRatings.undecided)}
          replace="Replace it with this"
          onKeep={() => keepStoredRating(queries)}
          onReplace={() => sendAgain(queries.sessionKey, queries.company.id)}
        />
      )}
      {outgoing?.problem ? (
        <div className="flex w-full flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line pt-3">
          <p role="alert" className="min-w-0 flex-1 basis-64 text-sm leading-6 text-danger">
            {`Not sent: ${outgoing.problem}`}
          </p>
          <Button
            variant="secondary"
            size="sm"
            onClick={() => sendAgain(queries.sessionKey, queries.company.id)}
          >
            Try again
          </Button>
        </div>
      ) : (
        myRatings.isUnpublished && (
          <p
            role="status"
            className="w-full border-t border-line pt-3 text-sm leading-6 text-ink-soft"
          >
            {myRatings.isGoing ? (
              awaits ? (
                AWAITS
              ) : (
                <Sending />
              )
            ) : (
              `Sent. So far, only you see it in the numbers. ${rating.note ? `${RATING_PENDING} Your note appears then, too.` : RATING_PENDING} ${CHECKED}`
            )}
          </p>
        )
      )}
      {rating.badge && (
        <p className="w-full border-t border-line pt-3 text-sm leading-6 text-ink-soft">
          {rating.badge.isShown
            ? 'It’s marked as coming from a verified employee.'
            : 'It has your badge. Not enough colleagues have one yet, so for now no one else sees that it’s from an employee.'}
        </p>
      )}
      {!myRatings.isOfAccount && (
        <KeepWords sessionKey={queries.sessionKey} onAnswer={() => section.current?.focus()} />
      )}
      {rating.noteState !== 'shown' && (
        <div className="w-full border-t border-line pt-3">
          {myRatings.isOfAccount ? (
            <OwnNote id={rating.id} />
          ) : (
            <ModeratedNoteState myRatings={myRatings} rating={rating} queries={queries} />
          )}
        </div>
      )}
      <ConfirmDialog
        open={isAsked}
        onOpenChange={setAsked}
        title="Remove your rating?"
        texts={removalTexts(company.name)}
        act={remove}
      />
    </section>
  )
}

export const removalTexts = (companyName: string) => ({
  text: `Your stars will stop counting for ${companyName} and your note will disappear at the next update, along with other people’s changes. You can rate again whenever you like.`,
  confirm: 'Remove rating',
  busy: 'Removing...',
  cancel: 'Keep it',
})

const Sending = ({ isRemoval = false }) => (
  <>
    <strong className="font-semibold text-ink">Sending…</strong> Your browser picks a moment within
    two minutes, so no one can tell it’s you. Then this says “Sent”{isRemoval ? ' or is gone' : ''}.
    You don’t have to wait. If you leave sooner, it’s sent{' '}
    {canHandOver() ? 'later by itself, or ' : ''}on your next visit.
  </>
)

/** Shown in a browser that wasn't open in the month when its credential could be renewed. */
const AWAITS =
  'Your browser’s proof that you’re allowed to rate has expired. It gets a new one at a random time while you’re here, and sends your rating after that.'

const CHECKED = 'Your browser checks about once a day to see if it counts yet.'

/** What this browser last learned about the note. */
function ModeratedNoteState({
  myRatings,
  rating,
  queries,
}: Omit<OwnRatingProps, 'company' | 'isJustSaved'>) {
  const { sessionKey, company } = queries
  const ids = [company.id, ...myRatings.formerIds]
  const keys = holderKeys(sessionKey, ids)
  const post = ratedOf(useRated(sessionKey), ids)?.onServer?.post as ModeratedNote | undefined
  const onAppeal = (appeal: ModeratedNote['appeal']) =>
    changeRated(
      sessionKey,
      company.id,
      (now) =>
        now?.onServer && {
          ...now,
          onServer: { ...now.onServer, post: { ...now.onServer.post, appeal, canAppeal: false } },
        },
    )
  if (!post || !keys)
    return (
      <p className="text-sm leading-6 text-ink-soft">
        {rating.noteState === 'held'
          ? 'Your note is hidden until a moderator has reviewed it.'
          : 'A moderator removed your note.'}
      </p>
    )
  return <OwnNoteState post={post} holder={{ keys, onAppeal }} />
}

/** Shown to someone who may have rated on another device, or before this browser kept their ratings. */
export const RatingSearch = ({ company }: Pick<OwnRatingProps, 'company'>) => (
  <section aria-label="Your rating" className={`${panelClasses} text-sm leading-6 text-ink-soft`}>
    {`If you rated ${company.name} before, your rating will show up here soon. Your browser asks for it at a random moment, so no one can tell that you looked.`}
  </section>
)

/** Removed, but others still see it. */
export const TakenBack = ({ company, isSent }: TakenBackProps) => (
  <section aria-label="Your rating" className={`${panelClasses} text-sm leading-6 text-ink-soft`}>
    <p role="status">
      {`You removed your rating of ${company.name}. `}
      {isSent ? `Sent. ${RATING_REMOVAL_PENDING}` : <Sending isRemoval />}
    </p>
  </section>
)

const panelClasses = 'rounded-xl border border-line bg-surface px-5 py-4'

interface TakenBackProps extends Pick<OwnRatingProps, 'company'> {
  isSent: boolean
}

interface OwnRatingProps {
  company: { name: string; path: string }
  myRatings: MyRatings
  rating: MyRating
  queries: RatingQueries
  /** The form was just here. */
  isJustSaved: boolean
}
