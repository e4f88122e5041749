import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { second } from '../../src/lib/time.ts'
import { startService } from '../support/child.ts'
import { call, type Nodes, needsPostgres, registerAt, startNodes } from './nodes.ts'

describe('stored settings on two nodes', needsPostgres, () => {
  let nodes: Nodes
  let headers: Record<string, string>
  let [first, other]: string[] = []
  before(async () => {
    nodes = await startNodes(2, { RATE_LIMIT_ADMIN: '100000/1h' })
    ;[first, other] = nodes.urls
    const admin = await registerAt(first!)
    await nodes.database.query(`UPDATE users SET user_type = 'superadmin' WHERE id = $1`, [admin.id])
    headers = { 'x-session-id': admin.sessionToken }
  })
  after(() => nodes?.stop())

  const nameAt = async (url: string | undefined) => {
    const response = await fetch(`${url}/login`)
    return /<title>[^<]*?([\w ]+)<\/title>/.exec(await response.text())?.[1]?.trim()
  }
  const set = (value: string | null) =>
    call(`${first}/auth/admin/settings`, { method: 'PUT', body: { changes: [{ name: 'APP_NAME', value }] }, headers })
  async function until(url: string | undefined, name: string, limit: number): Promise<void> {
    const started = performance.now()
    while ((await nameAt(url)) !== name) {
      assert.ok(performance.now() - started < limit, `not within ${limit} ms: ${await nameAt(url)}`)
      await sleep(50)
    }
  }

  test('a change is used at once where it was made, and by the other node within a second', async () => {
    assert.equal((await set('Harbour')).status, 200)
    assert.equal(await nameAt(first), 'Harbour')
    await until(other, 'Harbour', 1.5 * second)
  })

  test('a change whose message was lost is used within a few seconds', async () => {
    // The setting is written with SQL so that no node sends a message.
    await nodes.database.query(`INSERT INTO stored_settings (name, value, version, changed_at)
      VALUES ('APP_NAME', 'Lighthouse', 1000, now())
      ON CONFLICT (name) DO UPDATE SET value = excluded.value, version = excluded.version`)
    for (const url of nodes.urls) await until(url, 'Lighthouse', 6 * second)
  })

  test('a node that starts later uses the stored values from its first request', async (t) => {
    assert.equal((await set('Beacon')).status, 200)
    const late = await startService({ ...nodes.settings, RATE_LIMIT_ADMIN: '100000/1h' })
    t.after(() => late.stop())
    assert.equal(await nameAt(late.url), 'Beacon')
  })

  test('a node whose environment sets the value keeps it', async (t) => {
    const own = await startService({ ...nodes.settings, APP_NAME: 'Fixed' })
    t.after(() => own.stop())
    assert.equal(await nameAt(own.url), 'Fixed')
  })
})
