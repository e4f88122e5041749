/** Follows RFC 4180, section 2. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** Spreadsheet programs evaluate cells that begin with these characters unless an apostrophe precedes them (OWASP). */
const formula = /^[=+\-@\t\r\n＝＋－＠]/

/** Depending on their language setting, some spreadsheet programs also begin a new cell at these characters. */
const innerFormula = /([;\t\r\n]"*)(?=[=+\-@＝＋－＠])/g

function csvCell(text: string): string {
  const safe = (formula.test(text) ? `'${text}` : text).replace(innerFormula, "$1'")
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
