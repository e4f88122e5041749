import type { Context, Transaction } from '../../../context.ts'
import { AppError, invalidField } from '../../../lib/errors.ts'
import { sha256Bytes } from '../../../lib/hash.ts'
import { newId } from '../../../lib/ids.ts'
import { day, iso, second } from '../../../lib/time.ts'
import { assertScopes } from '../../api-keys/scopes.ts'
import { type ClientRequest, withClient } from './as-client-manager.ts'
import { findLiveSecrets, insertClientSecret, updateClientSecret } from './queries.ts'
import { hintOfSecret, newClientSecret } from './secret-text.ts'

/** One to use, and one to switch to. */
const maxLive = 2
const maxOverlap = 30 * day
const defaultOverlap = 7 * day

export interface NewClientSecret {
  id: string
  hint: string
  /** Cannot be read again. */
  secret: string
}

export async function addSecret(
  tx: Transaction,
  client_id: string,
  secret = newClientSecret(),
): Promise<NewClientSecret> {
  const row = { id: newId(), hint: hintOfSecret(secret) }
  const created_at = tx.clock.date()
  await insertClientSecret(tx.db, { ...row, client_id, created_at, secret_hash: sha256Bytes(secret), expires_at: null })
  return { ...row, secret }
}

export interface RotatedSecret extends NewClientSecret {
  /** When the former secret ends. Null if there was none. */
  overlapUntil: Date | null
}

/**
 * Adds a secret. The former one ends after `overlap` seconds. A secret gives the scopes of the client, so the actor
 * must be able to give them.
 */
export const rotateClientSecret = (
  ctx: Context,
  request: ClientRequest,
  { overlap = defaultOverlap / second }: { overlap?: number },
): Promise<RotatedSecret> => {
  if (!Number.isSafeInteger(overlap) || overlap < 0 || overlap * second > maxOverlap)
    throw invalidField('overlap', `must be a whole number of seconds from 0 to ${maxOverlap / second}`)
  return withClient(
    ctx,
    request,
    { deed: 'rotate_oauth_client_secret', permission: 'clients:secrets' },
    async ({ tx, allowed, audit, client }) => {
      if (client.auth_method === 'none')
        throw invalidField('client_id', `belongs to a client of the type ${client.type}, which has no secret`)
      assertScopes(allowed, client.scopes)
      const now = tx.clock.date()
      const live = await findLiveSecrets(tx.db, client.id, now)
      if (live.length >= maxLive) throw new AppError('OAUTH_SECRET_LIMIT')
      const former = live[0]
      const until =
        former && new Date(Math.min(now.getTime() + overlap * second, former.expires_at?.getTime() ?? Infinity))
      if (former && until) await updateClientSecret(tx.db, former.id, { expires_at: until })
      const added = await addSecret(tx, client.id)
      const details = { secret: added.id, hint: added.hint, former: former?.id, former_ends_at: until && iso(until) }
      await audit('oauth_client_secret_added', details)
      return { ...added, overlapUntil: until ?? null }
    },
  )
}

/** Also ends the tokens of the client, because others may know the secret. */
export const removeClientSecret = (ctx: Context, request: ClientRequest & { secretId: string }): Promise<void> =>
  withClient(
    ctx,
    request,
    { deed: 'remove_oauth_client_secret', permission: 'clients:secrets' },
    async ({ tx, audit, client }) => {
      const live = await findLiveSecrets(tx.db, client.id, tx.clock.date())
      const secret = live.find(({ id }) => id === request.secretId)
      if (!secret) throw new AppError('NOT_FOUND')
      await updateClientSecret(tx.db, secret.id, { revoked_at: tx.clock.date() })
      await audit('oauth_client_secret_removed', { secret: secret.id, hint: secret.hint })
    },
  )
