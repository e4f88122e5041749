/** RFC 4180, section 2. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** Spreadsheets execute a cell that begins with one of these characters. An apostrophe makes the cell text (OWASP). */
const formula = /^[=+\-@\t\r\n]/

function csvCell(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
