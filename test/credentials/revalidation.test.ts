import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { second } from '../../src/lib/time.ts'
import { createKey, keyEnv } from '../modules/api-keys/support.ts'
import { machineSetup, oauthAdmin, oauthEnv, oauthModules, tokenOf } from '../modules/oauth/support.ts'
import { eventually } from '../support/eventually.ts'
import { registered } from '../support/people.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({
    modules: oauthModules,
    env: { ...keyEnv, ...oauthEnv, SESSION_VALIDATION_CACHE_TTL: '5s' },
  })
})
after(() => app.stop())

const validate = async (credential: string, resource?: string) => {
  const body = { credential, ...(resource && { resource }) }
  const { json } = await app.post('/auth/bridge/validate', body, { headers: { 'x-bridge-secret': bridgeSecret } })
  return json.success ? json : json.code
}

/** A use in the second half of the lifetime, and the revalidation that it causes. */
async function useUntilRevalidated(credential: string, resource?: string): Promise<void> {
  app.clock.advance(3 * second)
  assert.equal((await validate(credential, resource)).cacheSource, 'memory')
  await eventually(async () => {
    const found = app.ctx.credentials.recall(credential)
    return !found || found.cached.freshness.readAt === app.clock.now()
  })
}

/** Runs the statement without the triggers that tell the nodes, as if all messages were lost. */
const unnoticed = (table: string, statement: string) =>
  app.ctx.db.transaction().execute(async (tx) => {
    await sql.raw(`ALTER TABLE ${table} DISABLE TRIGGER USER`).execute(tx)
    await sql.raw(statement).execute(tx)
    await sql.raw(`ALTER TABLE ${table} ENABLE TRIGGER USER`).execute(tx)
  })

async function machineToken(token_format: 'jwt' | 'opaque') {
  const { api, machine } = await machineSetup(await oauthAdmin(app), { token_format })
  return { token: await tokenOf(app, machine), resource: api.identifier, machine }
}

test('a key in use is served from memory beyond the lifetime of the cache', async () => {
  const { key } = await createKey(app, await registered(app), { scopes: ['wardenry:profile:read'] })
  assert.equal((await validate(key)).cacheSource, 'database')
  for (let round = 0; round < 3; round++) await useUntilRevalidated(key)
  app.clock.advance(6 * second)
  assert.equal((await validate(key)).cacheSource, 'database', 'a key that is not in use')
})

for (const format of ['jwt', 'opaque'] as const)
  test(`a token in use is served from memory beyond the lifetime of the cache: ${format}`, async () => {
    const { token, resource } = await machineToken(format)
    assert.equal((await validate(token, resource)).cacheSource, 'database')
    for (let round = 0; round < 3; round++) await useUntilRevalidated(token, resource)
  })

test('a key in use whose user has changed is read again', async () => {
  const ada = await registered(app)
  const { key } = await createKey(app, ada, { scopes: ['wardenry:profile:read'] })
  await validate(key)
  await unnoticed('users', `UPDATE users SET name = 'Augusta' WHERE id = '${ada.id}'`)
  await useUntilRevalidated(key)
  const { user, cacheSource } = await validate(key)
  assert.deepEqual([user.name, cacheSource], ['Augusta', 'database'])
})

test('a key in use whose end was not announced is rejected when it is revalidated', async () => {
  const ada = await registered(app)
  const { key } = await createKey(app, ada, { scopes: ['wardenry:profile:read'] })
  await validate(key)
  await unnoticed('api_keys', `UPDATE api_keys SET ended_at = now() WHERE user_id = '${ada.id}'`)
  await useUntilRevalidated(key)
  assert.equal(await validate(key), 'INVALID_CREDENTIAL')
})

for (const format of ['jwt', 'opaque'] as const)
  test(`a token in use whose client was disabled unannounced is rejected when it is revalidated: ${format}`, async () => {
    const { token, resource, machine } = await machineToken(format)
    await validate(token, resource)
    const statement = `UPDATE oauth_clients SET is_enabled = false WHERE client_id = '${machine.clientId}'`
    await unnoticed('oauth_clients', statement)
    await useUntilRevalidated(token, resource)
    assert.equal(await validate(token, resource), 'INVALID_CREDENTIAL')
  })
