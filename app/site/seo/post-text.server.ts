/** The words of a post without its looks, for programs that read no HTML. */

/** What begins a line of its own. */
const LINES = /<(?:br|hr|\/p|\/h[1-6]|\/li|\/pre|\/blockquote|\/tr)\b[^<>]*>/g
const TAGS = /<[^<>]*>/g
const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#x27': "'",
}

/** @param html as our own markdown makes it: in its texts and attributes every "<" is escaped */
export const textOfHtml = (html: string): string =>
  html
    .replace(LINES, '\n')
    .replace(TAGS, '')
    .replace(/&(amp|lt|gt|quot|#39|#x27);/g, (whole, name) => ENTITIES[name] ?? whole)
    .replace(/(?<![ \t])[ \t]*\n\s*/g, '\n')
    .trim()
