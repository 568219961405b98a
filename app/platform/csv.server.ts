type Cell = string | number

/** RFC 4180. */
export const csvText = (rows: readonly (readonly Cell[])[]) =>
  rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('')

/** What spreadsheets take for a formula, even after spaces or in full width. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/

/** With an apostrophe before it, spreadsheets show a text that looks like a formula as it is. */
function cellText(cell: Cell): string {
  if (typeof cell === 'number') return String(cell)
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
