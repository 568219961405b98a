/** Texts to authors with placeholders: {reason}, {company}, {title}. */

import { noteProblem } from '#app/kit/writing/text.ts'
import { NOTE_TO_AUTHOR_MAX } from './report.ts'

export const PLACEHOLDERS = ['reason', 'company', 'title'] as const
type Placeholder = (typeof PLACEHOLDERS)[number]
export const PLACEHOLDERS_TEXT = '{reason}, {company} and {title}'

export const TEMPLATE_NAME_MAX = 60

export const templateProblems = ({ name, body }: { name: string; body: string }) => ({
  name: name.trim() ? noteProblem(name, TEMPLATE_NAME_MAX, 'name') : 'A template needs a name',
  body: body.trim()
    ? (noteProblem(body, NOTE_TO_AUTHOR_MAX, 'template') ?? placeholderProblem(body))
    : 'A template needs text',
})

/** The text replaces another template's, or follows what the moderator typed. */
export function withTemplate(note: string, body: string, templates: readonly { body: string }[]) {
  const isOwn = note.trim() !== '' && !templates.some((each) => each.body === note)
  return isOwn ? `${note.trimEnd()}\n\n${body}` : body
}

const BRACES = /\{([^{}]*)\}|[{}]/g

/** @param note to an author, with placeholders or without */
export const noteToAuthorProblem = (note: string) =>
  noteProblem(note, NOTE_TO_AUTHOR_MAX) ?? placeholderProblem(note)

/** Why a text can't be filled in. */
export function placeholderProblem(text: string): string | undefined {
  for (const [found, name] of text.matchAll(BRACES)) {
    if (found === '{') return 'A “{” has no closing “}”'
    if (found === '}') return 'A “}” has no “{” before it'
    if (!isPlaceholder(name ?? ''))
      return `“${found}” isn’t a placeholder. Use ${PLACEHOLDERS_TEXT}.`
  }
  return undefined
}

/** All placeholders filled, or a problem. @param values null for what this post doesn't have */
export function filledText(
  text: string,
  values: Record<Placeholder, string | null>,
): { text: string } | { problem: string } {
  const problem = placeholderProblem(text)
  if (problem) return { problem }
  const missing = PLACEHOLDERS.find((name) => values[name] === null && text.includes(`{${name}}`))
  if (missing) return { problem: `This post has no ${missing} for “{${missing}}”` }
  return {
    text: text.replace(BRACES, (_, name: string) => values[name as Placeholder] ?? ''),
  }
}

const isPlaceholder = (name: string): name is Placeholder =>
  (PLACEHOLDERS as readonly string[]).includes(name)
