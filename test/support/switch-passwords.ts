import { writeStored } from '../../src/stored-settings/queries.ts'
import type { TestApp } from './test-app.ts'

let version = 1_000_000

/** Stores PASSWORDS_ENABLED without the checks of the API. */
export async function switchPasswords(app: TestApp, state: 'on' | 'off'): Promise<void> {
  const value = state === 'on' ? null : 'false'
  version += 1_000
  await writeStored(app.ctx.db, {
    name: 'PASSWORDS_ENABLED',
    value,
    version,
    changed_by: null,
    changed_at: app.ctx.clock.date(),
  })
  await app.ctx.settings.refreshAll()
}
