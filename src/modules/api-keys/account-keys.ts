import type { Context } from '../../context.ts'
import { AppError } from '../../lib/errors.ts'
import type { AccountRow } from './account-queries.ts'
import { type Managing, withAccount } from './as-manager.ts'
import type { AccountRequest } from './change-accounts.ts'
import { changeKey, createKey, type KeyChange, type RotationInput, revokeKeys, rotateKey } from './change-keys.ts'
import type { KeyInput } from './read-input.ts'

const maxKeys = 50

export const createAccountKey = (ctx: Context, request: AccountRequest, input: KeyInput) =>
  withAccount(ctx, request, { deed: 'create_api_key' }, ({ tx, ...managing }) =>
    createKey(tx, changeOf(request, managing), input),
  )

export const updateAccountKey = (ctx: Context, request: AccountRequest, keyId: string, input: KeyInput) =>
  withAccount(ctx, request, { deed: 'update_api_key' }, ({ tx, ...managing }) =>
    changeKey(tx, changeOf(request, managing), keyId, input),
  )

export const rotateAccountKey = (ctx: Context, request: AccountRequest, keyId: string, input: RotationInput) =>
  withAccount(ctx, request, { deed: 'rotate_api_key' }, ({ tx, ...managing }) =>
    rotateKey(tx, changeOf(request, managing), keyId, input),
  )

export const revokeAccountKey = (ctx: Context, request: AccountRequest, keyId: string): Promise<void> =>
  withAccount(ctx, request, { deed: 'revoke_api_key' }, async ({ tx, actor, account }) => {
    const holder = { userId: null, accountId: account.id }
    const revocation = { holder, actor, device: request.principal.device, reason: 'revoked', ids: [keyId] }
    if ((await revokeKeys(tx, revocation)) === 0) throw new AppError('NOT_FOUND')
  })

/** A key can have the scopes of its account that the actor may give. */
const changeOf = (
  { principal }: AccountRequest,
  { actor, allowed, account }: Pick<Managing, 'actor' | 'allowed'> & { account: AccountRow },
): KeyChange => ({
  holder: { userId: null, accountId: account.id },
  actor,
  device: principal.device,
  allowed: allowed.filter((scope) => account.scopes.includes(scope)),
  maxKeys,
})
