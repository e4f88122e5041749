// Setup: embedded database
import assert from 'node:assert/strict'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { acquireLockFile } from '../../src/db/lock-file.ts'
import { newDeployment } from '../nodes/nodes.ts'
import { startService } from '../support/child.ts'
import { forBothReleases } from '../support/previous-release.ts'
import { openInstallation } from './installation.ts'
import { openWorkplace } from './run-command.ts'
import { ada, password, superadmin } from './users.ts'

const passphrase = 'moss on the northern wall'

test('an unencrypted backup contains no secrets, and is restored only with those of the original', async (t) => {
  const { run, runProcess, env, at, settings, secrets } = await openInstallation(t)
  const { code, stdout, stderr } = await runProcess(['backup', 'b'], { env })
  assert.deepEqual([code, stdout], [0, ''])
  assert.match(
    stderr,
    /^Wrote b: [\d.]+ MB, SHA-256 [0-9a-f]{64}\n0 files of pictures\.\nNot included: the secrets \(AUTH_SECRET, DATA_KEYS\)/,
  )

  const refused = await run(['restore', 'b'], { env: settings('other') })
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /differ from those of the backup: AUTH_SECRET, the key "1" of DATA_KEYS/)
  assert.deepEqual(readdirSync(at('other')), ['postgres'], 'no secrets were created')

  await mkdir(at('same'), { mode: 0o700 })
  await writeFile(join(at('same'), 'secrets.json'), await readFile(secrets), { mode: 0o600 })
  const restored = await runProcess(['restore', 'b'], { env: settings('same') })
  assert.equal(restored.code, 0, restored.stderr)
  assert.match(restored.stdout, /^Restored the backup of .*: 1 users, 0 files of pictures\.\nEnded 0 sessions/)
  const doctor = await run(['doctor'], { env: settings('same') })
  assert.equal(doctor.code, 0, doctor.stdout)

  const forced = await run(['restore', 'b', '--other-secrets'], { env: settings('other') })
  assert.equal(forced.code, 0, forced.stderr)
})

test('an encrypted backup contains the generated secrets, and is all that a restore needs', async (t) => {
  const { run, env, at, settings, secrets } = await openInstallation(t)
  await writeFile(at('phrase'), `${passphrase}\nanother line\n`)
  const without = await run(['backup', 'b', '--encrypt'], { env })
  assert.match(without.stderr, /--encrypt needs a passphrase/)
  const short = await run(['backup', 'b', '--encrypt'], { env: { ...env, BACKUP_PASSPHRASE: 'short' } })
  assert.match(short.stderr, /at least 12 characters/)
  assert.equal(existsSync(at('b')), false)
  const made = await run(['backup', 'b', '--encrypt', '--passphrase-file', 'phrase'], { env })
  assert.equal(made.code, 0, made.stderr)
  assert.match(made.stderr, /contains the generated secrets/)

  const wrong = await run(['restore', 'b'], { env: { ...settings('new'), BACKUP_PASSPHRASE: `${passphrase}s` } })
  assert.match(wrong.stderr, /passphrase is wrong/)
  assert.deepEqual(readdirSync(at('new')), ['postgres'])
  const restored = await run(['restore', 'b'], { env: { ...settings('new'), BACKUP_PASSPHRASE: passphrase } })
  assert.equal(restored.code, 0, restored.stderr)
  const copy = join(at('new'), 'secrets.json')
  assert.deepEqual(JSON.parse(await readFile(copy, 'utf8')), JSON.parse(await readFile(secrets, 'utf8')))
  assert.equal(statSync(copy).mode & 0o777, 0o600)
  const service = await startService(settings('new'))
  t.after(() => service.kill())
  const reply = await fetch(`${service.url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: ada, password }),
  })
  assert.equal(reply.status, 200)
})

test('an empty passphrase is refused instead of switching protection off', async (t) => {
  const { run, env, at, settings } = await openInstallation(t)
  assert.equal((await run(['backup', 'b'], { env })).code, 0)
  await writeFile(at('empty'), '')
  await writeFile(at('blank'), `\n${passphrase}\n`)
  for (const name of ['empty', 'blank'])
    for (const args of [
      ['restore', 'b'],
      ['backup', 'c'],
    ]) {
      const { code, stderr } = await run([...args, '--passphrase-file', name], { env: settings('new') })
      assert.equal(code, 1)
      assert.match(stderr, new RegExp(`The first line of ${name} is empty`))
    }
  const unset = await run(['restore', 'b'], { env: { ...settings('new'), BACKUP_PASSPHRASE: '' } })
  assert.match(unset.stderr, /BACKUP_PASSPHRASE is empty/)
  assert.equal(existsSync(at('new')), false)
})

test('a passphrase file encrypts a backup, also without --encrypt', async (t) => {
  const { run, env, at } = await openInstallation(t)
  await writeFile(at('phrase'), passphrase)
  const { code, stderr } = await run(['backup', 'b', '--passphrase-file', 'phrase'], { env })
  assert.equal(code, 0, stderr)
  assert.match((await readFile(at('b'))).toString('latin1'), /^wardenry encrypted backup/)
})

test('a bridge secret that was generated alone is kept by a move and an encrypted backup', async (t) => {
  const { run, directory, dataDir } = await openWorkplace(t)
  const shared = { ...newDeployment(), BACKUP_PASSPHRASE: passphrase, BRIDGE_SECRET: '' }
  const { BRIDGE_SECRET: _, ...env } = forBothReleases(shared)
  const at = (name: string) => ({ ...env, DATA_DIR: join(directory, name) })
  const made = await run(['user', 'create', '--email', ada, ...superadmin], { env: at('data'), input: password })
  assert.equal(made.code, 0, made.stderr)
  const own = await readFile(join(dataDir, 'secrets.json'), 'utf8')
  assert.deepEqual(Object.keys(JSON.parse(own)), ['BRIDGE_SECRET'])
  assert.equal((await run(['backup', 'b', '--encrypt'], { env: at('data') })).code, 0)
  assert.equal((await run(['restore', 'b'], { env: at('restored') })).code, 0)
  assert.equal((await run(['move', '--to', './moved'], { env: at('data') })).code, 0)
  for (const name of ['restored', 'moved'])
    assert.equal(await readFile(join(directory, name, 'secrets.json'), 'utf8'), own, name)
})

test('a refused restore leaves no secrets of the backup behind', async (t) => {
  const { run, env, at, settings } = await openInstallation(t)
  const withPhrase = { BACKUP_PASSPHRASE: passphrase }
  assert.equal((await run(['backup', 'b', '--encrypt'], { env: { ...env, ...withPhrase } })).code, 0)

  const other = { ...settings('new'), ...withPhrase, AUTH_SECRET: 'another secret of more than thirty-two characters' }
  const differing = await run(['restore', 'b'], { env: other })
  assert.equal(differing.code, 1)
  assert.match(differing.stderr, /differ from those of the backup: AUTH_SECRET\./)
  assert.deepEqual(readdirSync(at('new')), ['postgres'], 'no secrets were created')

  const lock = await acquireLockFile(at('new'))
  const busy = await run(['restore', 'b'], { env: { ...settings('new'), ...withPhrase } })
  await lock.release()
  assert.equal(busy.code, 1)
  assert.deepEqual(readdirSync(at('new')), ['postgres'])
  const damaged = '{"AUTH_SECRET": "prec'
  await writeFile(join(at('new'), 'secrets.json'), damaged)
  const refused = await run(['restore', 'b'], { env: { ...settings('new'), ...withPhrase } })
  assert.match(refused.stderr, /secrets\.json is damaged/)
  assert.equal(await readFile(join(at('new'), 'secrets.json'), 'utf8'), damaged)
  await rm(join(at('new'), 'secrets.json'))
  assert.equal((await run(['restore', 'b'], { env: { ...settings('new'), ...withPhrase } })).code, 0)
})

test('the passphrase may be in .env', async (t) => {
  const { run, env, at, settings } = await openInstallation(t)
  await writeFile(at('.env'), `BACKUP_PASSPHRASE=${passphrase}\n`)
  const { code, stderr } = await run(['backup', 'b', '--encrypt'], { env })
  assert.equal(code, 0, stderr)
  assert.equal((await run(['restore', 'b'], { env: settings('new') })).code, 0)
})
