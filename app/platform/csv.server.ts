type Cell = string | number

/** RFC 4180. */
export const csvText = (rows: readonly (readonly Cell[])[]) =>
  rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('')

/** What spreadsheets take for a formula, also behind spaces or in full width. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/

/** An apostrophe before a text that looks like a formula makes spreadsheets show it as is. */
function cellText(cell: Cell): string {
  if (typeof cell === 'number') return String(cell)
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
