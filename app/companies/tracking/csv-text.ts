/** Tables as comma-separated values. RFC 4180. */

type Cell = string | number

/** Rows as text, each ended by CRLF. */
export const csvText = (rows: readonly (readonly Cell[])[]) =>
  rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('')

/** What spreadsheets take for a formula, some also behind blanks or in full width. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/

/**
 * Words in which nothing is calculated: an apostrophe before what looks like a formula makes a
 * spreadsheet show it as it is. Numbers are numbers.
 */
function cellText(cell: Cell): string {
  if (typeof cell === 'number') return String(cell)
  const words = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(words) ? `"${words.replaceAll('"', '""')}"` : words
}
