import { useRef, useState } from 'react'
import { cx } from '#app/kit/ui/cx.ts'
import { FieldNotes, Select, TextField, useField } from '#app/kit/ui/field.tsx'
import { LeakWarnings, useContactQuestion } from '#app/kit/writing/leak-warnings.tsx'
import { type EditorHandle, MarkdownEditor } from '#app/kit/writing/markdown-editor.tsx'
import { payYears } from '../../pay/pay.ts'
import { NOTE_MAX, type Stars } from '../../rating.ts'
import { noteLength } from '../../rating-input.ts'
import { EntryForm, type EntryFormParts } from '../../ui/entry-form.tsx'
import { useEntryDraft } from '../../ui/use-entry-draft.ts'
import { DIFFICULTIES, FEELINGS, STEP_NAMES, type Step } from '../interview.ts'
import {
  type InterviewAnswers,
  type InterviewInput,
  interviewProblems,
} from '../interview-input.ts'

export function InterviewForm({ company, formerIds, own, onClose }: EntryFormParts<'interview'>) {
  const today = new Date().toISOString().slice(0, 10)
  const before = own[0]?.content
  const given = typedOf(before, payYears(today)[0] as number)
  const [typed, setTyped] = useState(given)
  const editor = useRef<EditorHandle>(null)
  const askAboutContacts = useContactQuestion()
  const draft = useEntryDraft({
    kind: 'interview',
    company,
    year: before?.year,
    typed,
    given,
    body: typed.note,
    onTyped: setTyped,
  })
  const change = (part: Partial<Typed>) => setTyped((now) => ({ ...now, ...part }))

  const interview = answersOf(typed)
  const problems = interviewProblems(interview, today)
  return (
    <EntryForm
      kind="interview"
      yours="your interview"
      text="We keep it without your name, account or the day, and publish it at the beginning of a month, along with others."
      // It's sent only without problems, so with an answer to everything.
      content={interview as InterviewInput}
      askFirst={() => askAboutContacts(typed.note)}
      {...{ company, formerIds, problems, draft, onClose }}
    >
      {(shown) => (
        <>
          <div className="grid items-start gap-4 md:grid-cols-2">
            <Select
              label="Year of the interview"
              value={typed.year}
              error={shown('year')}
              onChange={({ target }) => change({ year: Number(target.value) })}
            >
              {payYears(today).map((year) => (
                <option key={year}>{year}</option>
              ))}
            </Select>
            <TextField
              label="Weeks from the first contact to the answer"
              inputMode="numeric"
              autoComplete="off"
              maxLength={20}
              value={typed.weeks}
              error={shown('weeks')}
              onChange={({ target }) => change({ weeks: target.value })}
            />
          </div>
          <Chips
            legend="Which steps were there?"
            names={STEP_NAMES}
            chosen={typed.steps}
            isMany
            onChoose={(step) => change({ steps: toggled(typed.steps, step as Step) })}
            error={shown('steps')}
          />
          <Chips
            legend="Did you get an offer?"
            names={OFFERS}
            chosen={typed.hasOffer === null ? [] : [typed.hasOffer ? 'yes' : 'no']}
            onChoose={(offer) => change({ hasOffer: offer === 'yes' })}
            error={shown('hasOffer')}
          />
          <Chips
            legend="How hard was it?"
            names={DIFFICULTIES}
            chosen={[typed.difficulty]}
            onChoose={(stars) => change({ difficulty: Number(stars) as Stars })}
            error={shown('difficulty')}
          />
          <Chips
            legend="How did it feel?"
            names={FEELINGS}
            chosen={[typed.feeling]}
            onChoose={(stars) => change({ feeling: Number(stars) as Stars })}
            error={shown('feeling')}
          />
          <div className="grid gap-4 border-t border-line pt-5">
            <MarkdownEditor
              ref={editor}
              isCompact
              label={
                <>
                  What did they ask? <span className="text-ink-faint">(optional)</span>
                </>
              }
              hint="Anyone can read this, next to the year, how hard it was and how it felt. The rest only counts in numbers. Leave out names, and anything only you would know."
              max={NOTE_MAX}
              count={noteLength}
              value={typed.note}
              onChange={(note) => change({ note })}
              error={shown('note')}
            />
            {typed.note && (
              <LeakWarnings
                places={[
                  {
                    text: typed.note,
                    select: (start, end) => editor.current?.select(start, end),
                  },
                ]}
              />
            )}
          </div>
        </>
      )}
    </EntryForm>
  )
}

const OFFERS = { yes: 'Yes', no: 'No' }

/** Radio buttons or, if several can be chosen, checkboxes. */
function Chips({ legend, names, chosen, isMany = false, onChoose, error }: ChipsProps) {
  const field = useField({ label: legend, error })
  return (
    <fieldset className="grid min-w-0 content-start gap-1.5" aria-describedby={field.errorId}>
      <legend className="mb-2 text-sm font-medium text-ink">{legend}</legend>
      <div className="flex flex-wrap gap-2">
        {Object.entries(names).map(([key, name]) => {
          const isChosen = chosen.some((it) => String(it) === key)
          return (
            <label
              key={key}
              className={cx(
                'relative inline-flex h-11 cursor-pointer items-center rounded-full border px-4 text-sm transition-colors has-focus-visible:outline-2 has-focus-visible:outline-tea md:h-9 md:px-3.5',
                isChosen
                  ? 'border-tea bg-tea-soft font-medium text-tea-strong'
                  : 'border-line bg-surface text-ink-soft hover:border-line-strong hover:text-ink',
              )}
            >
              <input
                type={isMany ? 'checkbox' : 'radio'}
                name={field.id}
                checked={isChosen}
                onChange={() => onChoose(key)}
                aria-invalid={error ? true : undefined}
                className="absolute inset-0 cursor-pointer appearance-none rounded-full outline-none"
              />
              {name}
            </label>
          )
        })}
      </div>
      <FieldNotes error={error} ids={field} />
    </fieldset>
  )
}

interface ChipsProps {
  legend: string
  names: Record<string, string>
  chosen: (string | number | null)[]
  isMany?: boolean
  onChoose: (key: string) => void
  error?: string | undefined
}

const toggled = (steps: Step[], step: Step) =>
  steps.includes(step) ? steps.filter((it) => it !== step) : [...steps, step]

const typedOf = (interview: InterviewInput | null | undefined, year: number) => ({
  year: interview?.year ?? year,
  weeks: interview ? String(interview.weeks) : '',
  steps: interview?.steps ?? [],
  hasOffer: interview?.hasOffer ?? null,
  difficulty: interview?.difficulty ?? null,
  feeling: interview?.feeling ?? null,
  note: interview?.note ?? '',
})
type Typed = ReturnType<typeof typedOf>

const answersOf = ({ weeks, ...typed }: Typed): InterviewAnswers => ({
  ...typed,
  weeks: /^\d+$/.test(weeks.trim()) ? Number(weeks) : null,
})
