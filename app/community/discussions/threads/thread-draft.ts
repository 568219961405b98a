/** A thread that's being written: its draft, and what's wrong with it. */
import { isBlank, lengthOf, oneLine, visibleText } from '#app/kit/writing/text.ts'
import {
  BODY_MAX,
  type NameChoice,
  TEXT_PROBLEMS,
  THREAD_TITLE_MAX,
  THREAD_TITLE_MIN,
  TOPICS_MAX,
} from '../discussion.ts'
import { POLL_DAYS_MAX, POLL_OPTION_MAX, POLL_OPTIONS_MIN, POLL_PROBLEMS } from '../polls/poll.ts'

export interface ThreadDraft {
  title: string
  body: string
  topics: string[]
  poll: PollDraft | null
  name: NameChoice
  /** If undefined, the company in the URL. If null, none. */
  company?: { id: string; name: string } | null
  idempotencyKey: string
}

export const emptyThread = (idempotencyKey: string): ThreadDraft => ({
  title: '',
  body: '',
  topics: [],
  poll: null,
  name: 'pseudonym',
  idempotencyKey,
})

export const threadInput = (draft: ThreadDraft, companyId?: string) => ({
  title: draft.title.trim(),
  body: draft.body,
  companyId,
  topics: draft.topics,
  poll: draft.poll ? pollInput(draft.poll) : undefined,
  name: draft.name,
  idempotencyKey: draft.idempotencyKey,
})

export const isBlankThread = ({ title, body, poll }: ThreadDraft) =>
  title.trim() === '' && body.trim() === '' && !poll?.options.some(({ text }) => text.trim() !== '')

/** Scripts whose letters are syllables, or that leave out vowels. Each letter counts as two Latin ones. */
const DENSE =
  /[ー\p{Script=Hira}\p{Script=Kana}\p{Script=Bopo}\p{Script=Thai}\p{Script=Laoo}\p{Script=Khmr}\p{Script=Mymr}\p{Script=Ethi}\p{Script=Arab}\p{Script=Hebr}]/gu
/** Letters of these scripts count as three. */
const DENSEST = /[\p{Script=Han}\p{Script=Hang}]/gu

const titleWeight = (title: string) =>
  lengthOf(title) + (title.match(DENSE)?.length ?? 0) + 2 * (title.match(DENSEST)?.length ?? 0)

export function titleProblem(typed: string): string | undefined {
  const title = typed.trim()
  const visible = visibleText(title).trim()
  if (titleWeight(visible) < THREAD_TITLE_MIN) return TEXT_PROBLEMS.shortTitle
  if (lengthOf(title) > THREAD_TITLE_MAX) return TEXT_PROBLEMS.longTitle
  return /[\p{L}\p{N}]/u.test(visible) ? undefined : TEXT_PROBLEMS.titleWithoutWords
}

export const bodyProblem = (body: string) =>
  lengthOf(body) > BODY_MAX ? TEXT_PROBLEMS.longBody : undefined

export const threadProblems = ({ title, body }: { title: string; body: string }) => ({
  title: titleProblem(title),
  body: bodyProblem(body),
})

/** Doesn't add a sixth topic. */
export function toggleTopic(topics: string[], slug: string): string[] {
  if (topics.includes(slug)) return topics.filter((each) => each !== slug)
  return topics.length < TOPICS_MAX ? [...topics, slug] : topics
}

export interface PollDraft {
  /** `key` stays with an option wherever it moves. */
  options: { key: number; text: string }[]
  days: string
}

export interface PollProblems {
  options: Record<number, string>
  days?: string
}

export const EMPTY_POLL: PollDraft = {
  options: Array.from({ length: POLL_OPTIONS_MIN }, (_, key) => ({ key, text: '' })),
  days: '7',
}

/** The problem of each option, at the option's position. */
function optionProblems(options: string[]): (string | undefined)[] {
  const seen = new Set<string>()
  return options.map((option) => {
    const text = oneLine(option)
    const folded = text.toLowerCase()
    if (isBlank(text)) return POLL_PROBLEMS.emptyOption
    if (lengthOf(text) > POLL_OPTION_MAX) return POLL_PROBLEMS.longOption
    if (seen.has(folded)) return POLL_PROBLEMS.sameOption
    seen.add(folded)
    return undefined
  })
}

/** The problem of the first option that has one. */
export const pollProblem = (options: string[]) => optionProblems(options).find(Boolean)

export function pollProblems(poll: PollDraft): PollProblems | undefined {
  const options: Record<number, string> = {}
  const problems = optionProblems(poll.options.map(({ text }) => text))
  for (const [index, { key }] of poll.options.entries()) {
    const problem = problems[index]
    if (problem) options[key] = problem
  }
  const days = Number(poll.days)
  const areDaysRight = Number.isInteger(days) && days >= 1 && days <= POLL_DAYS_MAX
  if (areDaysRight && Object.keys(options).length === 0) return undefined
  return {
    options,
    days: areDaysRight ? undefined : `A poll can run for 1 to ${POLL_DAYS_MAX} days`,
  }
}

export const pollInput = ({ options, days }: PollDraft) => ({
  options: options.map(({ text }) => text.trim()),
  days: Number(days),
})
