import type { Context } from '../context.ts'
import type { Db } from '../db/tables.ts'
import { sha256 } from '../lib/hash.ts'
import { newId, newSecret } from '../lib/ids.ts'
import { insertSecret, type SecretPurpose, voidSecrets } from './queries.ts'

interface Issue {
  purpose: SecretPurpose
  userId: string | null
  /** What the secret is bound to, such as the address that it proves. */
  target: string | null
  /** Milliseconds. */
  lifetime: number
}

/** Makes a secret and forgets it: only its hash is kept. An older one of the same purpose and user is dead. */
export async function issueSecret(ctx: Context, db: Db, { purpose, userId, target, lifetime }: Issue) {
  const secret = newSecret()
  const now = ctx.clock.now()
  const expiresAt = new Date(now + lifetime)
  await voidSecrets(db, purpose, userId, new Date(now))
  await insertSecret(db, {
    id: newId(),
    purpose,
    secret_hash: sha256(secret),
    user_id: userId,
    target,
    created_at: new Date(now),
    expires_at: expiresAt,
  })
  return { secret, expiresAt }
}
