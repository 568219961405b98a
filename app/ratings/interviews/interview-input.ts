/** An interview, as people give it. Runs in the browser too: no I/O here. */
import { payYears } from '../pay/pay.ts'
import { NOTE_MAX, STARS, type Stars } from '../rating.ts'
import { noteLength } from '../rating-input.ts'
import { INTERVIEW_REFUSALS, STEPS, type Step, WEEKS_MAX } from './interview.ts'

export interface InterviewInput {
  year: number
  steps: Step[]
  weeks: number
  hasOffer: boolean
  difficulty: Stars
  feeling: Stars
  /** Shown to everyone, once it's published. */
  note: string
}

/** A form's, with null for what isn't answered yet. */
export type InterviewAnswers = { [Key in keyof InterviewInput]: InterviewInput[Key] | null }

/** The problem of each field. @param today a day */
export function interviewProblems(interview: InterviewAnswers, today: string) {
  const { year, steps, weeks, hasOffer, difficulty, feeling, note } = interview
  const years = payYears(today)
  const isWhole = Number.isInteger(weeks) && Number(weeks) >= 1 && Number(weeks) <= WEEKS_MAX
  return {
    year: years.includes(Number(year))
      ? undefined
      : INTERVIEW_REFUSALS.year(years.at(-1) as number, years[0] as number),
    steps: steps && steps.length > 0 ? undefined : INTERVIEW_REFUSALS.steps,
    weeks: isWhole ? undefined : INTERVIEW_REFUSALS.weeks,
    hasOffer: hasOffer === null ? INTERVIEW_REFUSALS.offer : undefined,
    difficulty: isStars(difficulty) ? undefined : INTERVIEW_REFUSALS.difficulty,
    feeling: isStars(feeling) ? undefined : INTERVIEW_REFUSALS.feeling,
    note:
      noteLength(note ?? '') > NOTE_MAX
        ? `A text can have at most ${NOTE_MAX.toLocaleString('en')} characters`
        : undefined,
  }
}

const isStars = (value: number | null) => STARS.some((stars) => stars === value)

/** In the order of the list, each once. */
export const tidySteps = (steps: Step[]) => STEPS.filter((step) => steps.includes(step))

/** What a proof is bound to. Browser and server must produce the same bytes. */
export interface PresentedInterview {
  companyId: string
  quarter: string
  /** SHA-256 of the keys that find it, and that remove this version. base64url */
  holder: string
  removal: string
  /** Keys of the holder's interviews of the same year at companies merged into this one. */
  mergedKeys: string[]
  interview: InterviewInput
  /** Rises with each change, so a recorded request can't restore an earlier interview. */
  version: number
}

export function interviewMessage({ companyId, quarter, interview, ...said }: PresentedInterview) {
  const { year, steps, weeks, hasOffer, difficulty, feeling, note } = interview
  const entry = [year, steps, weeks, hasOffer, difficulty, feeling, note]
  const { holder, removal, mergedKeys, version } = said
  const fields = [companyId, quarter, holder, removal, mergedKeys, entry, version]
  return new TextEncoder().encode(JSON.stringify(fields))
}
