const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Also safe in quoted attributes. */
export const escaped = (text: string) =>
  text.replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter)
