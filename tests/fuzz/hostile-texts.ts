/** Texts that a database can store, but that break careless readers. The same ones each time. */
import { createRandom } from '../../bench/data/random.ts'

/** Used wherever a text may be cut, and characters that mean something to some reader. */
const PIECES = [
  '𠮷',
  '🇩🇪',
  '👩\u200d💻',
  '👍🏽',
  '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
  'e\u0301',
  `z${'\u0301'.repeat(40)}`,
  '각'.normalize('NFD'),
  'हिन्दी',
  'เงินเดือน',
  'パスワード',
  'می\u200cخواهم',
  '\u202e',
  '\u2066',
  '\u200b',
  '\ufeff',
  '\u2028',
  '\u0085',
  '\u0001',
  '\u001b[0m',
  '\ufffe',
  '\uffff',
  '\ufdd0',
  '\u{1fffe}',
  '\ue000',
  '\ufffd',
  '%',
  '%00',
  '%ed%a0%80',
  '%2e%2e',
  '"',
  "'",
  '<',
  '&',
  '&amp;',
  '&#0;',
  ']]>',
  '<!--',
  '</script>',
  '<svg onload=a>',
  '\\',
  '\\u0000',
  '/',
  '//',
  '..',
  '.',
  '?',
  '#',
  ';',
  ',',
  '=cmd()',
  '@SUM',
  '+1',
  '-',
  '--',
  '|',
  '`',
  '**',
  '__',
  '[a](b)',
  '{{a}}',
  '\n',
  '\r\n',
  '\t',
  ' ',
  '\u00a0',
  '\u3000',
  'İ',
  'ß',
  'ﬁ',
  'admin',
  'api',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  'w',
  'word',
  '0',
  '١',
  '½',
  '²',
]

/** Our code cuts texts at these lengths. */
const CUTS = [24, 40, 59, 60, 79, 99, 100, 119, 139, 159]

/**
 * @param shortest in characters as the database counts them, up to `longest`
 * @returns each text once
 */
export function hostileTexts(many: number, { shortest = 1, longest = 160 }): string[] {
  const random = createRandom(37, `${many} ${shortest} ${longest}`)
  const texts = new Set<string>()
  const add = (text: string) => {
    const fitting = Array.from(text).slice(0, longest).join('')
    const filled = fitting + 'w'.repeat(Math.max(0, shortest - Array.from(fitting).length))
    if (filled.trim() !== '') texts.add(filled)
  }
  const mixed = () =>
    Array.from({ length: 1 + random.below(30) }, () => random.pick(PIECES)).join('')
  for (let n = 0; texts.size < many; n++) {
    const round = Math.floor(n / PIECES.length)
    const piece = PIECES[n % PIECES.length] as string
    const cut = CUTS[(n + round) % CUTS.length] as number
    add(`${'w'.repeat(Math.min(cut, longest - 1))}${piece} wages`)
    if (round > 0) add(mixed())
    if (round === 1) add(piece.repeat(longest))
  }
  return [...texts].slice(0, many)
}
