import type { FactorProof } from '../../context.ts'
import type { FactorAction } from './methods/method.ts'
import { looksLikeRecoveryCode } from './methods/recovery.ts'
import type { MethodRow } from './queries.ts'

export interface ChosenProof extends FactorProof {
  method?: string | undefined
}

/** `setup` uses the newest pending method. Other actions choose by id, kind or code format, or use the default. */
export function chooseMethod(
  rows: readonly MethodRow[],
  { method_id, method, code }: ChosenProof,
  action: FactorAction,
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
