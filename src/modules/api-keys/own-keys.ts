import { recordingDenial } from '../../admin/locked-target.ts'
import type { Context, RequestDevice, SessionView, Transaction } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import { AppError } from '../../lib/errors.ts'
import { assertFactorConfirmed, lockOwner } from '../../passkeys/change-rights.ts'
import { assertRecentProof } from '../../sessions/session.ts'
import { changeKey, createKey, type KeyChange, type RotationInput, revokeKeys, rotateKey } from './change-keys.ts'
import type { KeyInput } from './read-input.ts'
import { userScopes } from './scopes.ts'

export interface OwnRequest {
  view: SessionView
  device: RequestDevice
}

export const createOwnKey = (ctx: Context, request: OwnRequest, input: KeyInput) =>
  changingOwn(ctx, request, 'create_api_key', (tx, change) => {
    if (!tx.config.API_KEY_PERSONAL) throw new AppError('NOT_CONFIGURED')
    return createKey(tx, change, input)
  })

export const updateOwnKey = (ctx: Context, request: OwnRequest, id: string, input: KeyInput) =>
  changingOwn(ctx, request, 'update_api_key', (tx, change) => changeKey(tx, change, id, input))

export const rotateOwnKey = (ctx: Context, request: OwnRequest, id: string, input: RotationInput) =>
  changingOwn(ctx, request, 'rotate_api_key', (tx, change) => {
    if (!tx.config.API_KEY_PERSONAL) throw new AppError('NOT_CONFIGURED')
    return rotateKey(tx, change, id, input)
  })

/** Needs no recent authentication, because a leaked key must be revoked quickly. */
export const revokeOwnKey = (ctx: Context, { view, device }: OwnRequest, id: string): Promise<void> =>
  transact(ctx, async (tx) => {
    const actor = await lockOwner(tx, view)
    const revocation = { holder: { userId: actor.id, accountId: null }, actor, device, reason: 'revoked', ids: [id] }
    if ((await revokeKeys(tx, revocation)) === 0) throw new AppError('NOT_FOUND')
  })

/** The key belongs to the user of the session, whatever the request contains. */
function changingOwn<Result>(
  ctx: Context,
  { view, device }: OwnRequest,
  deed: string,
  work: (tx: Transaction, change: KeyChange) => Promise<Result>,
): Promise<Result> {
  assertRecentProof(ctx, view)
  const attempt = { actor: view.user, target: view.user.id, device, details: () => ({ deed }) }
  return recordingDenial(ctx, attempt, () =>
    transact(ctx, async (tx) => {
      const user = await lockOwner(tx, view)
      await assertFactorConfirmed(tx, user, view)
      await tx.staff.hold(tx.db, user.user_type)
      const { API_KEYS_PER_USER: maxKeys } = tx.config
      const holder = { userId: user.id, accountId: null }
      return work(tx, { holder, actor: user, device, allowed: await userScopes(tx, user), maxKeys })
    }),
  )
}
