import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { day, hour, minute } from '../../src/lib/time.ts'
import { call, loginAt, migratedDatabase, needsPostgres, newDeployment, registerAt } from '../nodes/nodes.ts'
import { startService } from '../support/child.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { installMirror, type Mirror, type MirroredUser } from '../support/mirror.ts'
import { person, signedInAs } from '../support/people.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import type { TestApp, TestClock } from '../support/test-app.ts'
import { advancingUntil, ownerOf, startOpenApp } from '../webhooks/support.ts'

const rounds = 6

describe('the example that mirrors users', needsPostgres, () => {
  test(`has every user after ${rounds} kills of it and of the service`, { timeout: 15 * minute }, async (t) => {
    const database = await migratedDatabase()
    t.after(() => database.drop())
    const [port, mirrorPort] = [await freePort(), await freePort()]
    const url = `http://127.0.0.1:${port}`
    const settings = {
      ...newDeployment(),
      PORT: String(port),
      DATABASE_URL: database.url,
      EVENT_ALLOW_PRIVATE_HOSTS: 'true',
    }
    let service = await startService(settings)
    t.after(() => service.kill())

    const [grace, alan] = [await registerAt(url, 'grace'), await registerAt(url, 'alan')]
    await database.query(
      `UPDATE users SET user_type = CASE id WHEN $1 THEN 'superadmin' ELSE 'support' END
      WHERE id IN ($1, $2)`,
      [grace.id, alan.id],
    )
    const session = (await loginAt(url, grace)).json.sessionId
    const send: Send = async (method, path, body) => {
      const reply = await call(`${url}${path}`, { method, body, headers: { 'x-session-id': session } })
      assert.equal(reply.status, 200, `${path}: ${JSON.stringify(reply.json)}`)
      return reply.json
    }
    const webhook = { url: `http://127.0.0.1:${mirrorPort}/`, events: ['user.*'] }
    const { data } = await send('POST', '/auth/admin/webhooks', webhook)
    const mirror = await installMirror(t, { port: mirrorPort, service: url, secret: data.secret, ...alan })
    await mirror.start()

    let users: string[] = []
    const truth = () => database.query<MirroredUser>(currentUsers)
    for (let round = 0; round < rounds; round++) {
      if (round % 3 === 1) await equal(mirror, truth)
      users = await changeUsers(send, users)
      if (round % 2 === 0) {
        await mirror.kill()
        await mirror.start()
      } else {
        await service.kill()
        service = await startService(settings)
      }
    }
    await equal(mirror, truth)
  })

  test('has every user after an outage of a day, and after a replay of five days', {
    timeout: 5 * minute,
  }, async (t) => {
    const clockFile = join(temporaryDirectory('clock'), 'offset')
    const app = await startOpenApp({ REAUTH_WINDOW: '0s' }, movingClock(clockFile))
    t.after(() => app.stop())
    const [port, mirrorPort] = [await freePort(), await freePort()]
    await app.http.listen({ host: '127.0.0.1', port })
    const owner = await ownerOf(app)
    const alan = await signedInAs(app, 'support', 'alan')
    const webhook = await owner.create({ url: `http://127.0.0.1:${mirrorPort}/`, events: ['user.*'] })
    const service = `http://127.0.0.1:${port}`
    const mirror = await installMirror(t, { port: mirrorPort, service, secret: webhook.secret, ...alan }, clockFile)
    const send = sender(app, owner.superadmin.sessionToken)
    const truth = async () => (await sql.raw<MirroredUser>(currentUsers).execute(app.ctx.db)).rows
    await mirror.start()
    let users = await changeUsers(send, [])
    await equal(mirror, truth)

    await mirror.kill()
    const failing = app.clock.now()
    users = await changeUsers(send, users)
    await advancingUntil(app, hour, () => app.clock.now() > failing + day)
    users = await changeUsers(send, users)
    await mirror.start()
    await advancingUntil(app, hour, async () => same(mirror, await truth()))
    assert.equal((await owner.get(webhook.id)).enabled, true)

    await mirror.kill()
    const from = new Date(app.clock.now()).toISOString()
    users = await changeUsers(send, users)
    await advancingUntil(app, 2 * hour, async () => (await owner.get(webhook.id)).enabled === false)
    await changeUsers(send, users)
    app.clock.advance(day)
    await mirror.start()
    assert.equal((await owner.call('PUT', `/${webhook.id}`, { enabled: true })).status, 200)
    assert.equal((await owner.call('POST', `/${webhook.id}/replay`, { from })).status, 200)
    await equal(mirror, truth)
  })
})

/** Moves by itself. The signature of an event contains the time, so the mirror must use the same clock. */
function movingClock(file: string): TestClock {
  let offset = 0
  writeFileSync(file, '0')
  return {
    now: () => Date.now() + offset,
    advance(milliseconds) {
      offset += milliseconds
      writeFileSync(file, String(offset))
    },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the type of a reply is not known at compile time.
type Send = (method: string, path: string, body?: unknown) => Promise<any>

const sender =
  (app: TestApp, session: string): Send =>
  async (method, path, body) => {
    const reply = await app.call(method, path, { body, headers: { 'x-session-id': session } })
    assert.equal(reply.status, 200, `${path}: ${reply.text}`)
    return reply.json
  }

let created = 0

/** Creates six users, and changes, blocks, unblocks, deletes and restores those of the previous call. Returns all six. */
async function changeUsers(send: Send, previous: string[]): Promise<string[]> {
  const ids: string[] = []
  for (let user = 0; user < 6; user++) {
    const email = `mirrored.${++created}@example.com`
    const { data } = await send('POST', '/auth/admin/users', { ...person(), email, name: 'Ada' })
    ids.push(data.user.id)
  }
  const [renamed, promoted, blocked, unblocked, deleted, restored] = previous.map((id) => `/auth/admin/users/${id}`)
  if (!renamed) return ids
  await send('PUT', renamed, { last_name: `Lovelace ${created}` })
  await send('PUT', `${promoted}`, { user_type: 'admin' })
  await send('POST', `${blocked}/block`, { reason: 'spam', until: '2027-12-01T08:00:00.000Z' })
  await send('POST', `${unblocked}/block`, { reason: 'spam' })
  await send('POST', `${unblocked}/unblock`)
  await send('DELETE', `${deleted}`)
  await send('DELETE', `${restored}`)
  await send('POST', `${restored}/restore`)
  return ids
}

const currentUsers = `SELECT id, email, trim(concat(name, ' ', last_name)) AS name, user_type AS role,
    b.user_id IS NOT NULL AS blocked, to_char(b.until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS until
  FROM users LEFT JOIN user_blocks b ON b.user_id = users.id
  WHERE deleted_at IS NULL ORDER BY id`

const same = (mirror: Mirror, users: MirroredUser[]) => JSON.stringify(mirror.users()) === JSON.stringify(users)

/** A delivery that met several kills is repeated after minutes only. */
async function equal(mirror: Mirror, truth: () => Promise<MirroredUser[]>): Promise<void> {
  await eventually(async () => same(mirror, await truth()), 4 * minute).catch(() => {})
  assert.deepEqual(mirror.users(), await truth())
}
