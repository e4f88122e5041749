// Setup: embedded database
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../src/lib/ids.ts'
import { day, hour, iso } from '../../../src/lib/time.ts'
import { generateKey } from '../../../src/modules/oauth/keys/generate-key.ts'
import { openPlace } from '../../cli/place.ts'

const dataKey = Buffer.alloc(32, 7)

test('keys are listed, rotated and examined from the command line', async (t) => {
  const { run, query, env: place } = await openPlace(t)
  const AUTH_SECRET = 'auth-Zk3vQ8mN1xR6tY9wL4cB7dHs2JfGpVeU'
  const env = { ...place, AUTH_SECRET, DATA_KEYS: `1:${dataKey.toString('base64url')}` }
  const ok = async (args: string[], more: Record<string, string> = {}) => {
    const { code, stdout, stderr } = await run(args, { env: { ...env, ...more } })
    assert.equal(code, 0, `${args.join(' ')}: ${stderr} ${stdout}`)
    return stdout
  }
  await ok(['module', 'install', 'api-keys', '--all'])
  await ok(['module', 'install', 'oauth', '--all'])
  assert.match(await ok(['oauth', 'keys-list']), /There are no keys/)
  assert.match(await ok(['oauth', 'keys-rotate']), /There are no keys/)
  assert.match(await ok(['doctor']), /✓ Signing keys\s+none yet/)

  const { kid, publicJwk, sealedPrivate } = await generateKey([{ id: '1', key: dataKey }], 'ES256')
  await query(`INSERT INTO oauth_keys (kid, id, alg, public_jwk, sealed_private, status)
    VALUES ('${kid}', '${newId()}', 'ES256', '${JSON.stringify(publicJwk)}', '${sealedPrivate}', 'current')`)
  assert.match(await ok(['oauth', 'keys-list']), new RegExp(`ES256 {2}current {2}published {2}.*${kid}`))
  assert.match(await ok(['doctor']), /✓ Signing keys\s+ES256 since/)
  const [published] = JSON.parse(await ok(['oauth', 'keys-rotate', '--alg', 'ES256', '--json']))
  assert.equal(published.outcome, 'published')
  const busy = await run(['oauth', 'keys-rotate'], { env })
  assert.equal(busy.code, 1)
  assert.match(busy.stderr, /The next ES256 key is not known to all verifiers yet/)
  const wrong = await run(['oauth', 'keys-rotate', '--alg', 'HS256'], { env })
  assert.match(wrong.stderr, /--alg must be one of ES256, EdDSA, RS256/)
  const none = await run(['oauth', 'keys-rotate', '--alg', 'RS256'], { env })
  assert.match(none.stderr, /alg has no key yet/)

  await query(`UPDATE oauth_keys SET active_from = '${iso(Date.now() - 2 * hour)}' WHERE status = 'next'`)
  const late = await run(['doctor'], { env })
  assert.match(late.stdout, /✗ Signing keys\s+the ES256 key was due to be replaced at/)
  const otherKey = `2:${Buffer.alloc(32, 8).toString('base64url')}`
  const lost = await run(['doctor'], { env: { ...env, DATA_KEYS: otherKey } })
  assert.match(lost.stdout, /the ES256 key \S+ cannot be decrypted with DATA_KEYS/)

  assert.match(
    await ok(['oauth', 'keys-rotate', '--compromised']),
    /ES256: \S+ signs now\. The other keys were removed\./,
  )
  const keys: { status: string; published: boolean }[] = JSON.parse(await ok(['oauth', 'keys-list', '--json']))
  assert.deepEqual(keys.map(({ status, published }) => `${status} ${published}`).toSorted(), [
    'current true',
    'removed false',
    'removed false',
  ])
  await query(`UPDATE oauth_keys SET active_from = '${iso(Date.now() - 91 * day)}' WHERE status = 'current'`)
  assert.match((await run(['doctor'], { env })).stdout, /✗ Signing keys\s+the ES256 key was due/)

  await query(`UPDATE oauth_keys SET status = 'removed'`)
  await query(`INSERT INTO applications (id, created_at, updated_at, is_enabled, is_development, key, name, kind)
    VALUES ('${newId()}', now(), now(), true, false, 'files', 'Files', 'service');
    INSERT INTO oauth_resources (application_id, identifier, name, is_enabled)
      SELECT id, 'https://files.example', 'Files', true FROM applications WHERE key = 'files';
    INSERT INTO oauth_clients (application_id, client_id, type, name, is_enabled)
      SELECT id, 'files', 'resource_server', 'Files', true FROM applications WHERE key = 'files'`)
  assert.match(await ok(['doctor']), /! Signing keys\s+no key for ES256, although clients are enabled/)
  const path = await ok(['doctor'], { PUBLIC_URL: 'http://127.0.0.1:9/accounts' })
  assert.match(path, /! OAuth metadata\s+PUBLIC_URL has a path, but the metadata does not arrive at/)
  assert.match(path, /\/\.well-known\/oauth-authorization-server\/accounts/)
  assert.doesNotMatch(await ok(['doctor'], { OAUTH_ENABLED: 'false' }), /Signing keys/)
})
