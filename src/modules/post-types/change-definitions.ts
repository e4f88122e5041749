import { recordAudit } from '../../audit/record.ts'
import type { Context, SessionView, Transaction, UserRow } from '../../context.ts'
import { violatedIndex } from '../../db/errors.ts'
import { transact } from '../../db/transact.ts'
import type { RequestDevice } from '../../http/access/device.ts'
import { AppError } from '../../lib/errors.ts'
import { lockCaller } from '../../sessions/authenticate.ts'
import { restrictions, userTypesOfList } from './behaviors.ts'
import { definitionCacheOf } from './definition-cache.ts'
import { type DefinitionChanges, type DefinitionRow, lockDefinition, raiseVersion } from './queries.ts'

export interface DefinitionAdministrator {
  view: SessionView
  device: RequestDevice
}

interface Trace {
  type_key: string
  change: 'created' | 'updated' | 'deleted' | 'reordered'
  members?: string[]
}

export interface DefinitionChange {
  tx: Transaction
  user: UserRow
  now: Date
  trace(details: Trace): Promise<void>
}

/** This node invalidates its cached definitions before the caller gets the result. */
export async function changeDefinitions<Result>(
  ctx: Context,
  { view, device }: DefinitionAdministrator,
  work: (changing: DefinitionChange) => Promise<Result>,
): Promise<Result> {
  try {
    return await transact(ctx, async (tx) => {
      const user = await lockCaller(tx, view)
      if (!ctx.staff.may(user.user_type, 'post_types:manage')) throw new AppError('FORBIDDEN')
      const version = await raiseVersion(tx.db)
      tx.after(() => definitionCacheOf(ctx).invalidate(version))
      const trace = (details: Trace) =>
        recordAudit(tx, { event: 'post_type_changed', actor: user, device, details: { ...details } })
      return work({ tx, user, now: ctx.clock.date(), trace })
    })
  } catch (error) {
    throw takenProblem(error)
  }
}

function takenProblem(error: unknown): unknown {
  const index = violatedIndex(error)
  const details = (field: string) => ({ details: [{ field, message: 'is already taken' }] })
  if (index === 'post_types_key') return new AppError('KEY_TAKEN', details('type_key'))
  if (index === 'post_types_slug_prefix') return new AppError('SLUG_PREFIX_TAKEN', details('slug_prefix'))
  return error
}

export async function getDefinition({ tx }: DefinitionChange, key: string): Promise<DefinitionRow> {
  const found = await lockDefinition(tx.db, key)
  if (!found) throw new AppError('NOT_FOUND')
  return found
}

export function restrictionColumns({ modules }: Context, behaviors: DefinitionRow['behaviors']): DefinitionChanges {
  if (!modules.isInstalled('post-types', 'ext-type-restriction')) return {}
  return Object.fromEntries(restrictions.map((name) => [name, userTypesOfList(behaviors[name]) ?? null]))
}
