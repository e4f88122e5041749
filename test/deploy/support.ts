import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { Setting } from '../../src/config/kinds.ts'
import { loadConfig } from '../../src/config/load.ts'
import { settings } from '../../src/config/settings.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import '../../src/modules/index.ts'

const allSettings: Record<string, Setting<unknown>> = settings

export const folder = new URL('../../deploy/', import.meta.url)
export const read = (path: string): string => readFileSync(new URL(path, folder), 'utf8')
// Enables merge keys (`<<`), which are not part of YAML 1.2 but which Compose supports.
export const readYaml = <Shape>(path: string): Shape => parse(read(path), { merge: true })

/** Checks that the service accepts these settings, with the secret files in `directory` instead of `mounted`. */
export function assertStarts(environment: Record<string, string>, mounted: string, directory: string): void {
  const entries = Object.entries(environment).map(([name, value]) => [name, value.replace(mounted, directory)])
  assert.ok(entries.some(([name]) => name?.endsWith('_FILE')))
  // The service rejects an unknown name only if it resembles a setting, so the names are checked here.
  for (const name of Object.keys(environment)) {
    const known = allSettings[name.replace(/_FILE$/, '')]
    assert.ok(known && (known.secret || !name.endsWith('_FILE')), `${name} is not a setting`)
  }
  const config = loadConfig({ ...Object.fromEntries(entries), DATA_DIR: temporaryDirectory('deploy') })
  assert.equal(config.isProduction, true)
}

/** Creates the secret files that the operator provides. */
export function writeSecrets(names: string[]): string {
  const directory = temporaryDirectory('secrets')
  const random = () => randomBytes(32).toString('base64')
  const special: Record<string, string> = {
    data_keys: `1:${random()}`,
    bridge_secrets: `shop:${random()}`,
    database_url: 'postgres://wardenry:secret@localhost/wardenry',
    redis_url: 'redis://localhost:6379',
    smtp_url: 'smtp://localhost:25',
  }
  for (const name of names) writeFileSync(join(directory, name), special[name] ?? random(), { mode: 0o600 })
  return directory
}
