// Reads a `.env` as people write it, alike on every Node. Refuses what could mean two things, because a password that
// silently ends early is hard to find.

const LINE = /^(?:export\s+)?([A-Za-z_][\w.-]*)[\s\p{Cf}]*=(.*)$/u

/** Without the spaces at both ends, also those that no one sees. */
const trimmed = (text) => text.replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, '')
const isComment = (text) => /^[\s\p{Cf}]*(#|$)/u.test(text)

/**
 * @param {Buffer} bytes
 * @returns {{ settings: Record<string, string>; problem?: string }} the problem is a sentence without any value
 */
export function settingsIn(bytes) {
  const settings = {}
  const stop = (problem) => ({ settings: {}, problem })
  const text = textOf(bytes)
  if (text === undefined) return stop('.env isn’t plain text. Save it as UTF-8.')
  const lines = text.split(/\r\n?|\n/)
  for (let at = 0; at < lines.length; at++) {
    if (isComment(lines[at])) continue
    const [, name, written] = LINE.exec(trimmed(lines[at])) ?? []
    if (!name) return stop(`Line ${at + 1} of .env isn’t NAME=value.`)
    let value = trimmed(written)
    const quote = /^["'`]/.exec(value)?.[0]
    if (quote) {
      value = lines[at].slice(lines[at].indexOf(quote) + 1)
      while (!value.includes(quote) && at + 1 < lines.length) value += `\n${lines[++at]}`
      const end = value.indexOf(quote)
      if (end < 0) return stop(`The setting ${name} in .env has no closing quote.`)
      if (!isComment(value.slice(end + 1)))
        return stop(
          `The setting ${name} in .env goes on after its closing quote. Use quotes that it doesn’t contain: ', " or \`.`,
        )
      value = value.slice(0, end)
      if (quote === '"') value = value.replaceAll('\\n', '\n')
    } else {
      value = trimmed(written.replace(/\s#.*$/, ''))
      if (value.includes('#'))
        return stop(`The setting ${name} in .env contains a #. Put its value in quotes.`)
    }
    // Like an empty variable, an empty line hides nothing.
    if (value !== '' || !settings[name]) settings[name] = value
  }
  return { settings }
}

/** Windows also writes UTF-16. Undefined if it's neither. */
function textOf(bytes) {
  const mark = bytes.toString('latin1', 0, 2)
  const encoding = { '\xff\xfe': 'utf-16le', '\xfe\xff': 'utf-16be' }[mark] ?? 'utf-8'
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}
