import { inviteUser } from '../admin/create-by-admin.ts'
import { operator } from '../admin/principal.ts'
import { noteSuperadmin } from '../admin/setup-link.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context, Transaction } from '../context.ts'
import { transact } from '../db/transact.ts'
import { recordEvents } from '../events/record.ts'
import type { ServiceEvent } from '../events/types.ts'
import { iso } from '../lib/time.ts'
import { findUser } from '../users/queries.ts'
import { noteRelyingParty } from '../webauthn/former-relying-party.ts'
import { offersPasskeys } from '../webauthn/relying-party.ts'
import { type CheckedRow, checkRows, compareRows, type ImportFile } from './check-rows.ts'
import { writeRoles } from './import-roles.ts'
import type { PreparedUser } from './prepare-user.ts'
import {
  insertImportedBlocks,
  insertImportedIdentities,
  insertImportedPasskeys,
  insertImportedUsers,
} from './queries.ts'
import { type RetryOutages, retryOutages } from './retry-outages.ts'
import { addToSummary, type ImportSummary, type LostPart, newSummary, type Problem } from './summary.ts'

export interface ImportWatch {
  progress?(summary: ImportSummary): void
  /** Called with every problem. The summary contains only the first problems. */
  problem?(problem: Problem): Promise<void> | void
  /** Called with every part of a user that is not imported. The summary contains only their numbers. */
  lost?(part: LostPart): Promise<void> | void
  /** Called once per outage of the database, before the work is repeated. */
  outage?(error: unknown): void
}

/** Reads the whole file and changes nothing. */
export async function planImport(ctx: Context, file: ImportFile, watch: ImportWatch = {}): Promise<ImportSummary> {
  const summary = newSummary()
  for await (const batch of checkRows(ctx, file, retryOf(watch))) await noteBatch(summary, batch, watch)
  return summary
}

export interface ImportRun extends ImportFile {
  /** Whether imported users without a password receive an email with a link to set one. */
  invite: boolean
}

const retryOf = (watch: ImportWatch): RetryOutages => retryOutages((error) => watch.outage?.(error))

/** Imports rows that have no problems, one transaction per batch. A repeated run skips users already imported. */
export async function runImport(ctx: Context, run: ImportRun, watch: ImportWatch = {}): Promise<ImportSummary> {
  const summary = newSummary()
  const retry = retryOf(watch)
  const writing: Promise<CheckedRow[]>[] = []
  let hashing: Promise<void> = Promise.resolve()
  const finishOne = async () => noteBatch(summary, (await writing.shift()) ?? [], watch)
  for await (const batch of checkRows(ctx, run, retry)) {
    const rows = batch.filter((checked) => checked.outcome === 'new')
    // One batch at a time, because more hashes than HASH_CONCURRENCY would have to wait in the queue, which is limited.
    hashing = hashing.then(() => setHashes(ctx, rows))
    const written = hashing.then(() => writeBatch(ctx, { ...run, retry }, batch, rows))
    // Prevents an unhandled rejection. `finishOne` throws the error when it awaits the batch.
    written.catch(() => {})
    writing.push(written)
    if (writing.length === maxWriting) await finishOne()
  }
  while (writing.length > 0) await finishOne()
  return summary
}

/** The maximum number of batches that are written at the same time. */
const maxWriting = 2

async function noteBatch(summary: ImportSummary, batch: readonly CheckedRow[], watch: ImportWatch): Promise<void> {
  for (const checked of batch) {
    addToSummary(summary, checked)
    if (checked.outcome === 'problem') await watch.problem?.(checked)
    if (checked.outcome !== 'new' || !watch.lost) continue
    for (const lost of new Set(checked.user.lost)) await watch.lost({ line: checked.line, lost })
  }
  watch.progress?.(summary)
}

type NewRow = CheckedRow & { outcome: 'new' }
type RetriedRun = ImportRun & { retry: RetryOutages }

/**
 * Returns the batch with its final outcomes. A row becomes `present` or a problem if its user, or another user with one
 * of its values, has been added since the check.
 */
async function writeBatch(
  ctx: Context,
  run: RetriedRun,
  batch: readonly CheckedRow[],
  rows: readonly NewRow[],
): Promise<CheckedRow[]> {
  if (rows.length === 0) return [...batch]
  const inserted = await insertOnce(ctx, run, rows)
  const refused = rows.filter(({ user }) => !inserted.users.has(user.row.id))
  const compared = await run.retry(() => compareRows(ctx, refused, run))
  const reasons = new Map(compared.map((row) => [row.line, row]))
  return batch.map((checked) => (checked.outcome === 'new' ? outcomeOf(checked, inserted, reasons) : checked))
}

function outcomeOf(row: NewRow, inserted: Inserted, reasons: ReadonlyMap<number, CheckedRow>): CheckedRow {
  const { line, user } = row
  const reason = reasons.get(line)
  if (reason && reason.outcome !== 'new') return reason
  // The other user has since been changed or deleted.
  if (reason) return { line, outcome: 'problem', problem: 'another user took a value of the record in the meantime' }
  if (user.identities.length > (inserted.identities.get(user.row.id) ?? 0))
    user.lost.push('identity that is linked to another user')
  return row
}

interface Inserted {
  users: ReadonlySet<string>
  /** The number of inserted identities, by user id. */
  identities: ReadonlyMap<string, number>
}

/** Called outside the transaction because hashing is slow. Computes up to HASH_CONCURRENCY hashes at once. */
async function setHashes(ctx: Context, rows: readonly NewRow[]): Promise<void> {
  const waiting = rows.values()
  const work = async () => {
    for (const { user } of waiting)
      user.row.password_hash =
        user.passwordHash === undefined ? null : await ctx.passwords.importHash(user.passwordHash)
  }
  await Promise.all(Array.from({ length: ctx.config.HASH_CONCURRENCY }, work))
}

/** If the connection is lost during the commit, a repeated transaction finds that all users are already present. */
async function insertOnce(ctx: Context, run: RetriedRun, rows: readonly NewRow[]): Promise<Inserted> {
  let uncertain: Inserted | undefined
  return run.retry(async () => {
    const earlier = uncertain
    const inserted = await transact(ctx, async (tx) => {
      const result = await insertBatch(tx, run, rows)
      if (result.users.size > 0) uncertain = result
      return result
    })
    return earlier && inserted.users.size === 0 ? earlier : inserted
  })
}

async function insertBatch(tx: Transaction, run: ImportRun, rows: readonly NewRow[]): Promise<Inserted> {
  const users = new Set(
    await insertImportedUsers(
      tx.db,
      rows.map(({ user }) => user.row),
    ),
  )
  const added = rows.map(({ user }) => user).filter(({ row }) => users.has(row.id))
  const owners = await insertImportedIdentities(
    tx.db,
    added.flatMap(({ identities }) => identities),
  )
  await insertImportedBlocks(
    tx.db,
    added.flatMap(({ block }) => block ?? []),
  )
  await writePasskeys(tx, added)
  await writeRoles(tx, added, run)
  await writeModules(tx, added)
  for (const { row } of added) if (row.user_type === 'superadmin') await noteSuperadmin(tx, row)
  if (run.invite) await invite(tx, added)
  const [first, last] = [rows[0]?.line, rows.at(-1)?.line]
  const details = { source: run.source.name, users: added.length, lines: [first, last] }
  if (added.length > 0) await recordAudit(tx, { event: 'users_imported', ...operator, details })
  await recordEvents(tx, added.flatMap(eventsOf))
  const identities = new Map<string, number>()
  for (const id of owners) identities.set(id, (identities.get(id) ?? 0) + 1)
  return { users, identities }
}

/** Back ends receive the same events for imported users as for other users. */
const eventsOf = ({ row, block }: PreparedUser): ServiceEvent[] => [
  { type: 'user.created', data: { user_id: row.id } },
  ...(block
    ? [{ type: 'user.blocked' as const, data: { user_id: row.id, until: block.until && iso(block.until) } }]
    : []),
  ...(row.deleted_at ? [{ type: 'user.deleted' as const, data: { user_id: row.id } }] : []),
]

/** Rolls the batch back if a passkey was added to another user since the check. A repeated import names its line. */
async function writePasskeys(tx: Transaction, users: readonly PreparedUser[]): Promise<void> {
  const passkeys = users.flatMap((user) => user.passkeys)
  if (passkeys.length === 0) return
  const inserted = await insertImportedPasskeys(tx.db, passkeys)
  if (inserted.length < passkeys.length) throw new Error('A passkey of the file was added to another user meanwhile.')
  await noteRelyingParty(tx)
}

async function writeModules(tx: Transaction, users: readonly PreparedUser[]): Promise<void> {
  for (const member of tx.modules.importMembers()) {
    const values = users.filter(({ ofModules }) => ofModules.has(member.name))
    if (values.length === 0) continue
    await member.write(
      tx,
      values.map(({ row, ofModules }) => ({ user: row, value: ofModules.get(member.name) })),
    )
  }
}

async function invite(tx: Transaction, users: readonly PreparedUser[]): Promise<void> {
  for (const { row, block, passkeys } of users) {
    const hasUsablePassword = row.password_hash !== null && tx.config.PASSWORDS_ENABLED
    const hasUsablePasskey = offersPasskeys(tx) && passkeys.some(({ uv_seen }) => uv_seen)
    if (hasUsablePassword || hasUsablePasskey || row.deleted_at || block) continue
    const user = await findUser(tx, row.id)
    if (user) await inviteUser(tx, user)
  }
}
