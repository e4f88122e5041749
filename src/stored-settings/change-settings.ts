import { recordingDenial } from '../admin/locked-target.ts'
import { lockPrincipal, type Principal, rightsOf } from '../admin/principal.ts'
import { recordAudit } from '../audit/record.ts'
import { SettingProblem } from '../config/kinds.ts'
import type { Config } from '../config/load.ts'
import { settings as declared } from '../config/settings.ts'
import { readStored } from '../config/stored-values.ts'
import type { Context, SessionView, Transaction } from '../context.ts'
import { waitForLock } from '../db/advisory-locks.ts'
import { transact } from '../db/transact.ts'
import { AppError, type FieldProblem, invalidField } from '../lib/errors.ts'
import { assertKeepsSignIn } from './keeps-sign-in.ts'
import { findStored, type StoredRow, versionOf, writeStored } from './queries.ts'
import { shownValue } from './show-settings.ts'

export interface SettingChange {
  name: string
  /** Null resets the setting. */
  value: string | null
}

export interface SettingChanges {
  changes: readonly SettingChange[]
  /** The version that the caller read. If undefined, the changes apply to any version. */
  version?: number | undefined
  /** The number of users that the caller accepts to lock out. */
  lockedOut?: number | undefined
}

interface Changed {
  changed: string[]
  version: number
}

/** Applies all changes or none. Throws EDIT_CONFLICT if any setting has changed since `version`. */
export async function changeSettings(
  ctx: Context,
  principal: Principal,
  input: SettingChanges,
  view?: SessionView,
): Promise<Changed> {
  const { actor: asking, device } = principal
  const details = () => ({ deed: 'change_settings', settings: input.changes.map(({ name }) => name) })
  const result = await recordingDenial(ctx, { actor: asking, device, details }, () =>
    transact(ctx, async (tx) => {
      const actor = await lockPrincipal(tx, principal)
      if (!ctx.staff.may(rightsOf(actor).user_type, 'settings:write')) throw new AppError('FORBIDDEN')
      // The lock serializes changes because changes that are valid separately may be invalid together.
      await waitForLock(tx.db, 'settings')
      const rows = await findStored(tx.db)
      if (input.version !== undefined && input.version !== versionOf(rows)) throw new AppError('EDIT_CONFLICT')
      assertValid(tx, rows, input.changes)
      if (view) assertKeepsAccess(tx, view, rows, input.changes)
      await assertKeepsSignIn(tx, configChange(tx, rows, input.changes), { view, lockedOut: input.lockedOut })
      return writeChanges(tx, { ...principal, actor }, rows, input.changes)
    }),
  )
  if (result.changed.length > 0) await ctx.settings.refreshAll()
  return result
}

function assertValid(ctx: Context, rows: readonly StoredRow[], changes: readonly SettingChange[]): void {
  const problems = changes.flatMap((change, at) => {
    const isRepeated = changes.findIndex(({ name }) => name === change.name) !== at
    const message = isRepeated ? 'occurs twice' : problemWith(ctx.config, change)
    return message ? [{ field: change.name, message }] : []
  })
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { details: problems })
  const together = problemsTogether(ctx, rows, changes)
  if (together.length > 0) throw new AppError('VALIDATION_ERROR', { details: together })
}

/** Superadmins must not lock themselves out, because it might then be impossible to undo the change through the API. */
function assertKeepsAccess(
  ctx: Context,
  view: SessionView,
  rows: readonly StoredRow[],
  changes: readonly SettingChange[],
) {
  const isRejectedWith = (some: readonly SettingChange[]) =>
    ctx.secondFactor.lacksConfirmation(view, ctx.settings.apply(afterChanges(rows, some)).config)
  if (ctx.secondFactor.lacksConfirmation(view) || !isRejectedWith(changes)) return
  const { name } = changes.find((change) => isRejectedWith([change])) ?? { name: 'changes' }
  throw invalidField(name, 'would end your own access: set up a second factor, sign in with it, and try again')
}

/**
 * A stored value that the environment overrides can be reset but not changed, because a change would have no effect.
 */
function problemWith(config: Config, { name, value }: SettingChange): string | undefined {
  const setting = declared[name]
  if (!setting) return 'is not a setting'
  if (setting.secret) return 'is a secret: set it in the environment and restart the service'
  if (!setting.changeable) return 'is read only at startup: set it in the environment and restart the service'
  if (value === null) return undefined
  if (name in config.given) return 'is set in the environment: remove it there first'
  const read = readStored(name, value)
  return read instanceof SettingProblem ? read.message : undefined
}

function problemsTogether({ settings }: Context, rows: readonly StoredRow[], changes: readonly SettingChange[]) {
  const before = settings.apply(rows).ignored
  const { ignored } = settings.apply(afterChanges(rows, changes))
  const isChanged = (name: string) => changes.some((change) => change.name === name)
  const problems: FieldProblem[] = []
  for (const [name, reason] of ignored) {
    if (isChanged(name) || !before.has(name)) problems.push({ field: fieldOf(name, reason, changes), message: reason })
  }
  return problems
}

function configChange({ settings }: Context, rows: readonly StoredRow[], changes: readonly SettingChange[]) {
  const afterwards = (some: readonly SettingChange[]) => settings.apply(afterChanges(rows, some)).config
  const afterOnly = (name: string) => afterwards(changes.filter((change) => change.name === name))
  return { before: afterwards([]), after: afterwards(changes), names: changes.map(({ name }) => name), afterOnly }
}

const afterChanges = (rows: readonly StoredRow[], changes: readonly SettingChange[]) => [
  ...rows.filter(({ name }) => changes.every((change) => change.name !== name)),
  ...changes,
]

/** A change or reset can make another setting's value invalid. The problem is then reported for the changed setting. */
function fieldOf(name: string, reason: string, changes: readonly SettingChange[]): string {
  if (changes.some((change) => change.name === name)) return name
  return changes.find((change) => reason.includes(change.name))?.name ?? changes[0]?.name ?? name
}

async function writeChanges(
  tx: Transaction,
  { actor, device }: Pick<Principal, 'actor' | 'device'>,
  rows: readonly StoredRow[],
  changes: readonly SettingChange[],
): Promise<Changed> {
  const valueIn = (name: string) => rows.find((row) => row.name === name)?.value ?? null
  const real = changes.filter(({ name, value }) => valueIn(name) !== value)
  if (real.length === 0) return { changed: [], version: versionOf(rows) }
  const version = versionOf(rows) + 1
  for (const { name, value } of real)
    await writeStored(tx.db, { name, value, version, changed_by: actor.id, changed_at: tx.clock.date() })
  const shown = (name: string, value: string | null) => value && shownValue(name, value)
  const details = Object.fromEntries(
    real.map(({ name, value }) => [name, { from: shown(name, valueIn(name)), to: shown(name, value) }]),
  )
  await recordAudit(tx, { event: 'settings_changed', actor, device, details: { changes: details } })
  return { changed: real.map(({ name }) => name), version }
}
