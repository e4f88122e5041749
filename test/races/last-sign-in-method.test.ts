import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { lockNumber } from '../../src/db/advisory-locks.ts'
import { call, type Nodes, needsPostgres, newAddress, type Registered, registerAt, startNodes } from '../nodes/nodes.ts'
import { fixedWait } from '../support/fixed-wait.ts'
import { raceRounds, releaseTogether } from '../support/races.ts'

describe('a removal of a way to sign in and a change of settings at one instant on two nodes', needsPostgres, () => {
  let nodes: Nodes
  let root: Registered
  let ada: Registered
  before(async () => {
    nodes = await startNodes(2, {
      TOKEN_LOGIN_ENABLED: 'false',
      RATE_LIMIT_ADMIN: '100000/1h',
      RATE_LIMIT_WRITE: '100000/1h',
      RATE_LIMIT_REGISTRATION: '1000/1h',
    })
    root = await registerAt(nodes.urls[0]!)
    ada = await registerAt(nodes.urls[1]!)
    await nodes.database.query("UPDATE users SET user_type = 'superadmin' WHERE id = $1", [root.id])
  })
  after(() => nodes?.stop())

  const query = (text: string, values?: unknown[]) => nodes.database.query<{ id: string }>(text, values)
  beforeEach(reset)

  /** Gives both users a passkey and switches passwords on, on all nodes. */
  async function reset(): Promise<void> {
    await query('DELETE FROM passkeys')
    await query(`INSERT INTO passkeys (id, user_id, created_at, sign_count, discoverable, uv_seen, be, bs, credential_id,
      public_key, aaguid, name, created_via)
      SELECT gen_random_uuid(), id, now(), 0, true, true, true, true, decode(replace(id::text, '-', ''), 'hex'), '\\x02',
        gen_random_uuid(), 'Phone', 'settings' FROM users`)
    const { url, ...request } = settings(null)
    const { status, json } = await call(url, request)
    assert.equal(status, 200, JSON.stringify(json))
  }
  const settings = (value: string | null = 'false') => ({
    method: 'PUT',
    url: `${nodes.urls[0]}/auth/admin/settings`,
    headers: { 'x-session-id': root.sessionToken, 'x-forwarded-for': newAddress() },
    body: { changes: [{ name: 'PASSWORDS_ENABLED', value }] },
  })
  async function removal({ id, sessionToken }: Registered) {
    const [passkey] = await query('SELECT id FROM passkeys WHERE user_id = $1', [id])
    return {
      method: 'DELETE',
      url: `${nodes.urls[1]}/auth/passkeys/${passkey?.id}`,
      headers: { 'x-session-id': sessionToken, 'x-forwarded-for': newAddress() },
      body: {},
    }
  }

  for (const [who, remover] of [
    ['another user', () => ada],
    ['the superadmin', () => root],
  ] as const)
    test(`${who} removes a passkey while passwords are switched off: one of them is rejected`, async () => {
      for (let round = 0; round < raceRounds(15); round++) {
        if (round > 0) await reset()
        const replies = await releaseTogether([settings(), await removal(remover())])
        const found = replies.map(({ status }) => status).join(' ')
        assert.match(found, /^(200 400|400 200)$/, `round ${round}: ${replies.map(({ body }) => body).join(' ')}`)
      }
    })

  test('a removal waits for the change of settings that is under way, and obeys it', async () => {
    const other = await nodes.database.connect()
    await other.query(`BEGIN; SELECT pg_advisory_xact_lock(${lockNumber('settings')})`)
    const { url, ...request } = await removal(ada)
    const removing = call(url, request)
    await Promise.race([removing, fixedWait(300, 'a removal that waits for the lock must not finish')])
    await other.query("UPDATE stored_settings SET value = 'false' WHERE name = 'PASSWORDS_ENABLED'; COMMIT")
    const { status, json } = await removing
    assert.deepEqual([status, json.code], [400, 'LAST_SIGN_IN_METHOD'])
  })
})
