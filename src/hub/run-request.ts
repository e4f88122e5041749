import type { RequestDevice } from '../http/access/device.ts'
import type { LoadedModule } from './define-module.ts'
import type { PlanStep, PresentComponents } from './plan.ts'

export interface InstallActor {
  actor?: { id: string; user_type: string }
  device?: RequestDevice
}

export interface RunResult {
  runId: string
  steps: PlanStep[]
  durationMs: number
}

export interface HubRun extends RunRequest {
  id: string
  /** In milliseconds, as returned by `performance.now()`. Nothing is committed after this time. */
  deadline: number
}

export interface RunRequest {
  module: LoadedModule
  runtimeScope: string
  /** Must have no side effects, because it is also called for dry runs. */
  plan(found: PresentComponents): PlanStep[]
  actor?: { id: string; user_type: string } | undefined
  device?: RequestDevice | undefined
}
