import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { loadConfig } from '../../src/config/load.ts'
import { findProgram } from '../support/find-program.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { assertStarts, folder, read, writeSecrets } from './support.ts'

const mounted = '/etc/wardenry/secrets'
const unit = read('systemd/wardenry.service')
const settings = parseEnv(read('systemd/env.example')) as Record<string, string>
/** The settings, including those in lines that the operator can uncomment. */
const whole = parseEnv(read('systemd/env.example').replace(/^#(?=[A-Z_]+=)/gm, '')) as Record<string, string>
const secretsOf = (values: Record<string, string>): string[] =>
  Object.values(values).flatMap((value) => value.split(`${mounted}/`)[1] ?? [])

test('the service starts with the settings of env.example', () => {
  assertStarts(settings, mounted, writeSecrets(secretsOf(settings)))
  assert.ok(secretsOf(whole).length > secretsOf(settings).length)
  assertStarts(whole, mounted, writeSecrets(secretsOf(whole)))
})

test('env.example and the unit agree, and the unit waits until the service has stopped', () => {
  const names = /^StateDirectory=(.*)$/m.exec(unit)?.[1]
  assert.equal(settings.DATA_DIR, `/var/lib/${names}`)
  const limit = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])
  assert.ok(limit * 1000 > loadConfig({ DATA_DIR: temporaryDirectory('systemd') }).SHUTDOWN_TIMEOUT)
})

const analyze = findProgram(['systemd-analyze'])
const needsSystemd = { skip: !analyze && 'skipped: no systemd-analyze found; install systemd' }

test('systemd-analyze finds little exposure and no mistake in the unit', needsSystemd, () => {
  const directory = temporaryDirectory('systemd')
  const file = join(directory, 'wardenry.service')
  copyFileSync(fileURLToPath(new URL('systemd/wardenry.service', folder)), file)
  const { stdout, stderr } = spawnSync(analyze!, ['security', '--offline=true', '--no-pager', file], {
    encoding: 'utf8',
  })
  const exposure = /Overall exposure level for .*: (\d+\.\d)/.exec(stdout)?.[1]
  assert.ok(exposure !== undefined && Number(exposure) <= 2.5, `${exposure}\n${stderr}`)
  const verified = spawnSync(analyze!, ['verify', '--man=no', file], { encoding: 'utf8' })
  // On the machine that runs the tests, Node.js is not at the unit's path.
  const mistakes = verified.stderr.split('\n').filter((line) => line && !/node is not executable/.test(line))
  assert.deepEqual(mistakes, [])
})
