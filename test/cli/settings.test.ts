import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { startService } from '../support/child.ts'
import { openPlace } from './place.ts'

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

test('settings are stored, listed, used by the next start and reset', async (t) => {
  const { run, runProcess, env: place, isEmbedded, directory } = await openPlace(t)
  const env = { ...place, APP_TERMS_URL: 'https://example.com/terms' }
  const settings = (...args: string[]) => run(['settings', ...args], { env })
  const first = await runProcess(['settings', 'set', 'APP_NAME', 'Harbour'], { env })
  assert.equal(first.stdout, 'APP_NAME is changed.\n')
  const again = await settings('set', 'APP_NAME', 'Harbour')
  assert.equal(again.stdout, 'APP_NAME already has this value. Nothing was changed.\n')

  await writeFile(join(directory, 'logo.png'), Buffer.from(pixel, 'base64'))
  assert.equal((await settings('set', 'APP_LOGO', 'logo.png')).stdout, 'APP_LOGO is changed.\n')
  const listed = await settings('list', '--changed')
  assert.match(listed.stdout, /^SETTING +VALUE +SOURCE +CHANGEABLE/)
  assert.match(listed.stdout, /^APP_NAME +Harbour +database +yes *$/m)
  assert.match(listed.stdout, /^APP_LOGO +image\/png, 1 × 1 +database +yes *$/m)
  assert.match(listed.stdout, /^APP_TERMS_URL +https:\/\/example\.com\/terms +environment +no *$/m)
  const secretSource = isEmbedded ? 'generated' : 'environment'
  assert.match(listed.stdout, new RegExp(`^AUTH_SECRET +set +${secretSource} +no *$`, 'm'))
  assert.doesNotMatch(listed.stdout, /^CODE_TTL/m)
  const all = JSON.parse((await settings('list', '--json')).stdout)
  assert.equal(all.settings.find(({ name }: { name: string }) => name === 'CODE_TTL').value, '10m')

  const service = await startService(env)
  t.after(() => service.kill())
  assert.match(await (await fetch(`${service.url}/login`)).text(), /Harbour/)
  await service.kill()

  assert.equal((await settings('reset', 'APP_NAME')).stdout, 'APP_NAME is reset.\n')
  assert.equal((await settings('reset', 'APP_NAME')).stdout, 'APP_NAME has no stored value. Nothing was changed.\n')
  assert.doesNotMatch((await settings('list', '--changed')).stdout, /^APP_NAME/m)
})

test('a value that cannot be stored is refused with the reason', async (t) => {
  const { run, env: place } = await openPlace(t)
  const env = { ...place, APP_TERMS_URL: 'https://example.com/terms' }
  for (const [name, value, reason] of [
    ['CODE_TTL', 'soon', 'CODE_TTL must be a duration from 1m to 10m'],
    ['AUTH_SECRET', 'stolen', 'AUTH_SECRET is a secret: set it in the environment and restart the service'],
    ['PORT', '1', 'PORT is read only at startup'],
    ['NO_SUCH', '1', 'NO_SUCH is not a setting'],
    ['DEFAULT_LANG', '??', 'DEFAULT_LANG must be a language tag'],
    ['APP_TERMS_URL', 'https://example.com/mine', 'APP_TERMS_URL is set in the environment'],
  ] as const) {
    const { code, stderr } = await run(['settings', 'set', name, value], { env })
    assert.equal(code, 1, name)
    assert.ok(stderr.includes(reason), stderr)
  }
  assert.match((await run(['doctor'], { env })).stdout, /✓ Stored settings +none/)
})

test('doctor reports stored settings, those that the environment hides and those that are not valid', async (t) => {
  const { run, env } = await openPlace(t)
  assert.equal((await run(['settings', 'set', 'APP_NAME', 'Harbour'], { env })).code, 0)
  const editors = { ...env, USER_TYPES: 'editor' }
  assert.equal((await run(['settings', 'set', 'TWO_FACTOR_REQUIRED_FOR', 'editor'], { env: editors })).code, 0)
  const good = await run(['doctor'], { env: editors })
  assert.equal(good.code, 0, good.stdout)
  assert.match(good.stdout, /✓ Stored settings +APP_NAME, TWO_FACTOR_REQUIRED_FOR/)
  const hidden = await run(['doctor'], { env: { ...editors, APP_NAME: 'Pier' } })
  assert.equal(hidden.code, 0)
  assert.match(hidden.stdout, /! Stored settings +not used, because the environment sets them: APP_NAME/)
  const invalid = await run(['doctor'], { env })
  assert.equal(invalid.code, 1)
  assert.match(
    invalid.stdout,
    /✗ Stored settings +some values are not valid and are ignored\n +TWO_FACTOR_REQUIRED_FOR /,
  )
  assert.match(invalid.stdout, /Change or reset them: wardenry settings\./)
})

test('switching passwords off from the command line names the users whom it locks out', async (t) => {
  const { run, env: place, query } = await openPlace(t)
  const env = { ...place, TOKEN_LOGIN_ENABLED: 'false' }
  const switchOff = (...more: string[]) => run(['settings', 'set', 'PASSWORDS_ENABLED', 'false', ...more], { env })
  const secret = { ...env, ADMIN_PASSWORD: 'seven quiet river stones' }
  const created = await run(['admin', 'create', '--email', 'ada@example.com'], { env: secret })
  assert.equal(created.code, 0, created.stderr)
  const nobody = await switchOff('--locked-out', '5')
  assert.deepEqual([nobody.code, /leaves no superadmin who can sign in/.test(nobody.stderr)], [1, true], nobody.stderr)
  assert.match((await run(['doctor'], { env })).stdout, /✓ Passwords +on; 1 user has no other way to sign in/)

  await query(`INSERT INTO passkeys (id, user_id, created_at, sign_count, discoverable, uv_seen, be, bs, credential_id,
    public_key, aaguid, name, created_via)
    SELECT gen_random_uuid(), id, now(), 0, true, true, true, true, '\\x01', '\\x02', gen_random_uuid(), 'Phone', 'settings'
    FROM users`)
  assert.equal((await run(['user', 'create', '--email', 'grace@example.com'], { env })).code, 0)
  await query(`UPDATE users SET password_hash = 'kept' WHERE email = 'grace@example.com'`)
  for (const more of [[], ['--locked-out', '0'], ['--locked-out', 'all']]) {
    const { code, stderr } = await switchOff(...more)
    assert.deepEqual([code, /would leave 1 user without a way to sign in/.test(stderr)], [1, true], stderr)
  }
  const accepted = await switchOff('--locked-out', '1')
  assert.equal(accepted.stdout, 'PASSWORDS_ENABLED is changed.\n', accepted.stderr)
  const { stdout } = await run(['doctor'], { env })
  assert.match(stdout, /Passwords +off, but 1 user has only a password and cannot sign in/)
  const last = await run(['settings', 'set', 'PASSKEYS_ENABLED', 'false', '--locked-out', '5'], { env })
  assert.deepEqual([last.code, /leaves no way to sign in/.test(last.stderr)], [1, true], last.stderr)
})
