/** Texts to authors with placeholders: {reason}, {company}, {title}. Runs in the browser too: no I/O here. */

export const PLACEHOLDERS = ['reason', 'company', 'title'] as const
type Placeholder = (typeof PLACEHOLDERS)[number]
export const PLACEHOLDERS_TEXT = '{reason}, {company} and {title}'

export const TEMPLATE_NAME_MAX = 60

/** What is wrong with a template that is to be kept, of each of its fields. */
export const templateProblems = ({ name, body }: { name: string; body: string }) => ({
  name: name.trim() ? undefined : 'A template needs a name',
  body: body.trim() ? placeholderProblem(body) : 'A template needs words',
})

/** A template takes the place of another one, and goes behind words of one's own. */
export function withTemplate(note: string, body: string, templates: readonly { body: string }[]) {
  const isOwn = note.trim() !== '' && !templates.some((each) => each.body === note)
  return isOwn ? `${note.trimEnd()}\n\n${body}` : body
}

/** A brace with all that could be meant by it, or one that has no other. */
const BRACES = /\{([^{}]*)\}|[{}]/g

/** Why a text cannot be filled; undefined when it can. */
export function placeholderProblem(text: string): string | undefined {
  for (const [found, name] of text.matchAll(BRACES)) {
    if (found === '{') return 'A “{” is not closed by a “}”'
    if (found === '}') return 'A “}” has no “{” before it'
    if (!isPlaceholder(name ?? ''))
      return `“${found}” cannot be filled. There are ${PLACEHOLDERS_TEXT}.`
  }
  return undefined
}

/**
 * The text with every placeholder filled, or why that cannot be: never one without the other.
 * @param values null for what this post has not
 */
export function filledText(
  text: string,
  values: Record<Placeholder, string | null>,
): { text: string } | { problem: string } {
  const problem = placeholderProblem(text)
  if (problem) return { problem }
  const missing = PLACEHOLDERS.find((name) => values[name] === null && text.includes(`{${name}}`))
  if (missing) return { problem: `This post has no ${missing} to put in place of “{${missing}}”` }
  return {
    text: text.replace(BRACES, (_, name: string) => values[name as Placeholder] ?? ''),
  }
}

const isPlaceholder = (name: string): name is Placeholder =>
  (PLACEHOLDERS as readonly string[]).includes(name)
