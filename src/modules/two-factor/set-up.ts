import type { Context, SessionView } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import { AppError, invalidField } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { proveIdentity } from '../../passwords/prove-identity.ts'
import type { SignInDevice } from '../../sessions/remembered-browsers.ts'
import { methodNameField } from '../../users/fields.ts'
import { isOffered, methodOf } from './methods/index.ts'
import type { NewMethod, SetupInput } from './methods/method.ts'
import { sentCodeLifetime } from './methods/sent-code.ts'
import { deletePendingMethods, insertMethod, type MethodRow, type StoredKind } from './queries.ts'
import { assertConfirmed, lockForFactor, userMethodsOf } from './user-methods.ts'

interface Request extends SetupInput {
  kind: StoredKind
  current_password?: string
}

export interface StartedSetup {
  row: MethodRow
  sent: boolean
  /** In seconds. */
  expiresIn: number
  shown: Record<string, unknown>
}

/** The new method replaces an unfinished enrolment. It is pending until the user has verified it. */
export async function setUpMethod(
  ctx: Context,
  view: SessionView,
  request: Request,
  from: SignInDevice,
): Promise<StartedSetup> {
  const { kind, current_password: currentPassword, ...requested } = request
  const method = methodOf(kind)
  if (!isOffered(ctx, kind) || !method.prepare) throw new AppError('NOT_CONFIGURED')
  await proveIdentity(ctx, view, { ...from, currentPassword })
  const name = requested.name && methodNameField('name', requested.name)
  const prepared = method.prepare(ctx, view.user, { ...requested, name })
  return transact(ctx, async (tx) => {
    const { user, factorRequest } = await lockForFactor(tx, { view, action: 'setup', device: from.device })
    await deletePendingMethods(tx.db, user.id, kind, prepared.identifier)
    const rows = await userMethodsOf(tx, user.id)
    assertConfirmed(ctx, rows, factorRequest)
    assertRoom(rows, kind, prepared, method.maxPerUser)
    const row = newRow(ctx, user.id, kind, prepared)
    await insertMethod(tx.db, row)
    const { sent, shown } = await method.start(tx, { ...row, last_used_at: null }, factorRequest)
    const expiresIn = sentCodeLifetime(ctx, factorRequest) / 1000
    return { row: { ...row, last_used_at: null }, sent, expiresIn, shown: { ...prepared.shown, ...shown } }
  })
}

function assertRoom(rows: readonly MethodRow[], kind: StoredKind, { identifier }: NewMethod, max: number): void {
  const alike = rows.filter(({ method }) => method === kind)
  if (identifier !== null && alike.some((row) => row.identifier === identifier))
    throw invalidField('identifier', 'is already set up')
  if (alike.length >= max) throw invalidField('method', `can be set up at most ${max} times: remove one first`)
}

const newRow = (ctx: Context, userId: string, kind: StoredKind, { identifier, secret, metadata }: NewMethod) => ({
  id: newId(),
  user_id: userId,
  method: kind,
  identifier,
  status: 'pending_setup' as const,
  secret: secret ?? null,
  metadata: metadata ?? {},
  created_at: ctx.clock.date(),
})
