import { adminTextsFor } from '../../../ui/console/texts/index.ts'
import type { ShownApplication } from './paths.ts'

/** Returns the state of an application as a chip. */
export function applicationState(lang: string, { enabled, deleted_at }: ShownApplication) {
  const { states } = adminTextsFor(lang).applications
  if (deleted_at !== null) return { state: states.deleted, chip: 'bad' }
  return enabled ? { state: states.enabled, chip: 'good' } : { state: states.disabled, chip: 'warn' }
}
