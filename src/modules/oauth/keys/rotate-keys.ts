import { asStaff, type StaffRequest } from '../../../admin/as-staff.ts'
import type { Context } from '../../../context.ts'
import { AppError, invalidField } from '../../../lib/errors.ts'
import { iso } from '../../../lib/time.ts'
import { mailSuperadmins } from '../../../users/mail-superadmins.ts'
import type { SigningKeyRow } from '../directory-queries.ts'
import { type SigningAlg, signingAlgs } from '../rows.ts'
import { changeKeys, endCurrent, publishNext, type SigningKeyChange, startKey, withdrawKeys } from './change-keys.ts'
import { type GeneratedKey, generateKey } from './generate-key.ts'
import { liveKeys, usableFrom } from './key-life.ts'
import { findSigningKeys } from './key-queries.ts'

export interface SigningKeyRotation {
  /** Default: all algorithms that have keys. */
  alg?: SigningAlg | undefined
  compromised?: boolean | undefined
}

/** `published`: there was no next key, so a new one was published, which will sign later. */
export interface RotatedKey {
  alg: SigningAlg
  kid: string
  outcome: 'activated' | 'published' | 'replaced'
  /** When the key signs. */
  activeFrom: Date
}

/** Rotates all or none of the algorithms. */
export async function rotateKeys(
  ctx: Context,
  request: StaffRequest,
  { alg, compromised = false }: SigningKeyRotation,
): Promise<RotatedKey[]> {
  const fresh = await freshKeys(ctx, { alg, compromised })
  const attempt = { permission: 'signing_keys:manage', deed: 'rotate_signing_keys' } as const
  const { device } = request.principal
  return asStaff(ctx, request, attempt, (tx, actor) =>
    changeKeys(tx, { actor, device }, async (change) => {
      const rotated: RotatedKey[] = []
      for (const one of algsToRotate(change.rows, alg)) {
        const key = fresh.get(one) ?? (await generateKey(tx.dataKeys, one))
        rotated.push(compromised ? await replace(change, key) : await rotate(change, key))
      }
      if (compromised) await mailCompromise(change, rotated)
      return rotated
    }),
  )
}

/** Generated before the transaction, because an RSA key takes a tenth of a second. */
async function freshKeys(
  ctx: Context,
  { alg, compromised }: SigningKeyRotation,
): Promise<ReadonlyMap<SigningAlg, GeneratedKey>> {
  const rows = await findSigningKeys(ctx.db)
  const needed = algsToRotate(rows, alg).filter((one) => compromised || !liveKeys(rows, one).next)
  return new Map(await Promise.all(needed.map(async (one) => [one, await generateKey(ctx.dataKeys, one)] as const)))
}

function algsToRotate(rows: readonly SigningKeyRow[], wanted: SigningAlg | undefined): SigningAlg[] {
  const existing = signingAlgs.filter((alg) => rows.some((row) => row.alg === alg && row.status !== 'removed'))
  if (wanted === undefined) return existing
  if (!existing.includes(wanted)) throw invalidField('alg', 'has no key yet: the first token creates one')
  return [wanted]
}

async function rotate(change: SigningKeyChange, key: GeneratedKey): Promise<RotatedKey> {
  const { rows, now, tx } = change
  const { alg } = key
  const { next } = liveKeys(rows, alg)
  if (!next) {
    const activeFrom = new Date(now + tx.config.OAUTH_KEY_PUBLISH_AHEAD)
    await publishNext(change, key, activeFrom)
    return { alg, kid: key.kid, outcome: 'published', activeFrom }
  }
  if (now < usableFrom(next))
    throw new AppError('OAUTH_KEY_BUSY', {
      sentence:
        `The next ${alg} key is not known to all verifiers yet, because they cache the published keys for an hour. ` +
        `Try again after ${iso(usableFrom(next))}.`,
    })
  return { alg, kid: await endCurrent(change, alg, 'requested'), outcome: 'activated', activeFrom: new Date(now) }
}

/** All keys of the algorithm are removed: a reader of the current one could also read the others. */
async function replace(change: SigningKeyChange, key: GeneratedKey): Promise<RotatedKey> {
  const { alg, kid } = key
  const replaces = liveKeys(change.rows, alg).current?.kid ?? null
  const kids = await withdrawKeys(change, alg)
  await change.audit('oauth_key_compromised', { alg, kids })
  await startKey(change, key, { replaces, reason: 'compromised' })
  return { alg, kid, outcome: 'replaced', activeFrom: new Date(change.now) }
}

async function mailCompromise({ tx }: SigningKeyChange, rotated: readonly RotatedKey[]): Promise<void> {
  if (rotated.length === 0) return
  const algs = rotated.map(({ alg }) => alg).join(', ')
  await mailSuperadmins(tx, 'oauth_key_compromised', { algs, audit_url: `${tx.config.PUBLIC_URL}/admin/audit` })
}
