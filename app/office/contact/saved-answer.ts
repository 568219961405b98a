/** Answers that administrators save, with placeholders. */
import { lengthOf } from '#app/kit/writing/text.ts'
import { messageProblem } from './contact.ts'

/** Placeholders of a saved answer: {name} is the sender, {site} the site. */
const PLACEHOLDERS = ['name', 'site'] as const
type Placeholder = (typeof PLACEHOLDERS)[number]

export const SAVED_TITLE_MAX = 60

const PLACEHOLDER = /\{(name|site)\}/g
/** A brace outside any placeholder, with its content. */
const BROKEN = /\{[^{}\n]{0,30}\}?|\}/

export function savedBodyProblem(body: string): string | undefined {
  const [broken] = BROKEN.exec(body.replace(PLACEHOLDER, '')) ?? []
  if (broken !== undefined)
    return `“${broken}” isn’t a placeholder. Use {name} for the sender or {site} for this site.`
  return messageProblem(body, 'answer')
}

export function savedTitleProblem(title: string): string | undefined {
  const length = lengthOf(title.trim())
  if (length === 0) return 'Please enter a title'
  if (/\p{Cc}/u.test(title.trim())) return 'A title must be a single line'
  if (length > SAVED_TITLE_MAX) return `A title can have at most ${SAVED_TITLE_MAX} characters`
  return undefined
}

/** An answer mustn't go out with a placeholder in it. */
export function answerProblem(text: string): string | undefined {
  const [open] = text.match(PLACEHOLDER) ?? []
  if (open) return `Please replace ${open} first`
  return messageProblem(text, 'answer')
}

export const filledIn = (body: string, values: Record<Placeholder, string>) =>
  body.replace(PLACEHOLDER, (_, name: Placeholder) => values[name])
