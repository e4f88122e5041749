import type { Context } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { newUserName } from '../lib/ids.ts'
import { UnusableHash } from '../passwords/imported/limits.ts'
import type { PasskeyRow } from '../webauthn/queries.ts'
import { dropUnknownRoles, sensitiveProblem } from './import-roles.ts'
import { readWithout } from './optional-values.ts'
import { type ImportRules, type PreparedUser, prepareUser } from './prepare-user.ts'
import { type ExistingUser, findExistingUsers, findTakenCredentials } from './queries.ts'
import { type ImportRow, readImportRows } from './reading/read-rows.ts'
import { readRecord, recordProblem } from './record.ts'
import type { RetryOutages } from './retry-outages.ts'
import { createSeenValues, type SeenValues } from './seen-values.ts'
import { isRow } from './sources/read-row.ts'
import { type Mapped, memberIn, type UserSource, type UserSourceOptions } from './sources/source.ts'

export interface ImportFile extends ImportRules {
  path: string
  source: UserSource
  options: UserSourceOptions
}

export type CheckedRow = { line: number } & (
  | { outcome: 'problem'; problem: string; lost?: readonly string[] }
  /** The user has already been imported. */
  | { outcome: 'present'; hasOtherEmail: boolean }
  | { outcome: 'new'; user: PreparedUser; hash: { kind: string; isWeak: boolean } | undefined; fromRole: string }
)

const batchRows = 1_000
/** Records can be large, so a batch also ends after this many bytes of metadata. */
const batchBytes = 4 * 1024 * 1024

/**
 * Returns the rows in file order, in batches. Each row is checked against the preceding rows and the database. While the
 * database looks for the users of one batch, the next batch is read.
 */
export async function* checkRows(ctx: Context, file: ImportFile, retry: RetryOutages): AsyncGenerator<CheckedRow[]> {
  let previous: Promise<CheckedRow[]> | undefined
  for await (const batch of readBatches(ctx, file)) {
    const current = retry(() => compareRows(ctx, batch, file))
    // Prevents an unhandled rejection. The error is thrown below, when the batch is awaited.
    current.catch(() => {})
    if (previous) yield await previous
    previous = current
  }
  if (previous) yield await previous
}

async function* readBatches(ctx: Context, file: ImportFile): AsyncGenerator<CheckedRow[]> {
  const seen = createSeenValues()
  let batch: CheckedRow[] = []
  let bytes = 0
  for await (const row of readImportRows(file.path, file.source, file.options)) {
    const checked = checkRow(ctx, file, row, seen)
    batch.push(checked)
    if (checked.outcome === 'new') bytes += sizeOf(checked.user)
    if (batch.length < batchRows && bytes < batchBytes) continue
    yield batch
    ;[batch, bytes] = [[], 0]
  }
  if (batch.length > 0) yield batch
}

const sizeOf = ({ row }: PreparedUser): number =>
  Object.keys(row.metadata).length === 0 ? 0 : JSON.stringify(row.metadata).length

function checkRow(ctx: Context, file: ImportFile, row: ImportRow, seen: SeenValues): CheckedRow {
  const { line } = row
  if ('problem' in row) return { line, outcome: 'problem', problem: row.problem }
  try {
    const { value: mapped, lost } = mapRow(file, row.value)
    lost.push(...(row.lost ?? []))
    if ('problem' in mapped) return { line, outcome: 'problem', problem: mapped.problem, lost: mapped.unused ?? [] }
    const prepared = readWithout(
      mapped.record,
      (members) => {
        const record = readRecord(members)
        return { record, user: prepareUser(ctx, record, file) }
      },
      { nameOf: (member) => mapped.columns?.get(member) ?? member },
    )
    const { user, record } = prepared.value
    user.lost.push(...mapped.lost, ...lost, ...prepared.lost)
    const repeated = repeatedMember(user, seen)
    if (repeated) return { line, outcome: 'problem', problem: `${repeated} is also on an earlier line` }
    return { line, outcome: 'new', user, hash: readHash(ctx, user), fromRole: record.user_type ?? '' }
  } catch (error) {
    if (!(error instanceof AppError && error.details)) throw error
    return { line, outcome: 'problem', problem: recordProblem(error.details) }
  }
}

function mapRow({ source, options }: ImportFile, row: unknown): { value: Mapped; lost: string[] } {
  if (!isRow(row)) return { value: source.toRecord(row, options), lost: [] }
  const memberOf = (column: string) => memberIn(options, column)
  return readWithout(row, (members) => source.toRecord(members, options), { memberOf })
}

/**
 * A row with a repeated value does not reserve its other values. A row that conflicts with the database does, because it
 * is compared later. A phone number or user name that an earlier row has is not imported.
 */
function repeatedMember(user: PreparedUser, seen: SeenValues): string {
  const { id, email, external_id, user_name, phone } = user.row
  const passkeys = user.passkeys.map((passkey) => ['passkey', keyOf(passkey)] as const)
  const repeated = seen.add([...presentIn({ id, email, external_id }), ...passkeys])
  if (repeated.length > 0) return [...new Set(repeated)].join(', ')
  for (const value of presentIn({ user_name: user_name.toLowerCase(), phone }))
    if (seen.add([value]).length > 0) dropMember(user, value[0], 'is also on an earlier line')
  return ''
}

const keyOf = ({ credential_id }: PasskeyRow): string => credential_id.toString('hex')

const presentIn = (values: Readonly<Record<string, string | null>>): [name: string, value: string][] =>
  Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, value]]))

function dropMember({ row, lost }: PreparedUser, name: string, reason: string): void {
  lost.push(`${name} (${reason})`)
  if (name === 'user_name') row.user_name = newUserName()
  else Object.assign(row, { phone: null, phone_trusted: false })
}

/** A user whose hash cannot be used is imported without a password. */
function readHash(ctx: Context, user: PreparedUser) {
  if (user.passwordHash === undefined) return undefined
  try {
    return ctx.passwords.describeHash(user.passwordHash)
  } catch (error) {
    if (!(error instanceof UnusableHash)) throw error
    user.passwordHash = undefined
    user.lost.push(`password (${error.problem})`)
    return undefined
  }
}

/** Compares new rows with the users in the database. Returns all rows, in the same order. */
export async function compareRows(
  ctx: Context,
  batch: CheckedRow[],
  { allowSensitiveRoles }: Pick<ImportRules, 'allowSensitiveRoles'>,
): Promise<CheckedRow[]> {
  const users = batch.flatMap((checked) => (checked.outcome === 'new' ? [checked.user] : []))
  if (users.length === 0) return batch
  const sensitive = await dropUnknownRoles(ctx.db, users)
  const rejected = allowSensitiveRoles ? new Set<string>() : sensitive
  const existing = await findExistingUsers(
    ctx.db,
    users.map(({ row }) => row),
  )
  const credentials = users.flatMap(({ passkeys }) => passkeys.map(({ credential_id }) => credential_id))
  const taken = await findTakenCredentials(ctx.db, credentials)
  if (existing.length === 0 && taken.size === 0 && rejected.size === 0) return batch
  const holders = new Map(existing.flatMap((user) => keysOf(user).map((key) => [key, user] as const)))
  return batch.map((checked) =>
    checked.outcome === 'new' ? comparedWith(checked, { holders, taken, rejected }) : checked,
  )
}

/** What keeps a row from being imported. */
interface Obstacles {
  holders: ReadonlyMap<string, ExistingUser>
  /** The ids of passkeys of other users. */
  taken: ReadonlySet<string>
  /** The names of roles that the import may not give. */
  rejected: ReadonlySet<string>
}

function comparedWith(
  checked: CheckedRow & { outcome: 'new' },
  { holders, taken: takenPasskeys, rejected }: Obstacles,
): CheckedRow {
  const { line, user } = checked
  const { id } = user.row
  const present = holders.get(`id:${id}`)
  if (present) return { line, outcome: 'present', hasOtherEmail: present.email !== user.row.email }
  const problem = sensitiveProblem(user, rejected)
  if (problem) return { line, outcome: 'problem', problem }
  const row = { ...user.row, user_name: user.row.user_name.toLowerCase() }
  const taken = keysOf(row)
    .filter((key) => holders.has(key))
    .map((key) => key.slice(0, key.indexOf(':')))
  if (user.passkeys.some((passkey) => takenPasskeys.has(keyOf(passkey)))) taken.push('passkey')
  const isOptional = (name: string) => name === 'user_name' || name === 'phone'
  if (taken.every(isOptional)) {
    for (const name of taken) dropMember(user, name, 'belongs to another user')
    return checked
  }
  return { line, outcome: 'problem', problem: `${taken.join(', ')} belongs to another user` }
}

const keysOf = ({ id, email, user_name, phone, external_id }: ExistingUser): string[] =>
  presentIn({ id, email, user_name, phone, external_id }).map(([name, value]) => `${name}:${value}`)
