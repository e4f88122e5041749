import { type BridgeFailure, findBridgeFailures } from '../../audit/queries.ts'
import type { Context } from '../../context.ts'
import type { StepProblem, TestReason } from './test-steps.ts'

interface TestRun {
  applicationId: string
  userId: string
  startedAt: Date
}

/** Why the application's requests were rejected during the test, as the audit trail records it. */
export async function findBridgeProblem(ctx: Context, run: TestRun): Promise<StepProblem | undefined> {
  const failures = await findBridgeFailures(ctx.db, run)
  const problems = failures.map((failure) => problemOf(failure))
  // Another application could have sent an unknown secret at the same time.
  return problems.find(({ reason }) => reason !== 'secret') ?? problems[0]
}

function problemOf({ event, details }: BridgeFailure): StepProblem {
  if (event === 'authz_denied') return { reason: 'secret_right', detail: details.right }
  if (event === 'bridge_auth_fail') return { reason: secretReasons[details.reason ?? ''] ?? 'secret' }
  return { reason: (details.reason as TestReason | undefined) ?? 'unknown' }
}

const secretReasons: Readonly<Record<string, TestReason>> = {
  ended: 'secret_ended',
  network: 'secret_network',
  application_disabled: 'application_disabled',
}
