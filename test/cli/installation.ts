import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { openWorkplace } from './run-command.ts'
import { ada, password, superadmin } from './users.ts'

/** A data directory with a superadmin and generated secrets. */
export async function openInstallation(t: TestContext) {
  const { run, directory, dataDir } = await openWorkplace(t)
  const env = { DATA_DIR: dataDir }
  const made = await run(['user', 'create', '--email', ada, ...superadmin], { env, input: password })
  assert.equal(made.code, 0, made.stderr)
  const at = (name: string) => join(directory, name)
  const settings = (name: string) => ({ DATA_DIR: at(name) })
  return { run, env, at, settings, secrets: join(dataDir, 'secrets.json') }
}
