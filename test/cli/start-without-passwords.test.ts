// Setup: embedded database
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorkplace } from './run-command.ts'

test('without passwords, the service starts only if somebody could sign in, and doctor reports the same', async (t) => {
  const { runProcess, run, dataDir } = await openWorkplace(t)
  const start = async (env: Record<string, string>) => {
    const base = { DATA_DIR: dataDir, PORT: '0', PASSWORDS_ENABLED: 'false' }
    const { code, stderr } = await runProcess(['start'], { env: { ...base, ...env } })
    const doctor = await run(['doctor'], { env: { ...base, ...env } })
    assert.equal(doctor.code, 1, doctor.stdout)
    return [code, stderr, doctor.stdout] as const
  }
  const [compat, aboutClients] = await start({ CLIENT_COMPAT: 'true' })
  assert.notEqual(compat, 0)
  assert.match(aboutClients, /PASSWORDS_ENABLED=false cannot be combined with CLIENT_COMPAT=true/)
  const [bare, noWay, beforeFirstStart] = await start({ TOKEN_LOGIN_ENABLED: 'false', PASSKEYS_ENABLED: 'false' })
  assert.notEqual(bare, 0)
  assert.match(noWay, /PASSWORDS_ENABLED=false leaves no way to sign in/)
  assert.match(beforeFirstStart, /✗ Passwords +PASSWORDS_ENABLED=false leaves no way to sign in/)
  const env = { DATA_DIR: dataDir, ADMIN_PASSWORD: 'seven quiet river stones' }
  const created = await run(['admin', 'create', '--email', 'ada@example.com'], { env })
  assert.equal(created.code, 0, created.stderr)
  const provider = { GITHUB_CLIENT_ID: 'an id', GITHUB_CLIENT_SECRET: 'a secret' }
  const [locked, nobody, examined] = await start({ TOKEN_LOGIN_ENABLED: 'false', ...provider })
  assert.notEqual(locked, 0)
  assert.match(nobody, /PASSWORDS_ENABLED=false leaves no superadmin who can sign in/)
  assert.match(examined, /✗ Passwords +PASSWORDS_ENABLED=false leaves no superadmin who can sign in/)
})
