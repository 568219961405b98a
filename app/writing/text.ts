/** What people write: its clean form, and a plain line of it. Runs in the browser too: no I/O here. */

export const EXCERPT_MAX = 220
/** An excerpt is made from the beginning alone, so that a long text costs no more than a short one. */
const EXCERPT_SOURCE = 4_000

/** The line ends of all systems, and those that only Unicode knows. */
const LINE_ENDS = /\r\n?|[\u0085\u2028\u2029]/g

/**
 * Characters that nobody sees. Overrides of the direction make "exe.txt" of "txt.exe"; invisible
 * ones carry the watermark of a company's document into a post that was copied from it.
 */
const UNSEEN = /[\u00ad\u180e\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g

/** Control characters but for the line end and the tab, and halves of a character (`Cs`). */
const CONTROLS = /(?![\n\t])\p{Cc}|\p{Cs}/gu

/** Invisible letters, which have an honest use in three flags: after a black flag, up to their end. */
const TAGS = /(\u{1f3f4}[\u{e0061}-\u{e007a}]{2,6}\u{e007f})|[\u{e0000}-\u{e007f}]/gu

/**
 * A joiner, or its opposite, that joins nothing: scripts such as Persian and Hindi, and emoji of
 * several parts, need one between two of theirs; these letters never do.
 */
const UNJOINED = '\\p{sc=Latin}\\p{sc=Greek}\\p{sc=Cyrillic}\\p{sc=Han}'
const JOINED = `(?:(?![${UNJOINED}])\\p{L}|\\p{Extended_Pictographic})`
/** Accents of any script count as Latin, but for the vowel signs of Arabic, and what colours an emoji. */
const BEFORE_JOINER =
  `(?:(?![${UNJOINED}\\p{sc=Inherited}])[\\p{L}\\p{M}]|[\\u064b-\\u0655\\u0670\\ufe0f]|` +
  '\\p{Extended_Pictographic}|\\p{EMod})'
const IDLE_JOINERS = new RegExp(
  `(?<!${BEFORE_JOINER})[\\u200c\\u200d]|[\\u200c\\u200d](?!${JOINED})`,
  'gu',
)

/**
 * A text as it is kept: one kind of line end, composed letters (NFC), nothing invisible but the
 * joiners that scripts and emoji need, no control characters, no space at its end.
 */
export function cleanText(text: string): string {
  return text
    .replace(LINE_ENDS, '\n')
    .replace(UNSEEN, '')
    .replace(CONTROLS, '')
    .replace(TAGS, '$1')
    .replace(IDLE_JOINERS, '')
    .normalize('NFC')
    .trimEnd()
}

/** The same of a name, a title, whatever stands in one line. */
export const oneLine = (text: string) => cleanText(text).replace(/\s+/g, ' ').trim()

/**
 * The beginning of a markdown text as one plain line, cut after a word, with "…". It is text and no
 * HTML: whoever shows it escapes it.
 * @param max characters, the "…" among them
 */
export function excerptOf(text: string, max = EXCERPT_MAX): string {
  const lines = text.slice(0, EXCERPT_SOURCE).split('\n').map(plainLine)
  const isCut = text.length > EXCERPT_SOURCE
  return cutAtWord(withoutSyntax(lines.join(' ')).replace(/\s+/g, ' ').trim(), max, isCut)
}

/** Lines of syntax alone: fences, rules, what separates a table's head, where a reference leads. */
const EMPTY_LINES = [
  /^\s*(?:`{3,}|~{3,})[^`]*$/,
  /^\s*(?:[-*_=]\s*){3,}$/,
  /^\s*\|?[\s:|-]*-[\s:|-]*\|[\s:|-]*$/,
  /^\s{0,3}\[[^\]]{1,100}\]:\s*\S+/,
]

const LINE_START = /^\s*(?:(?:>|[-+*](?=\s)|\d{1,9}[.)](?=\s))\s*){0,20}(?:#{1,6}(?=\s|$))?/

function plainLine(line: string): string {
  if (EMPTY_LINES.some((pattern) => pattern.test(line))) return ''
  return line.replace(LINE_START, '').replace(/\s#+\s*$/, '')
}

/** What a backslash protects is set aside as private characters while the syntax goes. */
const PRIVATE_USE = 0xf000

/** `[label](address "title")`, or an image; the address may hold brackets in pairs. */
const INLINE_LINK =
  /!?\[([^[\]]{0,300})\]\((?:[^()\s]|\([^()\s]{0,100}\)){0,500}(?: [^()]{0,100})?\)/g

function withoutSyntax(line: string): string {
  return (
    line
      .replace(/[\uf000-\uf07f]/g, '')
      .replace(/\\([!-/:-@[-`{-~])/g, (_, mark: string) =>
        String.fromCharCode(PRIVATE_USE + mark.charCodeAt(0)),
      )
      .replace(INLINE_LINK, '$1')
      // Once more: an image may be what a link shows.
      .replace(INLINE_LINK, '$1')
      .replace(/!?\[([^[\]]{1,300})\]\[[^[\]]{0,100}\]/g, '$1')
      .replace(/<((?:https?:\/\/|mailto:)[^<>\s]{1,500})>/gi, '$1')
      .replace(/\*+|~~|`+/g, (marks, at: number) => (isSpaced(line, at, marks) ? marks : ''))
      .replace(/(?<![\p{L}\p{N}_])_+(?=\S)|(?<=\S)_+(?![\p{L}\p{N}_])/gu, '')
      .replace(/\|/g, ' ')
      .replace(/[\uf000-\uf07f]/g, (held) => String.fromCharCode(held.charCodeAt(0) - PRIVATE_USE))
  )
}

/** True for a mark that stands alone, as in "2 * 3": it marks nothing. */
const isSpaced = (line: string, at: number, marks: string) =>
  /\s/.test(line.charAt(at - 1)) && /\s/.test(line.charAt(at + marks.length))

function cutAtWord(line: string, max: number, isCut: boolean): string {
  if (line.length <= max && !isCut) return line
  const room = line.slice(0, max - 1)
  const isWordsEnd = /^\s?$/.test(line.charAt(max - 1))
  const lastSpace = isWordsEnd ? room.length : room.lastIndexOf(' ')
  // A word that fills half of the line is cut, and no emoji in two.
  const end = lastSpace > max / 2 ? lastSpace : room.length
  return `${room
    .slice(0, end)
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/[\s.,;:!?…–—-]+$/, '')}…`
}

/** Lower case, without accents: "Nestlé" and "NESTLE" read the same. What is sorted. */
export const foldText = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .normalize('NFC')
