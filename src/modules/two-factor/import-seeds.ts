import type { Context, ImportedValue, ImportMember, Transaction } from '../../context.ts'
import { invalidField } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { seal, tryUnseal } from '../../lib/seal.ts'
import { iso } from '../../lib/time.ts'
import { timeField } from '../../lib/time-field.ts'
import { canonicalSeed } from './methods/totp.ts'
import { findAuthenticators, insertMethods } from './queries.ts'

interface ImportedSeed {
  secret: string
  created_at?: string
  last_used_at?: string | null
}

export const importedSeeds: ImportMember = {
  name: 'totp',
  isFactor: true,
  isSecret: true,
  check: (_ctx, value) => {
    for (const seed of value as ImportedSeed[]) {
      if (!canonicalSeed(seed.secret)) throw invalidField('totp.secret', 'must be a base32 seed of 10 to 64 bytes')
      timeField('totp.created_at', seed.created_at)
      timeField('totp.last_used_at', seed.last_used_at)
    }
  },
  write: (tx, values) =>
    insertMethods(
      tx.db,
      values.flatMap((value) => rowsOf(tx, value)),
    ),
  read: readSeeds,
}

const rowsOf = ({ dataKeys }: Transaction, { user, value }: ImportedValue) =>
  (value as ImportedSeed[]).map(({ secret, created_at, last_used_at }) => {
    const created = timeField('created_at', created_at) ?? user.created_at
    return {
      id: newId(),
      user_id: user.id,
      method: 'totp' as const,
      identifier: null,
      status: 'active' as const,
      secret: seal(dataKeys, canonicalSeed(secret) ?? ''),
      created_at: created,
      updated_at: created,
      last_used_at: timeField('last_used_at', last_used_at) ?? null,
    }
  })

/** Omits seeds whose encryption key is not configured. */
async function readSeeds({ db, dataKeys }: Context, userIds: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
  const seeds = new Map<string, ImportedSeed[]>()
  for (const row of await findAuthenticators(db, userIds)) {
    const secret = tryUnseal(dataKeys, row.secret ?? '')
    if (secret === undefined) continue
    const used = row.last_used_at && { last_used_at: iso(row.last_used_at) }
    seeds.set(row.user_id, [...(seeds.get(row.user_id) ?? []), { secret, created_at: iso(row.created_at), ...used }])
  }
  return seeds
}
