import type { CheckedRow } from './check-rows.ts'
import { isLostPasskey } from './prepare-passkeys.ts'

export interface Problem {
  line: number
  problem: string
}

/** A part of an imported user that was not kept, with the reason if the user's value is invalid. */
export interface LostPart {
  line: number
  lost: string
}

export interface ImportSummary {
  rows: number
  users: number
  present: number
  /** Users already imported who have another email address in the database. `line` is the first one's line. */
  changed: { users: number; line: number }
  problems: number
  /** The first problems. */
  shown: Problem[]
  roles: Map<string, number>
  applicationRoles: Map<string, number>
  hashes: Map<string, number>
  weakHashes: number
  withoutPassword: number
  lost: Map<string, number>
}

const maxShown = 20
/** Limits the memory used, because a file can contain any number of different values. */
const maxKinds = 200

export const newSummary = (): ImportSummary => ({
  rows: 0,
  users: 0,
  present: 0,
  changed: { users: 0, line: 0 },
  problems: 0,
  shown: [],
  roles: new Map(),
  applicationRoles: new Map(),
  hashes: new Map(),
  weakHashes: 0,
  withoutPassword: 0,
  lost: new Map(),
})

export function addToSummary(summary: ImportSummary, checked: CheckedRow): void {
  summary.rows++
  if (checked.outcome === 'present') addPresent(summary, checked)
  if (checked.outcome === 'problem') addProblem(summary, checked)
  for (const lost of lostIn(checked)) count(summary.lost, lost)
  if (checked.outcome !== 'new') return
  const { user, hash, fromRole } = checked
  summary.users++
  const { user_type } = user.row
  count(summary.roles, fromRole === '' || fromRole === user_type ? user_type : `${fromRole} → ${user_type}`)
  for (const { application, key } of user.grants) count(summary.applicationRoles, `${application}:${key}`)
  if (hash) count(summary.hashes, hash.kind)
  else summary.withoutPassword++
  if (hash?.isWeak) summary.weakHashes++
}

/** Includes the parts of rows with problems, so that the plan lists the unknown columns of every file. */
function lostIn(checked: CheckedRow): readonly string[] {
  const lost = (checked.outcome === 'problem' ? checked.lost : checked.outcome === 'new' ? checked.user.lost : []) ?? []
  return [...new Set(lost.filter((one) => !isLostPasskey(one))), ...lost.filter(isLostPasskey)]
}

function addPresent(summary: ImportSummary, { line, hasOtherEmail }: CheckedRow & { outcome: 'present' }): void {
  summary.present++
  if (!hasOtherEmail) return
  if (summary.changed.users === 0) summary.changed.line = line
  summary.changed.users++
}

function addProblem(summary: ImportSummary, { line, problem }: Problem): void {
  summary.problems++
  if (summary.shown.length < maxShown) summary.shown.push({ line, problem })
}

function count(counts: Map<string, number>, name: string): void {
  const known = counts.has(name) || counts.size < maxKinds ? name : 'others'
  counts.set(known, (counts.get(known) ?? 0) + 1)
}
