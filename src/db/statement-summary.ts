export interface StatementSummary {
  operation: string
  table: string | undefined
}

const limit = 1_000
const summaries = new Map<string, StatementSummary>()

/** The summary contains the operation and one table name, but no other part of the text. */
export function summaryOf(text: string): StatementSummary {
  const known = summaries.get(text)
  if (known) return known
  const summary = readSummary(text.replace(literal, "''"))
  if (summaries.size < limit) summaries.set(text, summary)
  return summary
}

const literal = /'(?:[^']|'')*'/g
/** Matches the changed table because a statement with `WITH` may change one table and read others. */
const change = /\b(INSERT)\s+INTO\s+|\b(UPDATE)\s+(?!SKIP\b|OF\b|SET\b)|\b(DELETE)\s+FROM\s+/i
const first = /^\s*(?:--[^\n]*\n\s*)*([a-z]+)/i
const name = /^(?:only\s+)?(?:"?[a-z_]\w*"?\.)?"?([a-z_]\w*)"?/i
const operations = new Set([
  'SELECT',
  'INSERT',
  'UPDATE',
  'DELETE',
  'BEGIN',
  'START',
  'COMMIT',
  'ROLLBACK',
  'SET',
  'LOCK',
])

function readSummary(text: string): StatementSummary {
  const start = (first.exec(text)?.[1] ?? '').toUpperCase()
  const mayChange = start === 'WITH' || start === 'INSERT' || start === 'UPDATE' || start === 'DELETE'
  const changed = mayChange ? change.exec(text) : null
  if (changed) {
    const operation = (changed[1] ?? changed[2] ?? changed[3] ?? '').toUpperCase()
    return { operation, table: tableAt(text, changed.index + changed[0].length) }
  }
  const operation = start === 'WITH' ? 'SELECT' : start
  if (operation !== 'SELECT') return { operation: operations.has(operation) ? operation : '_OTHER', table: undefined }
  const from = /\bFROM\s+(?=["a-z_])/i.exec(text)
  return { operation, table: from ? tableAt(text, from.index + from[0].length) : undefined }
}

const tableAt = (text: string, position: number): string | undefined =>
  name.exec(text.slice(position))?.[1]?.toLowerCase()
