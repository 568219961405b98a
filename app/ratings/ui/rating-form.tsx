/** Where somebody rates a company, or changes what they gave. Heavy: it is loaded when it is wanted. */
import { X } from 'lucide'
import { useEffect, useRef, useState } from 'react'
import { BADGE_PATH } from '#app/companies/badges/badge.ts'
import { BADGE_HINT } from '#app/companies/badges/badge-texts.ts'
import { useBadges } from '#app/companies/badges/kept-badges.data.ts'
import { RATING_CATEGORIES } from '#app/companies/company.ts'
import {
  isIssuingProblem,
  SecretElsewhere,
} from '#app/identity/credentials/issuing-problem.data.ts'
import { ConfirmDialog } from '#app/kit/forms/confirm-dialog.ts'
import { fieldErrors } from '#app/kit/forms/field-errors.ts'
import { FormError } from '#app/kit/forms/form-error.tsx'
import { useForm } from '#app/kit/forms/use-form.ts'
import { askToSignIn, useSession } from '#app/kit/session/session.data.ts'
import { useAddress } from '#app/kit/ui/address.ts'
import { Button, IconButton } from '#app/kit/ui/button.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'
import { linkLook } from '#app/kit/ui/looks.ts'
import { Select } from '#app/kit/ui/select.tsx'
import { Checkbox } from '#app/kit/ui/text-field.tsx'
import { AnonymityLink } from '#app/kit/writing/anonymity-link.tsx'
import { type DraftKey, useDraft } from '#app/kit/writing/draft.data.ts'
import { DraftRestored } from '#app/kit/writing/draft-restored.tsx'
import { KEEP_OR_REPLACE } from '#app/kit/writing/keep-or-replace.tsx'
import { LeakWarnings } from '#app/kit/writing/leak-warnings.tsx'
import { type EditorHandle, MarkdownEditor } from '#app/kit/writing/markdown-editor.tsx'
import type { MyRatings } from '../my-rating.data.ts'
import type { RatingQueries } from '../rating.data.ts'
import { ERA_NAMES, ERAS, NOTE_MAX, OFFICE_DAYS, RELATION_NAMES, RELATIONS } from '../rating.ts'
import { saveRating } from '../rating-actions.data.ts'
import { RATING_HINTS } from '../rating-hints.ts'
import { draftOf, isSameRating, RatingInput } from '../rating-input.ts'
import { CannotRate } from './cannot-rate.tsx'
import { KeepOrReplaceRating, keepWhatIsThere } from './keep-or-replace.tsx'
import { RatingFormSkeleton } from './rating-skeletons.tsx'
import { StarChoice } from './star-choice.tsx'
import { useRatingQueries } from './use-rating-queries.ts'

const BringSecretDialog = lazyDialog(() =>
  import('#app/identity/credentials/ui/bring-secret-dialog.tsx').then((it) => it.BringSecretDialog),
)

/** Asked at once, beside what brought the secret here, the answer would tell whose it is. */
const AWAITED =
  'We’re checking what you gave from your other device. It can take two minutes, so that nobody can tell it’s you. You can keep writing.'

/** Opens filled: with what was begun in this browser, else with what was saved. */
export function RatingForm({ company, onClose }: RatingFormProps) {
  const { queries, mine } = useRatingQueries(company)
  const { me } = useSession()
  // Nothing that they could do would help, so there's nothing to fill in.
  if (me?.whyNotRate?.code === 'employer')
    return <CannotRate why={me.whyNotRate} email={me.email} />
  if (!mine) return <RatingFormSkeleton />
  return (
    <Fields
      // Another person has another rating; what was begun here comes along.
      key={queries.who}
      company={company}
      queries={queries}
      mine={mine}
      onClose={onClose}
    />
  )
}

function Fields({ company, queries, mine, onClose }: FieldsProps) {
  const { rating: saved, asked, formerIds } = mine
  const { status, me } = useSession()
  const whyNot = status === 'signed-in' ? me?.whyNotRate : undefined
  const { path, search } = useAddress()
  const [isBringing, setBringing] = useState(false)
  const [rating, setRating] = useState(() => draftOf(asked ?? saved))
  /** What is given already, as far as whoever fills this in has seen it. */
  const [seen, setSeen] = useState(() => draftOf(asked ? null : saved))
  const [isRemovingNote, setRemovingNote] = useState(false)
  const mayRemoveNote = useRef(false)
  const badge = useBadges(queries.who).find(({ company: { id } }) =>
    [company.id, ...formerIds].includes(id),
  )
  const [isBadged, setBadged] = useState(() => saved?.badge != null)
  const change = (part: Partial<RatingInput>) => setRating((now) => ({ ...now, ...part }))
  const editor = useRef<EditorHandle>(null)
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // It comes late, and may not take the keys of whoever writes elsewhere by now.
    if (document.activeElement?.closest('input, textarea, [role=dialog]')) return
    title.current?.focus({ preventScroll: true })
    title.current?.scrollIntoView({ block: 'start' })
  }, [])

  const draft = useDraft<KeptRating>({
    draftKey: draftKeyOf(company),
    content: keptOf(company, rating, seen),
    isBlank: isSameRating(rating, draftOf(saved)),
    onRestore: (found) => {
      setRating(draftOf(found.rating))
      setSeen(draftOf(found.seen))
    },
    onSentElsewhere: (isKept) => {
      if (isKept) return keptOf(company, rating, seen)
      setSeen(rating)
      return keptOf(company, rating, rating)
    },
  })
  const startOver = () => {
    const next = draftOf(saved)
    draft.clear(keptOf(company, next, next))
    setRating(next)
    setSeen(next)
  }
  // What another device or tab gave may arrive while this is filled in.
  const given = saved && draftOf(saved)
  const isUnseen = given !== null && !isSameRating(given, seen) && !isSameRating(given, rating)
  const isUntouched = isSameRating(rating, seen)
  useEffect(() => {
    if (!given || !isUnseen || !isUntouched) return
    setRating(given)
    setSeen(given)
  }, [given, isUnseen, isUntouched])
  const isAsked = isUnseen && !isUntouched
  const question = useRef<HTMLDivElement>(null)
  const keepGiven = () => {
    startOver()
    if (asked) keepWhatIsThere(queries)
  }

  const problems = fieldErrors<'stars' | 'note'>(RatingInput, rating)
  const { form, errors, isBusy } = useForm<'stars' | 'note'>({
    keptIn: 'browser',
    check: () => {
      if (mine.isAwaited) return { form: AWAITED }
      if (!isAsked) return problems
      question.current?.focus()
      return { form: KEEP_OR_REPLACE }
    },
    send: async () => {
      if (status === 'signed-out') {
        // What is here is kept, and stands here again once somebody is signed in.
        askToSignIn({ view: 'login', redirect: `${path}?${search}` })
        return
      }
      if (given?.note.trim() && !rating.note.trim() && !mayRemoveNote.current) {
        setRemovingNote(true)
        return
      }
      const { problem } = await saveOrTell()
      if (problem) return { form: problem }
      draft.sent(keptOf(company, rating, rating), `${company.path}?tab=ratings`)
      onClose()
    },
  })

  /** What another device gave stands beside what is filled in here, before anything goes. */
  const seekGiven = () =>
    import('../presented/held-rating.data.ts').then(({ seekRating }) =>
      seekRating(queries, formerIds, true),
    )

  async function saveOrTell() {
    try {
      const shown = isBadged && badge ? { domain: badge.domain } : undefined
      await saveRating(queries, mine, { rating, badge: shown })
      return {}
    } catch (error) {
      if (!isIssuingProblem(error)) throw error
      setBringing(error instanceof SecretElsewhere)
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
            className="scroll-mt-24 font-serif text-2xl leading-8 font-medium tracking-tight outline-none"
          >
            {saved ? 'Change your rating' : `Rate ${company.name}`}
          </h2>
          <p className="mt-1 text-sm leading-6 text-ink-soft">
            Only what you can judge; one of the four is enough. Your browser proves that you may
            rate, and not who you are: not even we can tell. <AnonymityLink />
          </p>
        </div>
        <IconButton label="Close" onClick={onClose} className="-mt-1 -mr-2">
          <Icon of={X} />
        </IconButton>
      </header>

      <div className="grid gap-6 px-5 py-5 md:px-7 md:py-6">
        <DraftRestored
          draft={draft}
          isBlank={isSameRating(rating, draftOf(saved))}
          onDiscard={startOver}
        />
        {mine.isAwaited && (
          <p
            role="status"
            className="rounded-md bg-sunken px-4 py-3 text-sm leading-6 text-ink-soft"
          >
            {AWAITED}
          </p>
        )}
        {isAsked && given && (
          <KeepOrReplaceRating
            ref={question}
            title="You already rated this company"
            shown={given}
            replace="Replace it with what is below"
            onKeep={keepGiven}
            onReplace={() => setSeen(given)}
          />
        )}
        {whyNot && <CannotRate why={whyNot} email={me?.email} />}
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
        <div className="grid gap-4 border-t border-line pt-5">
          <MarkdownEditor
            ref={editor}
            isCompact
            label={
              <>
                What should people know? <span className="text-ink-faint">(optional)</span>
              </>
            }
            hint="Everybody can read it, with your stars and the month. Leave out what only you could know."
            max={NOTE_MAX}
            value={rating.note}
            onChange={(note) => change({ note })}
            error={errors.note && problems.note}
          />
          {rating.note && (
            <LeakWarnings
              places={[
                {
                  text: rating.note,
                  select: (start, end) => editor.current?.select(start, end),
                },
              ]}
            />
          )}
        </div>
        <fieldset className="border-t border-line pt-5">
          <legend className="float-left w-full text-[0.9375rem] font-semibold text-ink">
            About you <span className="font-normal text-ink-faint">(optional)</span>
          </legend>
          <p className="clear-both mt-0.5 text-sm leading-6 text-ink-soft">
            It is kept as coarse as this, and shown only where five others said the same. Your note
            shows the first of the three.
          </p>
          <div className="mt-3 grid gap-4 md:grid-cols-3">
            <OptionalSelect
              label="Your relation"
              value={rating.relation}
              options={RELATIONS.map((key) => [key, RELATION_NAMES[key]])}
              onChange={(relation) => change({ relation })}
            />
            <OptionalSelect
              label="There until"
              value={rating.era}
              options={ERAS.map((key) => [key, ERA_NAMES[key]])}
              onChange={(era) => change({ era })}
            />
            <OptionalSelect
              label="Days a week in the office"
              value={rating.officeDays}
              options={OFFICE_DAYS.map((days) => [days, days === 1 ? '1 day' : `${days} days`])}
              onChange={(officeDays) => change({ officeDays })}
            />
          </div>
        </fieldset>
        {status === 'signed-in' && !whyNot && (
          <div className="border-t border-line pt-4 text-sm leading-6 text-ink-soft">
            {badge ? (
              <Checkbox
                label={`Say that a verified employee of ${badge.company.name} gave it`}
                hint={BADGE_HINT}
                checked={isBadged}
                onChange={({ target }) => setBadged(target.checked)}
              />
            ) : (
              <p>
                Do you work there? A badge can say so beside your rating.{' '}
                <a href={`${BADGE_PATH}?company=${company.id}`} className={linkLook}>
                  Get the badge
                </a>
              </p>
            )}
          </div>
        )}
        <BringSecretDialog open={isBringing} onOpenChange={setBringing} onBrought={seekGiven} />
        <ConfirmDialog
          open={isRemovingNote}
          onOpenChange={setRemovingNote}
          title="Remove your note?"
          words={{
            text: 'You wrote a note with this rating before, and there is none now. Nobody can bring the old one back.',
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
          <Button type="submit" size="lg" busy={isBusy} busyLabel="Saving...">
            {saved ? 'Save changes' : 'Rate'}
          </Button>
          <Button variant="ghost" size="lg" onClick={onClose}>
            Cancel
          </Button>
          {status === 'signed-out' && (
            <p className="text-sm leading-6 text-ink-faint">
              You will be asked to sign in. What you chose stays here.
            </p>
          )}
        </div>
      </div>
    </form>
  )
}

/** A choice that can be left open; its first option says so. */
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

/** Title and body are what the list of drafts shows of it. */
interface KeptRating {
  title: string
  body: string
  rating: RatingInput
  /** What was given when it was begun; an older draft does not say. */
  seen?: RatingInput
}

const keptOf = (
  { name }: { name: string },
  rating: RatingInput,
  seen: RatingInput,
): KeptRating => ({ title: `Your rating of ${name}`, body: rating.note, rating, seen })

/** Kept as every draft is, beside those of threads. */
const draftKeyOf = ({ id, path }: { id: string; path: string }): DraftKey => ({
  kind: 'rating',
  key: id,
  path: `${path}?tab=ratings&rate=yes`,
})

interface RatingFormProps {
  company: { id: string; name: string; path: string }
  onClose: () => void
}

interface FieldsProps extends RatingFormProps {
  queries: RatingQueries
  mine: MyRatings
}

interface OptionalSelectProps<Value> {
  label: string
  value: Value | null
  options: (readonly [Value, string])[]
  onChange: (value: Value | null) => void
}
