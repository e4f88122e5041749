/** RFC 4180, section 2. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`

/**
 * Spreadsheets execute a cell that begins with one of these characters, or with its full-width form. An apostrophe makes
 * the cell text (OWASP).
 */
const formula = /^[=+\-@\t\r\n＝＋－＠]/

/** Some spreadsheets begin a new cell here, depending on their language. */
const innerFormula = /([;\t\r\n]"*)(?=[=+\-@＝＋－＠])/g

function csvCell(text: string): string {
  const safe = (formula.test(text) ? `'${text}` : text).replace(innerFormula, "$1'")
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
