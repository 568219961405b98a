/**
 * An answer that is given often, kept with places for what differs: "{name}" is who wrote, "{site}" the
 * site. Runs in the browser too: no I/O here.
 */
import { messageProblem } from './contact.ts'

export const PLACEHOLDERS = ['name', 'site'] as const
export type Placeholder = (typeof PLACEHOLDERS)[number]

export const TITLE_MAX = 60
export const SAVED_MAX = 50

const PLACEHOLDER = /\{(name|site)\}/g
/** A brace that belongs to none, with what stands in it. */
const BROKEN = /\{[^{}\n]{0,30}\}?|\}/

/** What is wrong with a text that is to be saved, as a sentence. */
export function savedBodyProblem(body: string): string | undefined {
  const [broken] = BROKEN.exec(body.replace(PLACEHOLDER, '')) ?? []
  if (broken !== undefined)
    return `“${broken}” is no placeholder. There are {name}, who wrote, and {site}, this site.`
  return messageProblem(body, 'answer')
}

/** What is wrong with a title, as a sentence. */
export function savedTitleProblem(title: string): string | undefined {
  const { length } = title.trim()
  if (length === 0) return 'Please write a title'
  if (/\p{Cc}/u.test(title.trim())) return 'A title stands in one line'
  if (length > TITLE_MAX) return `A title has at most ${TITLE_MAX} characters`
  return undefined
}

/** What is wrong with an answer that is to go out, as a sentence: a place in it may be left open. */
export function answerProblem(text: string): string | undefined {
  const [open] = text.match(PLACEHOLDER) ?? []
  if (open) return `Please write what ${open} stands for`
  return messageProblem(text, 'answer')
}

export const filledIn = (body: string, values: Record<Placeholder, string>) =>
  body.replace(PLACEHOLDER, (_, name: Placeholder) => values[name])
