// Setup: embedded database
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { startService } from '../support/child.ts'
import { openInstallation } from './installation.ts'

test('lost secrets of an existing database stop the start, and secrets replace makes new ones', async (t) => {
  const { run, runProcess, env, secrets: file } = await openInstallation(t)
  const lost = JSON.parse(await readFile(file, 'utf8'))
  assert.equal(
    (await run(['secrets', 'replace', '--yes'], { env })).stdout,
    'No secret is missing. Nothing was changed.\n',
  )
  await rm(file)

  for (const name of ['start', 'migrate']) {
    const { code, stderr } = await runProcess([name], { env })
    assert.equal(code, 78)
    assert.match(
      stderr,
      /secrets\.json does not contain AUTH_SECRET and DATA_KEYS, but the database .* was used with them/,
    )
    assert.match(stderr, /Restore the file from your backup.*wardenry secrets replace/)
  }
  const doctor = await run(['doctor'], { env })
  assert.equal(doctor.code, 1)
  assert.match(doctor.stdout, /✗ Configuration +\S+secrets\.json does not contain AUTH_SECRET and DATA_KEYS/)
  const asked = await run(['secrets', 'replace'], { env })
  assert.deepEqual([asked.code, asked.stdout], [1, ''])
  assert.match(asked.stderr, /Add --yes to confirm\. Nothing was changed\./)
  assert.ok(!existsSync(file))

  const replaced = await runProcess(['secrets', 'replace', '--yes'], { env })
  assert.equal(replaced.code, 0, replaced.stderr)
  assert.equal(replaced.stdout, 'Generated: BRIDGE_SECRET, AUTH_SECRET, DATA_KEYS\n')
  const made = JSON.parse(await readFile(file, 'utf8'))
  assert.notEqual(made.AUTH_SECRET, lost.AUTH_SECRET)
  assert.match(made.DATA_KEYS, /^[0-9a-f]{8}:/, 'what the lost key has sealed names another key')
  const service = await startService(env)
  t.after(() => service.kill())
  assert.equal((await fetch(`${service.url}/health/ready`)).status, 200)
  const running = await run(['secrets', 'replace', '--yes'], { env })
  assert.equal(running.stdout, 'No secret is missing. Nothing was changed.\n')
  await rm(file)
  const busy = await run(['secrets', 'replace', '--yes'], { env })
  assert.match(busy.stderr, new RegExp(`Process ${service.pid} has it open`))
  assert.ok(!existsSync(file))
})

test('a damaged file of secrets is moved aside when its secrets are replaced', async (t) => {
  const { run, env, secrets: file } = await openInstallation(t)
  await writeFile(file, '{"AUTH_SECRET": "unfini')
  const { stderr } = await run(['migrate'], { env })
  assert.match(stderr, /secrets\.json is damaged.*wardenry secrets replace/)
  assert.equal((await run(['secrets', 'replace', '--yes'], { env })).code, 0)
  assert.equal(await readFile(`${file}.damaged`, 'utf8'), '{"AUTH_SECRET": "unfini')
  assert.equal((await run(['migrate'], { env })).code, 0)
})

test('secrets replace knows the settings of modules outside the release', async (t) => {
  const { runProcess, env: installation } = await openInstallation(t)
  const env = { ...installation, MODULE_PATHS: join(import.meta.dirname, '../../examples/module-notes') }
  const { stdout, stderr } = await runProcess(['secrets', 'replace', '--yes'], { env: { ...env, NOTES_MAX: 'many' } })
  assert.equal(stdout, '')
  assert.match(stderr, /NOTES_MAX/)
})

test('a database without its marker is never replaced by a new one', async (t) => {
  const { run, runProcess, env } = await openInstallation(t)
  await rm(join(env.DATA_DIR, 'postgres/PG_VERSION'))
  const [start, doctor] = [await runProcess(['start'], { env }), await run(['doctor'], { env })]
  assert.equal(start.code, 1)
  assert.match(start.stderr, /postgres contains files but no database: PG_VERSION is missing\. Restore/)
  assert.equal(doctor.code, 1)
  assert.match(doctor.stdout, /✗ Database +\S+postgres contains files but no database/)
  assert.ok(existsSync(join(env.DATA_DIR, 'postgres/global')))
})
