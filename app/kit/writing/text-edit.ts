/** What the toolbar does to a text and its selection. */

export interface Selected {
  text: string
  /** Counted in UTF-16 units, as browsers do. */
  start: number
  end: number
}

export type TextEdit = 'bold' | 'italic' | 'quote' | 'code' | 'link' | 'list'

/** Most edits undo themselves when repeated. */
export function editText(selected: Selected, edit: TextEdit): Selected {
  if (edit === 'bold') return wrap(selected, '**', 'bold text')
  if (edit === 'italic') return wrap(selected, '_', 'italic text')
  if (edit === 'quote') return prefixLines(selected, '> ')
  if (edit === 'list') return prefixLines(selected, '- ')
  if (edit === 'link') return link(selected)
  const { text, start, end } = selected
  return text.slice(start, end).includes('\n') ? fence(selected) : wrap(selected, '`', 'code')
}

/** Adds `mark` on both sides, or removes it. */
function wrap({ text, start, end }: Selected, mark: string, placeholder: string): Selected {
  const size = mark.length
  const inside = text.slice(start, end)
  if (text.slice(start - size, start) === mark && text.slice(end, end + size) === mark)
    return {
      text: text.slice(0, start - size) + inside + text.slice(end + size),
      start: start - size,
      end: end - size,
    }
  if (inside.length > 2 * size && inside.startsWith(mark) && inside.endsWith(mark)) {
    const bare = inside.slice(size, -size)
    return splice(text, start, end, bare, 0, bare.length)
  }
  const words = inside || placeholder
  return splice(text, start, end, mark + words + mark, size, size + words.length)
}

/** Adds `prefix` to all selected lines, or removes it if all have it. */
function prefixLines({ text, start, end }: Selected, prefix: string): Selected {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const next = text.indexOf('\n', end)
  const to = next < 0 ? text.length : next
  const lines = text.slice(from, to).split('\n')
  const changed = lines.every((line) => line.startsWith(prefix))
    ? lines.map((line) => line.slice(prefix.length))
    : lines.map((line) => prefix + line)
  const block = changed.join('\n')
  // Right after a paragraph, it would count as part of that paragraph.
  const gap = from > 0 && text[from - 2] !== '\n' && block.startsWith(prefix) ? '\n' : ''
  const after = splice(text, from, to, gap + block, gap.length, gap.length + block.length)
  return start === end ? { ...after, start: after.end } : after
}

function fence({ text, start, end }: Selected): Selected {
  const inside = text.slice(start, end).replace(/\n$/, '')
  const before = start > 0 && text[start - 1] !== '\n' ? '\n' : ''
  const after = end < text.length && text[end] !== '\n' ? '\n' : ''
  const opening = `${before}\`\`\`\n`
  const block = `${opening}${inside}\n\`\`\`${after}`
  return splice(text, start, end, block, opening.length, opening.length + inside.length)
}

/** The selection becomes the link's text, or its address if it looks like one. */
function link({ text, start, end }: Selected): Selected {
  const inside = text.slice(start, end)
  if (/^https?:\/\/\S+$/i.test(inside))
    return splice(text, start, end, `[link text](${inside})`, 1, 10)
  const words = inside || 'link text'
  const from = words.length + 3
  return splice(text, start, end, `[${words}](https://)`, from, from + 8)
}

/** Replaces a part and selects `from` to `to` of the replacement. */
function splice(
  text: string,
  start: number,
  end: number,
  part: string,
  from: number,
  to: number,
): Selected {
  return {
    text: text.slice(0, start) + part + text.slice(end),
    start: start + from,
    end: start + to,
  }
}

/** The smallest part that differs, so the browser can undo typing into a selection. */
export function changeOf(before: string, after: string) {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let same = 0
  while (
    same < shorter - start &&
    before[before.length - 1 - same] === after[after.length - 1 - same]
  )
    same++
  return { start, end: before.length - same, text: after.slice(start, after.length - same) }
}
