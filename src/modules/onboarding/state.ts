import type { Config } from '../../config/load.ts'
import { shownName } from '../../http/parsing/json-body.ts'
import { AppError, invalidField } from '../../lib/errors.ts'
import { iso } from '../../lib/time.ts'
import { isWriteOnlyName } from '../../lib/write-only.ts'
import { freeObjectField } from '../../users/fields.ts'
import type { OnboardingRow } from './queries.ts'
import { isStepName } from './settings.ts'

type StepOutcome = OnboardingRow['steps'][string]
type Steps = Pick<Config, 'ONBOARDING_STEPS'>
type Free = Record<string, unknown>

const maxSteps = 32

export const shownState = (config: Steps, userId: string, row: OnboardingRow | undefined) => ({
  id: userId,
  user_id: userId,
  status: row?.status ?? ('not_started' as const),
  step: row?.status === 'completed' ? null : nextStep(config, row?.steps ?? {}),
  completed: row?.status === 'completed',
  data: row?.data ?? {},
  steps: row?.steps ?? {},
  started_at: row?.started_at ? iso(row.started_at) : null,
  completed_at: row?.completed_at ? iso(row.completed_at) : null,
})

export function startOf(
  config: Steps,
  row: OnboardingRow | undefined,
  { userId, now, start }: { userId: string; now: Date; start?: Free },
): OnboardingRow {
  if (row) return row
  const data = start === undefined ? {} : withData({}, 'start', start)
  const times = { started_at: now, completed_at: null, updated_at: now }
  return { user_id: userId, status: 'in_progress', step: nextStep(config, {}), steps: {}, data, ...times }
}

export function mark(config: Steps, row: OnboardingRow, step: string, stepData: Free | 'skipped'): OnboardingRow {
  if (row.status === 'completed') throw new AppError('ONBOARDING_COMPLETED')
  const outcome: StepOutcome = stepData === 'skipped' ? 'skipped' : 'done'
  const steps = { ...row.steps, [step]: outcome }
  if (Object.keys(steps).length > maxSteps)
    throw invalidField('step', `must not be more than ${maxSteps} different steps`)
  const data = stepData === 'skipped' ? row.data : withData(row.data, step, stepData)
  return { ...row, steps, data, step: nextStep(config, steps) }
}

export const finish = (row: OnboardingRow, now: Date): OnboardingRow => ({
  ...row,
  status: 'completed',
  step: null,
  completed_at: row.completed_at ?? now,
  updated_at: now,
})

/** Null if the steps have no fixed order or all steps are finished. */
const nextStep = ({ ONBOARDING_STEPS: order }: Steps, steps: Record<string, StepOutcome>): string | null =>
  order.find((step) => !Object.hasOwn(steps, step)) ?? null

export function assertStep({ ONBOARDING_STEPS: order }: Steps, step: string): void {
  if (order.length > 0 ? !order.includes(step) : !isStepName(step)) throw new AppError('NOT_FOUND')
}

/** Clients can read step data, so write-only members are rejected at any depth. */
function withData(data: Free, step: string, stepData: Free): Free {
  const name = findName(stepData)
  if (name !== undefined) throw invalidField(shownName(name), 'is only accepted when onboarding is completed')
  return freeObjectField('data', { ...data, [step]: stepData })
}

function findName(value: unknown, path = ''): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, inner] of Object.entries(value)) {
    const here = path === '' ? name : `${path}.${name}`
    const found = isWriteOnlyName(name) ? here : findName(inner, here)
    if (found !== undefined) return found
  }
  return undefined
}
