/** User text: cleaned, cut, and as a slug. Runs in the browser too, so no I/O here. */

/** Line ends of all systems, and Unicode's own. */
const LINE_ENDS = /\r\n?|[\u0085\u2028\u2029]/g

/**
 * Invisible characters. Direction overrides turn "txt.exe" into "exe.txt", and others can carry a document's watermark
 * into a post.
 */
const UNSEEN = /[\u00ad\u180e\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g

/** Control characters except line end and tab, and halves of a character (`Cs`). */
const CONTROLS = /(?![\n\t])\p{Cc}|\p{Cs}/gu

/** Invisible letters. Three flags use them honestly: after a black flag, up to the end mark. */
const TAGS = /(\u{1f3f4}[\u{e0061}-\u{e007a}]{2,6}\u{e007f})|[\u{e0000}-\u{e007f}]/gu

/** Scripts whose letters look different next to a joiner or non-joiner, even at a word's end. */
const JOINING =
  'Arab Syrc Mand Nkoo Mong Phag Adlm Rohg Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Mymr Khmr Bali Java'
    .split(' ')
    .map((script) => `\\p{scx=${script}}`)
    .join('')
/** Joiners that join nothing, because they aren't after these scripts' letters or marks, or within an emoji. */
const IDLE_JOINERS = new RegExp(
  `(?<!(?=[\\p{L}\\p{M}])[${JOINING}])[\\u200c\\u200d]` +
    '(?:(?<![\\p{Extended_Pictographic}\\p{EMod}\\ufe0f].)|(?!\\p{Extended_Pictographic}))',
  'gu',
)

/** Drops needless invisible characters. Lines and spaces stay. */
export const withoutUnseen = (text: string) =>
  text.replace(UNSEEN, '').replace(CONTROLS, '').replace(TAGS, '$1').replace(IDLE_JOINERS, '')

/** Shows nothing by itself: joiners, emoji variants, Hangul fillers, and letters that look like a space. */
const BLANKS = /[\p{Default_Ignorable_Code_Point}\p{Cs}\u2800\ufff9-\ufffb\u{1d159}]|(?!\s)\p{Cc}/gu

export const visibleText = (text: string) => text.replace(BLANKS, '')

/** Whether a text shows nothing, whatever it's made of. */
export const isBlank = (text: string) => visibleText(text).trim() === ''

/**
 * A text as we store it: one kind of line end, NFC, no invisible characters except needed joiners, no control
 * characters, no space at the end. Empty if it shows nothing.
 */
export const cleanText = (text: string): string =>
  isBlank(text) ? '' : withoutUnseen(text.replace(LINE_ENDS, '\n')).normalize('NFC').trimEnd()

/** `cleanText` for one line, such as a name or title. */
export const oneLine = (text: string) => cleanText(text).replace(/\s+/g, ' ').trim()

/** `cleanText` for a note or message. */
export const tidyText = (text: string) => cleanText(text).trim()

/** Characters as PostgreSQL counts them, in code points: an emoji is one. Limits of texts mean these. */
export const lengthOf = (text: string) => [...text].length

/** @param text tidied, as it's stored @param what such as "reason" */
export const lengthProblem = (text: string, max: number, what = 'note') =>
  lengthOf(text) > max
    ? `A ${what} can have at most ${max.toLocaleString('en')} characters`
    : undefined

/** `lengthProblem` of what people typed. */
export const noteProblem = (note: string, max: number, what = 'note') =>
  lengthProblem(tidyText(note), max, what)

const GRAPHEMES =
  'Segmenter' in Intl ? new Intl.Segmenter('en', { granularity: 'grapheme' }) : undefined

/** No real letter is longer. */
const CLUSTER_MAX = 64
/** A letter may continue for one more character, of up to two units. */
const ONE_MORE = 2

/**
 * Cuts between grapheme clusters, so no emoji, flag or syllable is split. Always use this to cut user text. @param max
 * UTF-16 units. A longer pile of marks keeps those that fit. Browsers that don't know clusters cut between characters
 */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  const beginning = text.slice(0, max + ONE_MORE)
  const end = GRAPHEMES ? GRAPHEMES.segment(beginning).containing(max)?.index : max
  const isEndless = end === 0 && max >= CLUSTER_MAX
  return text.slice(0, isEndless ? max : end).replace(/[\ud800-\udbff]$/, '')
}

/** The first letter as people read it, or ''. */
export const firstLetter = (text: string): string =>
  (GRAPHEMES
    ? GRAPHEMES.segment(text.slice(0, CLUSTER_MAX)).containing(0)?.segment
    : [...text][0]) ?? ''

/**
 * One line, cut after a word in its second half if possible, with "…".
 * @param max UTF-16 units, including the "…"
 * @param isCut true if the line is the beginning of a longer text
 */
export function shortened(line: string, max: number, isCut = false): string {
  if (line.length <= max && !isCut) return line
  const cut = cutText(line, max - 1)
  const lastSpace = /^\s?$/.test(line.charAt(cut.length)) ? cut.length : cut.lastIndexOf(' ')
  const end = lastSpace > max / 2 ? lastSpace : cut.length
  return `${cut.slice(0, end).replace(/(?<![\s.,;:!?…–—-])[\s.,;:!?…–—-]+$/, '')}…`
}

/** Accents of ASCII letters, and emoji variants. */
const SLUG_DROPS = /(?<=[\p{sc=Latin}\p{N}])\p{M}+|(?<![\p{L}\p{N}\p{M}])\p{M}+|[\p{VS}\u200d]/gu

/** The slug as we made it, no matter how it was typed. */
export const slugKey = (typed: string) =>
  typed.normalize('NFD').toLowerCase().replace(SLUG_DROPS, '').normalize('NFC')

/**
 * Lower case, with each run of other characters as one hyphen, and no hyphens at the ends. '' without letters or digits.
 * Spec §2.1. Latin letters lose their accents ("Nestlé" is `nestle`), other scripts keep their marks.
 */
export const slugOf = (text: string) =>
  slugKey(text)
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-|-$/g, '')

const SLUG_SUFFIX_MAX = 60

/** Makes an address readable, with its hyphen. Only the id in front of it counts. */
export function slugSuffix(title: string): string {
  const suffix = cutText(slugOf(title), SLUG_SUFFIX_MAX).replace(/-$/, '')
  return suffix && `-${suffix}`
}

/** Lower case without accents, for sorting: "Nestlé" and "NESTLE" are the same. */
export const foldText = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .normalize('NFC')
