import type { Context, SessionView } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import { requiresPasskey } from '../../http/access/awaits-passkey.ts'
import { AppError, invalidField } from '../../lib/errors.ts'
import type { SignInDevice } from '../../sessions/remembered-browsers.ts'
import { assertProvenByPasskey } from '../../webauthn/recent-proof.ts'
import { removeActive } from './change-protection.ts'
import { spendGrant } from './grants.ts'
import { proveFactor } from './prove.ts'
import { deleteMethod, type MethodRow } from './queries.ts'
import { activeOf, type ChosenProof, lockForFactor, userMethodsOf } from './user-methods.ts'

interface Removal {
  id: string
  proof: ChosenProof
}

/** Removing an active method requires verification with another method, or with the same one if there is no other. */
export async function removeMethod(
  ctx: Context,
  view: SessionView,
  { id, proof }: Removal,
  from: SignInDevice,
): Promise<void> {
  const requested = { view, action: 'remove', device: from.device } as const
  const needsCode = await transact(ctx, async (tx) => {
    const { user, factorRequest } = await lockForFactor(tx, requested)
    const rows = await userMethodsOf(tx, user.id)
    const row = findRemovable(rows, id)
    if (row.method === 'passkey' && requiresPasskey(tx.config, user)) await assertProvenByPasskey(tx, view.session.id)
    if (row.status === 'active') {
      // A code in the request must be valid, even if a grant would suffice.
      if (hasProof(proof) || !(await spendGrant(tx, provers(rows, id), factorRequest))) return true
      await removeActive(tx, row, { factorRequest, rows })
    } else await deleteMethod(tx.db, row.id)
    return false
  })
  if (!needsCode) return
  if (!hasProof(proof)) throw new AppError('TWO_FACTOR_CODE_REQUIRED')
  const among = (rows: readonly MethodRow[]) => {
    findRemovable(rows, id)
    const allowed = provers(rows, id)
    if (proof.method_id === id && !allowed.some((row) => row.id === id))
      throw invalidField('verification_method_id', 'must not be the method to remove')
    return allowed
  }
  await proveFactor(ctx, { ...requested, proof, among }, async (tx, { rows, factorRequest }) =>
    removeActive(tx, findRemovable(rows, id), { factorRequest, rows }),
  )
}

const hasProof = ({ code, response }: ChosenProof): boolean => code !== undefined || response !== undefined

function findRemovable(rows: readonly MethodRow[], id: string): MethodRow {
  const row = rows.find((one) => one.id === id && one.method !== 'recovery')
  if (!row) throw new AppError('NOT_FOUND')
  return row
}

/** An attacker with only one of two factors must not be able to remove the other. */
function provers(rows: readonly MethodRow[], id: string): readonly MethodRow[] {
  const isOnly = activeOf(rows).length === 1
  return isOnly ? rows : rows.filter((row) => row.id !== id)
}
