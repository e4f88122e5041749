import type { FactorProof } from '../../context.ts'
import type { Action } from './methods/method.ts'
import { looksLikeRecoveryCode } from './methods/recovery.ts'
import type { MethodRow } from './queries.ts'

/** Which method a request means. */
export interface Named extends FactorProof {
  method?: string | undefined
}

/**
 * The method with the given id, else of the given kind, else the one that the form of the code tells, else the default.
 * For the action setup these are the methods that wait for it, the newest first.
 */
export function chooseMethod(
  rows: readonly MethodRow[],
  { method_id, method, code }: Named,
  action: Action,
): MethodRow | undefined {
  const fitting =
    action === 'setup'
      ? rows.filter(({ status }) => status === 'pending_setup').toReversed()
      : rows.filter(({ status }) => status === 'active')
  if (method_id !== undefined) return fitting.find(({ id }) => id === method_id)
  if (method !== undefined) return fitting.find((row) => row.method === method)
  const isRecovery = looksLikeRecoveryCode(code)
  return fitting.find((row) => (row.method === 'recovery') === isRecovery)
}
