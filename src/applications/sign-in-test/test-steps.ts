import { shownPage } from '../../http/responses/redirects.ts'

export const testSteps = ['page', 'origin', 'sign_in', 'return', 'redeem', 'session'] as const
export type TestStepName = (typeof testSteps)[number]

export const testOutcomes = ['passed', 'failed', 'skipped'] as const
export type TestOutcome = (typeof testOutcomes)[number]

/** Each has a row in docs/applications.md, and sentences in the texts of the console. */
export const testReasons = [
  ...['application_disabled', 'no_pages', 'in_browser', 'shared_session'],
  ...['not_public', 'unreachable', 'status', 'other_host', 'redirect_loop'],
  ...['origin_not_declared', 'no_redirect', 'return_missing', 'not_declared', 'disabled', 'malformed', 'parameter'],
  ...['address_of_other_application', 'no_shared_cookie', 'no_code'],
  ...['secret', 'secret_ended', 'secret_network', 'secret_right', 'no_cookie', 'not_redeemed'],
  ...['code_verifier', 'return_to', 'expired', 'used', 'other_application', 'withdrawn', 'parent_ended', 'unknown'],
  'signed_out',
] as const
export type TestReason = (typeof testReasons)[number]

export interface StepProblem {
  reason: TestReason
  /** A host, a parameter or a sentence. Never a secret, and never a part of a response. */
  detail?: string | undefined
}

export interface TestStep {
  step: TestStepName
  outcome: TestOutcome
  reason: TestReason | null
  /** Without its query. */
  page: string | null
  status: number | null
  detail: string | null
}

interface Place {
  at?: URL
  status?: number | undefined
}

export const passedStep = (step: TestStepName, place: Place = {}): TestStep => stepOf(step, 'passed', place)

export const failedStep = (step: TestStepName, problem: StepProblem, place: Place = {}): TestStep =>
  stepOf(step, 'failed', place, problem)

export const skippedStep = (step: TestStepName, reason?: TestReason): TestStep =>
  stepOf(step, 'skipped', {}, reason && { reason })

const stepOf = (step: TestStepName, outcome: TestOutcome, { at, status }: Place, problem?: StepProblem): TestStep => ({
  step,
  outcome,
  reason: problem?.reason ?? null,
  page: at ? shownPage(at) : null,
  status: status ?? null,
  detail: problem?.detail ?? null,
})

/** Adds the steps that were not reached. Only single-page applications need an origin. */
export function allSteps(steps: readonly TestStep[], isSinglePage: boolean): TestStep[] {
  return testSteps
    .filter((name) => name !== 'origin' || isSinglePage)
    .map((name) => steps.find(({ step }) => step === name) ?? skippedStep(name))
}

export function outcomeOf(steps: readonly TestStep[]): TestOutcome {
  const has = (outcome: TestOutcome) => steps.some((step) => step.outcome === outcome)
  if (has('failed')) return 'failed'
  return has('passed') ? 'passed' : 'skipped'
}
