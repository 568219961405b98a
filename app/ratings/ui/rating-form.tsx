import { X } from 'lucide'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { badgePath } from '#app/companies/badges/badge.ts'
import { useBadges } from '#app/companies/badges/stored-badges.data.ts'
import { RATING_CATEGORIES } from '#app/companies/company.ts'
import { ToConfirmFirst } from '#app/identity/accounts/sign-in/ui/confirm-email.tsx'
import { isIssuingProblem } from '#app/identity/credentials/issuing-problem.data.ts'
import { IssuingDialogs } from '#app/identity/credentials/ui/issuing-dialogs.tsx'
import { SecretElsewhereNotice } from '#app/identity/credentials/ui/secret-elsewhere.tsx'
import { ConfirmDialog } from '#app/kit/forms/confirm-dialog.tsx'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import { askToSignIn, useSession } from '#app/kit/session/session.data.ts'
import { useAddress } from '#app/kit/ui/address.ts'
import { Button, IconButton } from '#app/kit/ui/button.tsx'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { Checkbox, Select } from '#app/kit/ui/field.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { DraftRestored, KEEP_OR_REPLACE } from '#app/kit/writing/draft-notice.tsx'
import { AnonymityLink, LeakWarnings, useContactQuestion } from '#app/kit/writing/leak-warnings.tsx'
import { type EditorHandle, MarkdownEditor } from '#app/kit/writing/markdown-editor.tsx'
import type { MyRatings, RatedCompany, RatingQueries } from '../rating.data.ts'
import { ERA_NAMES, ERAS, NOTE_MAX, OFFICE_DAYS, RELATION_NAMES, RELATIONS } from '../rating.ts'
import { saveRating } from '../rating-actions.data.ts'
import { noteLength, ratingProblems } from '../rating-input.ts'
import { CannotRate } from './cannot-rate.tsx'
import { KeepOrReplaceRating, keepStoredRating } from './keep-or-replace.tsx'
import { RatingFormSkeleton } from './rating-form-skeleton.tsx'
import { RATING_HINTS, StarChoice } from './star-choice.tsx'
import { useRatingDraft } from './use-rating-draft.ts'
import { useRatingQueries } from './use-rating-queries.ts'

/**
 * We don't ask immediately, because right after the request that restored the secret, the answer would
 * reveal whose it is.
 */
const RESTORING =
  'If you rated this company on another device, that rating appears here within two minutes. The wait keeps us from knowing that you asked. You can keep writing.'

const WHY_ACCOUNT =
  'An account makes sure that each person rates a company once. Your rating doesn’t say who you are.'

/** Prefilled with this browser's draft, or else with the saved rating. */
export function RatingForm({ company, onClose }: RatingFormProps) {
  const { queries, myRatings } = useRatingQueries(company)
  const { me } = useSession()
  const top = useRef<HTMLDivElement>(null)
  const whyNot = me?.whyNotRate
  // Employers can't do anything about it, so they get no form.
  if (me && whyNot?.code === 'employer-not-allowed') return <CannotRate why={whyNot} me={me} />
  if (!myRatings) return <RatingFormSkeleton />
  return (
    <div ref={top} className="grid scroll-mt-24 gap-4">
      {whyNot && <CannotRate why={whyNot} me={me} />}
      <Fields
        // A different person has a different rating, but the draft comes along.
        key={queries.sessionKey}
        company={company}
        queries={queries}
        myRatings={myRatings}
        onClose={onClose}
        top={top}
      />
    </div>
  )
}

function Fields({ company, queries, myRatings, onClose, top }: FieldsProps) {
  const { undecided, formerIds } = myRatings
  const { status, me } = useSession()
  const whyNot = status === 'signed-in' ? me?.whyNotRate : undefined
  const { path, search } = useAddress()
  const [issuingError, setIssuingError] = useState<Error>()
  const { rating, change, saved, draft, ...writing } = useRatingDraft(company, myRatings)
  const [isRemovingNote, setRemovingNote] = useState(false)
  const mayRemoveNote = useRef(false)
  const badge = useBadges(queries.sessionKey).find(({ company: { id } }) =>
    [company.id, ...formerIds].includes(id),
  )
  const [isBadged, setBadged] = useState(() => myRatings.rating?.badge != null)
  const isUnconfirmed = whyNot?.code === 'unconfirmed'
  const title = useRef<HTMLHeadingElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: again once the email is confirmed
  useEffect(() => {
    // The form loads late, and mustn't steal the focus from another field.
    if (document.activeElement?.closest('input, textarea, [role=dialog]')) return
    title.current?.focus({ preventScroll: true })
    top.current?.scrollIntoView({ block: 'start' })
  }, [isUnconfirmed])

  const question = useRef<HTMLDivElement>(null)
  const keepSaved = () => {
    writing.startOver()
    if (undecided) keepStoredRating(queries)
  }

  const askAboutContacts = useContactQuestion()
  const problems = ratingProblems(rating)
  const { form, errors, isBusy } = useForm<'stars' | 'note'>({
    storedIn: 'browser',
    check: () => {
      if (myRatings.isRestoring) return { form: RESTORING }
      if (!writing.isContested) return problems
      question.current?.focus()
      return { form: KEEP_OR_REPLACE }
    },
    send: async () => {
      // Remember this now, because it's only for this submission and the next line waits.
      const mayRemove = mayRemoveNote.current
      const contacts = await askAboutContacts(rating.note)
      if (contacts) return contacts
      if (status === 'signed-out') {
        // We keep the draft, and restore it after signing in.
        askToSignIn({ view: 'signup', redirect: `${path}?${search}`, reason: WHY_ACCOUNT })
        return
      }
      if (saved?.note.trim() && !rating.note.trim() && !mayRemove) {
        setRemovingNote(true)
        return
      }
      const { problem } = await saveOrTell()
      if (problem) return { form: problem }
      writing.sent()
      onClose()
    },
  })

  /** Shows another device's rating next to this one before sending anything. */
  const seekSaved = () =>
    import('../presented/presented-rating.data.ts').then(({ seekRating }) =>
      seekRating(queries, formerIds, true),
    )

  async function saveOrTell() {
    try {
      const shown = isBadged && badge ? { domain: badge.domain } : undefined
      await saveRating(queries, myRatings, { rating, badge: shown })
      return {}
    } catch (error) {
      if (!isIssuingProblem(error)) throw error
      setIssuingError(error)
      return { problem: error.message }
    }
  }

  return (
    <form {...form} aria-labelledby="rate" className="rounded-xl border border-line bg-surface">
      <header className="flex items-start justify-between gap-4 px-5 pt-5 md:px-7 md:pt-6">
        <div className="min-w-0">
          <h2
            id="rate"
            ref={title}
            tabIndex={-1}
            className="font-serif text-2xl leading-8 font-medium tracking-tight outline-none"
          >
            {saved ? 'Change your rating' : `Rate ${company.name}`}
          </h2>
          <p className="mt-1 text-sm leading-6 text-ink-soft">
            Rate what you know. One of the four is enough. Your browser proves you’re allowed to
            rate without saying who you are. Even we can’t tell. <AnonymityLink />
          </p>
        </div>
        <IconButton label="Close" onClick={onClose} className="-mt-1 -mr-2">
          <Icon of={X} />
        </IconButton>
      </header>

      <div className="grid gap-6 px-5 py-5 md:px-7 md:py-6">
        {!whyNot && <SecretElsewhereNotice onBrought={seekSaved} />}
        <DraftRestored
          draft={draft}
          isBlank={writing.isBlank}
          text="Not sent yet. Your choices are still here."
          onDiscard={writing.startOver}
        >
          {!isUnconfirmed && (
            <Button type="submit" size="sm" busy={isBusy} busyLabel="Saving...">
              {saved ? 'Save now' : 'Rate now'}
            </Button>
          )}
        </DraftRestored>
        {myRatings.isRestoring && (
          <p
            role="status"
            className="rounded-md bg-sunken px-4 py-3 text-sm leading-6 text-ink-soft"
          >
            {RESTORING}
          </p>
        )}
        {writing.isContested && saved && (
          <KeepOrReplaceRating
            ref={question}
            title="You already rated this company"
            shown={saved}
            replace="Replace it with the one below"
            onKeep={keepSaved}
            onReplace={writing.replaceSaved}
          />
        )}
        <div className="grid gap-x-10 gap-y-5 lg:grid-cols-2">
          {RATING_CATEGORIES.map(({ key, name }) => (
            <StarChoice
              key={key}
              label={name}
              question={RATING_HINTS[key].question}
              hints={RATING_HINTS[key].stars}
              value={rating[key]}
              onChange={(stars) => change({ [key]: stars })}
              isInvalid={Boolean(errors.stars && problems.stars)}
            />
          ))}
        </div>
        <Note note={rating.note} change={change} error={errors.note && problems.note} />
        <AboutYou rating={rating} change={change} />
        {status === 'signed-in' && !whyNot && (
          <BadgeOffer company={company} badge={badge} isShown={isBadged} onShow={setBadged} />
        )}
        <IssuingDialogs
          error={issuingError}
          onClose={() => setIssuingError(undefined)}
          onBrought={seekSaved}
        />
        <ConfirmDialog
          open={isRemovingNote}
          onOpenChange={setRemovingNote}
          title="Remove your note?"
          texts={{
            text: 'You’re about to save your rating without its note. This can’t be undone.',
            confirm: 'Remove note',
            busy: 'Removing...',
          }}
          act={async () => {}}
          onDone={() => {
            mayRemoveNote.current = true
            form.ref.current?.requestSubmit()
            mayRemoveNote.current = false
          }}
        />
        <FormError>{errors.form ?? (errors.stars && problems.stars)}</FormError>
        <div className="flex flex-wrap items-center gap-3">
          {isUnconfirmed ? (
            <ToConfirmFirst />
          ) : (
            <Button type="submit" size="lg" busy={isBusy} busyLabel="Saving...">
              {saved ? 'Save changes' : 'Rate'}
            </Button>
          )}
          <Button variant="ghost" size="lg" onClick={onClose}>
            Cancel
          </Button>
          {status === 'signed-out' && (
            <p className="text-sm leading-6 text-ink-faint">
              Next, you create an account and confirm your email. Your choices stay here.
            </p>
          )}
        </div>
      </div>
    </form>
  )
}

function Note({ note, change, error }: NoteProps) {
  const editor = useRef<EditorHandle>(null)
  return (
    <div className="grid gap-4 border-t border-line pt-5">
      <MarkdownEditor
        ref={editor}
        isCompact
        label={
          <>
            What should people know? <span className="text-ink-faint">(optional)</span>
          </>
        }
        hint="Anyone can read this, next to your stars and the month. Leave out anything only you would know."
        max={NOTE_MAX}
        count={noteLength}
        value={note}
        onChange={(note) => change({ note })}
        error={error}
      />
      {note && (
        <LeakWarnings
          places={[
            {
              text: note,
              select: (start, end) => editor.current?.select(start, end),
            },
          ]}
        />
      )}
    </div>
  )
}

function AboutYou({ rating, change }: Pick<RatingDraft, 'rating' | 'change'>) {
  return (
    <fieldset className="border-t border-line pt-5">
      <legend className="float-left w-full text-[0.9375rem] font-semibold text-ink">
        About you <span className="font-normal text-ink-faint">(optional)</span>
      </legend>
      <p className="clear-both mt-0.5 text-sm leading-6 text-ink-soft">
        We show these answers only in totals, once five others have given the same one. The only
        exception is your connection, which people see next to your note.
      </p>
      <div className="mt-3 grid gap-4 md:grid-cols-3">
        <OptionalSelect
          label="Your connection"
          value={rating.relation}
          options={RELATIONS.map((key) => [key, RELATION_NAMES[key]])}
          onChange={(relation) => change({ relation, ...(relation !== 'former' && { era: null }) })}
        />
        {(rating.relation === 'former' || rating.era) && (
          <OptionalSelect
            label="When did you leave?"
            value={rating.era}
            options={ERAS.map((key) => [key, ERA_NAMES[key]])}
            onChange={(era) => change({ era })}
          />
        )}
        <OptionalSelect
          label="Days a week in the office"
          value={rating.officeDays}
          options={OFFICE_DAYS.map((days) => [days, days === 1 ? '1 day' : `${days} days`])}
          onChange={(officeDays) => change({ officeDays })}
        />
      </div>
    </fieldset>
  )
}

function BadgeOffer({ company, badge, isShown, onShow }: BadgeOfferProps) {
  return (
    <div className="border-t border-line pt-4 text-sm leading-6 text-ink-soft">
      {badge ? (
        <Checkbox
          label={`Show that it’s from a verified employee of ${badge.company.name}`}
          hint="No one learns who you are. But it does narrow you down to the people with this badge, so there are fewer to hide among."
          checked={isShown}
          onChange={({ target }) => onShow(target.checked)}
        />
      ) : (
        <p>
          Do you work there? A badge can say so next to your rating.{' '}
          <a href={badgePath(company.id)} className={linkClasses}>
            Get the badge
          </a>
        </p>
      )}
    </div>
  )
}

/** The first option leaves the choice open. */
function OptionalSelect<Value extends string | number>(props: OptionalSelectProps<Value>) {
  const { label, value, options, onChange } = props
  return (
    <Select
      label={label}
      value={value ?? ''}
      onChange={({ target }) =>
        onChange(options.find(([key]) => String(key) === target.value)?.[0] ?? null)
      }
    >
      <option value="">Rather not say</option>
      {options.map(([key, name]) => (
        <option key={key} value={key}>
          {name}
        </option>
      ))}
    </Select>
  )
}

interface RatingFormProps {
  company: RatedCompany
  onClose: () => void
}

interface FieldsProps extends RatingFormProps {
  queries: RatingQueries
  myRatings: MyRatings
  /** What stands at the top when the form opens. */
  top: RefObject<HTMLElement | null>
}

type RatingDraft = ReturnType<typeof useRatingDraft>

interface NoteProps extends Pick<RatingDraft, 'change'> {
  note: string
  error: string | undefined
}

interface BadgeOfferProps {
  company: RatedCompany
  badge: ReturnType<typeof useBadges>[number] | undefined
  isShown: boolean
  onShow: (isShown: boolean) => void
}

interface OptionalSelectProps<Value> {
  label: string
  value: Value | null
  options: (readonly [Value, string])[]
  onChange: (value: Value | null) => void
}
