import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { commandEnvironment, openWorkplace } from './run-command.ts'
import { ada, password, superadmin } from './users.ts'
import { runWarm } from './warm-command.ts'

let original: Promise<string> | undefined

/** A data directory with an embedded database, a superadmin and generated secrets. It is a copy. */
export async function openInstallation(t: TestContext) {
  const { run, runProcess, directory, dataDir } = await openWorkplace(t)
  const env = { DATA_DIR: dataDir }
  original ??= createOriginal()
  cpSync(await original, dataDir, { recursive: true })
  const at = (name: string) => join(directory, name)
  const settings = (name: string) => ({ DATA_DIR: at(name) })
  return { run, runProcess, env, at, settings, secrets: join(dataDir, 'secrets.json') }
}

async function createOriginal(): Promise<string> {
  const directory = temporaryDirectory('installation')
  const dataDir = join(directory, 'data')
  const args = ['user', 'create', '--email', ada, ...superadmin]
  const env = commandEnvironment({ DATA_DIR: dataDir })
  const { code, stderr } = await runWarm({ directory, args, env, input: password })
  assert.equal(code, 0, stderr)
  return dataDir
}
