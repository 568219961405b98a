/** How to read a file: its encoding, its separator, and where its titles and rows are. No I/O here. */

/** What TextDecoder calls them, most likely first. */
export const ENCODINGS = {
  'utf-8': 'UTF-8',
  'windows-1252': 'Windows-1252 (Western Europe)',
  'windows-1250': 'Windows-1250 (Central Europe)',
  'windows-1251': 'Windows-1251 (Cyrillic)',
  macintosh: 'Mac Roman',
  shift_jis: 'Shift_JIS (Japanese)',
  gb18030: 'GB18030 (Chinese)',
  big5: 'Big5 (Traditional Chinese)',
  'euc-kr': 'EUC-KR (Korean)',
  'iso-8859-15': 'ISO-8859-15 (Western Europe)',
  'windows-1254': 'Windows-1254 (Turkish)',
  'iso-8859-2': 'ISO-8859-2 (Central Europe)',
  'windows-1257': 'Windows-1257 (Baltic)',
  'windows-1253': 'Windows-1253 (Greek)',
  'windows-1255': 'Windows-1255 (Hebrew)',
  'windows-1256': 'Windows-1256 (Arabic)',
  'koi8-r': 'KOI8-R (Cyrillic)',
  'x-mac-cyrillic': 'Mac Cyrillic',
  ibm866: 'DOS (Cyrillic)',
  'euc-jp': 'EUC-JP (Japanese)',
  'windows-874': 'Windows-874 (Thai)',
  'utf-16le': 'UTF-16, low byte first',
  'utf-16be': 'UTF-16, high byte first',
} as const
export type Encoding = keyof typeof ENCODINGS
export const ENCODING_NAMES = Object.keys(ENCODINGS) as Encoding[]

/** Any other single character can be chosen, too. */
export const SEPARATORS: Record<string, string> = {
  ',': 'Commas',
  ';': 'Semicolons',
  '\t': 'Tabs',
  '|': 'Bars',
  '^': 'Carets',
  '~': 'Tildes',
  '\x1f': 'Unit separators',
  '\x01': 'Control-A',
  ':': 'Colons',
  width: 'Columns of a fixed width',
  none: 'A single column',
}

/** What someone chose. We recognise the rest. */
export interface Reading {
  encoding?: Encoding
  /** One character, "width" or "none". */
  separator?: string
  /** The row with the titles. 0 without titles. */
  titles?: number
  /** Where the rows are in JSON, such as "data.items". ROOT_LIST or EACH_VALUE for the file itself. */
  list?: string
}
export const ROOT_LIST = '.'
export const EACH_VALUE = ''

/** Something we can't tell for sure, with what the file would say. */
export interface ReadingQuestion {
  about: keyof Reading
  choices: ReadingChoice[]
}
export interface ReadingChoice {
  value: string | number
  /** Three rows. */
  rows: string[]
}

/** How a choice reads in a list, such as "Tabs". */
export function choiceName(about: keyof Reading, value: string | number): string {
  const text = String(value)
  if (about === 'encoding') return ENCODINGS[text as Encoding] ?? text
  if (about === 'separator') return SEPARATORS[text] ?? `“${text}”`
  if (about === 'titles') return value === 0 ? 'No titles' : `Titles in row ${text}`
  if (text === EACH_VALUE) return 'The file itself'
  return text === ROOT_LIST ? 'The whole list' : `The list “${text}”`
}

const ASKED: Record<keyof Reading, string> = {
  encoding: 'This file’s letters can be read in several ways',
  separator: 'This file’s columns can be told apart in several ways',
  titles: 'This file may not have titles',
  list: 'This file has several lists',
}
export const questionTitle = ({ about }: ReadingQuestion) => ASKED[about]

/** For those who can't choose from previews. */
export const questionSentence = ({ about, choices }: ReadingQuestion) =>
  `${ASKED[about]}: ${choices
    .map(({ value, rows }) => `${JSON.stringify(value)} gives “${rows.join(' / ')}”`)
    .join(', ')}. Say which with "${about}"`
