/** Job interviews: given once per person, company and year. No I/O here. */
import type { Stars } from '../rating.ts'

/** How many people's interviews are published together, at least, unless they have waited a whole month. */
export const INTERVIEW_BATCH = 5
/** Weeks from the first contact to the answer. */
export const WEEKS_MAX = 52

export const STEPS = [
  'phone',
  'video',
  'onsite',
  'manager',
  'team',
  'panel',
  'group',
  'test',
  'task',
  'presentation',
  'trial',
  'references',
] as const
export type Step = (typeof STEPS)[number]
export const STEP_NAMES: Record<Step, string> = {
  phone: 'Phone call',
  video: 'Video call',
  onsite: 'In person',
  manager: 'With the manager',
  team: 'With the team',
  panel: 'With a panel',
  group: 'With other candidates',
  test: 'Test',
  task: 'Task at home',
  presentation: 'Presentation',
  trial: 'Trial day',
  references: 'References checked',
}

export const DIFFICULTIES: Record<Stars, string> = {
  1: 'Very easy',
  2: 'Easy',
  3: 'Average',
  4: 'Hard',
  5: 'Very hard',
}
export const FEELINGS: Record<Stars, string> = {
  1: 'Very bad',
  2: 'Bad',
  3: 'Mixed',
  4: 'Good',
  5: 'Very good',
}

/** Told to those whose interview has just arrived, or gone. */
export const INTERVIEW_PENDING =
  'Interviews are published at the beginning of a month, several people’s together, so no one can tell when you gave yours.'

/** Names an interview: the context of its proof, what finds it again, and where the browser keeps it. */
export const interviewSubject = (companyId: string, year: number) =>
  `interview:${companyId}:${year}`

export const INTERVIEW_REFUSALS = {
  notFound: 'You haven’t given an interview at this company for this year',
  invalidProof: 'This interview’s proof isn’t valid, or it has expired',
  merged: 'This company is now part of another one. Please give your interview there.',
  steps: 'Choose at least one step',
  weeks: `Write how many weeks it took, from 1 to ${WEEKS_MAX}. A few days are one week.`,
  offer: 'Say whether you got an offer',
  difficulty: 'Choose how hard it was',
  feeling: 'Choose how it felt',
  year: (from: number, to: number) => `Choose a year from ${from} to ${to}`,
} as const
