/** Text as HTML, for pages and mails that are written by hand. */

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Also fit to stand in an attribute between quotes. */
export const escaped = (text: string) =>
  text.replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter)
