import type { QueryConfig } from 'pg'
import { sha256 } from '../lib/hash.ts'

const limit = 500

/**
 * Names statements by their text. Without a name PostgreSQL parses and plans each one anew, which makes a look-up take
 * up to three times as long. The number of names is bounded; what comes later goes without.
 */
export function statementNames(): (text: string, values: readonly unknown[]) => QueryConfig {
  const names = new Map<string, string>()
  return (text, values) => {
    // Several statements in one text, as in SQL files, have no values and cannot have a name.
    if (values.length === 0) return { text }
    if (!names.has(text) && names.size < limit) names.set(text, `w_${sha256(text).slice(0, 24)}`)
    return { name: names.get(text), text, values: [...values] }
  }
}
