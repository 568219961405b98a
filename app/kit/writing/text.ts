/** What people write: its clean form, its beginning, its place in an address. Runs in the browser too: no I/O here. */

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

/** Scripts whose letters look different beside a joiner, or beside its opposite, also at a word's end. */
const JOINING =
  'Arab Syrc Mand Nkoo Mong Phag Adlm Rohg Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Mymr Khmr Bali Java'
    .split(' ')
    .map((script) => `\\p{scx=${script}}`)
    .join('')
/** Joins nothing: it stands behind no letter or mark of these scripts, and not between two parts of an emoji. */
const IDLE_JOINERS = new RegExp(
  `(?<!(?=[\\p{L}\\p{M}])[${JOINING}])[\\u200c\\u200d]` +
    '(?:(?<![\\p{Extended_Pictographic}\\p{EMod}\\ufe0f].)|(?!\\p{Extended_Pictographic}))',
  'gu',
)

/** Without the invisible characters that nobody needs; its lines and spaces stay. */
export const withoutUnseen = (text: string) =>
  text.replace(UNSEEN, '').replace(CONTROLS, '').replace(TAGS, '$1').replace(IDLE_JOINERS, '')

/** What shows nothing by itself: joiners, the colour of an emoji, fillers of Hangul, and letters that look like a space. */
const BLANKS = /[\p{Default_Ignorable_Code_Point}\p{Cs}\u2800\ufff9-\ufffb\u{1d159}]|(?!\s)\p{Cc}/gu

/** A text without what shows nothing, but with its spaces. */
export const visibleText = (text: string) => text.replace(BLANKS, '')

/** True for a text that shows nothing, whatever it's made of. */
export const isBlank = (text: string) => visibleText(text).trim() === ''

/**
 * A text as it is kept: one kind of line end, composed letters (NFC), nothing invisible but the
 * joiners that scripts and emoji need, no control characters, no space at its end. Empty if it shows nothing.
 */
export const cleanText = (text: string): string =>
  isBlank(text) ? '' : withoutUnseen(text.replace(LINE_ENDS, '\n')).normalize('NFC').trimEnd()

/** The same of a name, a title, whatever stands in one line. */
export const oneLine = (text: string) => cleanText(text).replace(/\s+/g, ' ').trim()

const GRAPHEMES =
  'Segmenter' in Intl ? new Intl.Segmenter('en', { granularity: 'grapheme' }) : undefined

/** No honest letter is longer. */
const CLUSTER_MAX = 64
/** What is read as one letter may go on behind a place by one more character, of two units at most. */
const ONE_MORE = 2

/**
 * The beginning of a text, cut where a letter ends as people read it (a grapheme cluster): no emoji,
 * flag or syllable is cut in two. Whoever cuts what people wrote cuts it here.
 * @param max UTF-16 units, as `length` counts. Of a pile of marks that is longer than any letter, those that
 * fit. In a browser that knows no clusters it's cut between characters.
 */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  const beginning = text.slice(0, max + ONE_MORE)
  const end = GRAPHEMES ? GRAPHEMES.segment(beginning).containing(max)?.index : max
  const isEndless = end === 0 && max >= CLUSTER_MAX
  return text.slice(0, isEndless ? max : end).replace(/[\ud800-\udbff]$/, '')
}

/** What is read as its first letter; '' for an empty text. */
export const firstLetter = (text: string): string =>
  (GRAPHEMES
    ? GRAPHEMES.segment(text.slice(0, CLUSTER_MAX)).containing(0)?.segment
    : [...text][0]) ?? ''

/**
 * A plain line, cut after a word where one ends in its second half, with "…".
 * @param max UTF-16 units, the "…" among them
 * @param isCut true where the line is the beginning of a longer text
 */
export function shortened(line: string, max: number, isCut = false): string {
  if (line.length <= max && !isCut) return line
  const room = cutText(line, max - 1)
  const lastSpace = /^\s?$/.test(line.charAt(room.length)) ? room.length : room.lastIndexOf(' ')
  const end = lastSpace > max / 2 ? lastSpace : room.length
  return `${room.slice(0, end).replace(/(?<![\s.,;:!?…–—-])[\s.,;:!?…–—-]+$/, '')}…`
}

/** Accents of letters that ASCII has, and what colors an emoji. */
const SLUG_DROPS = /(?<=[\p{sc=Latin}\p{N}])\p{M}+|(?<![\p{L}\p{N}\p{M}])\p{M}+|[\p{VS}\u200d]/gu

/** A slug as it was made, however it was typed. */
export const slugKey = (typed: string) =>
  typed.normalize('NFD').toLowerCase().replace(SLUG_DROPS, '').normalize('NFC')

/**
 * Lower-cased text, each run of non-alphanumeric characters a single hyphen, none at the ends; '' for a
 * text without letters or digits. Spec §2.1. Latin letters lose their accents ("Nestlé" is `nestle`);
 * those of other scripts stay as they are, with their marks.
 */
export const slugOf = (text: string) =>
  slugKey(text)
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-|-$/g, '')

/** Lower case, without accents: "Nestlé" and "NESTLE" read the same. What is sorted. */
export const foldText = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .normalize('NFC')
