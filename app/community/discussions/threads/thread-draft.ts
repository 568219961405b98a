/** A thread while it is written: its draft, and what's wrong with it. */
import { visibleText } from '#app/kit/writing/text.ts'
import {
  BODY_MAX,
  type NameChoice,
  TEXT_PROBLEMS,
  TITLE_MAX,
  TITLE_MIN,
  TOPICS_MAX,
} from '../discussion.ts'
import { type PollDraft, pollInput } from '../polls/poll.ts'

export interface ThreadDraft {
  title: string
  body: string
  topics: string[]
  poll: PollDraft | null
  name: NameChoice
  /** Undefined: the address's; null: none. */
  company?: { id: string; name: string } | null
  sending: string
}

export const emptyThread = (sending: string): ThreadDraft => ({
  title: '',
  body: '',
  topics: [],
  poll: null,
  name: 'pseudonym',
  sending,
})

export const threadInput = (draft: ThreadDraft, companyId?: string) => ({
  title: draft.title.trim(),
  body: draft.body,
  companyId,
  topics: draft.topics,
  poll: draft.poll ? pollInput(draft.poll) : undefined,
  name: draft.name,
  sending: draft.sending,
})

export const isBlankThread = ({ title, body, poll }: ThreadDraft) =>
  title.trim() === '' && body.trim() === '' && !poll?.options.some(({ text }) => text.trim() !== '')

export function titleProblem(typed: string): string | undefined {
  const title = typed.trim()
  const visible = visibleText(title).trim()
  if ([...visible].length < TITLE_MIN) return TEXT_PROBLEMS.shortTitle
  if (title.length > TITLE_MAX) return TEXT_PROBLEMS.longTitle
  return /[\p{L}\p{N}]/u.test(visible) ? undefined : 'A title needs letters or numbers'
}

export const bodyProblem = (body: string) =>
  body.length > BODY_MAX ? TEXT_PROBLEMS.longBody : undefined

export const threadProblems = ({ title, body }: { title: string; body: string }) => ({
  title: titleProblem(title),
  body: bodyProblem(body),
})

/** A sixth topic isn't added. */
export function toggleTopic(topics: string[], slug: string): string[] {
  if (topics.includes(slug)) return topics.filter((each) => each !== slug)
  return topics.length < TOPICS_MAX ? [...topics, slug] : topics
}
