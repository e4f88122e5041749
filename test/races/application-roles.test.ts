import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '../../src/lib/ids.ts'
import { bridgeSecret, call, type Nodes, needsPostgres, registerAt, startNodes, validateAt } from '../nodes/nodes.ts'
import { eventually } from '../support/eventually.ts'
import { raceRounds } from '../support/races.ts'

describe('application roles under races on two nodes', needsPostgres, () => {
  let nodes: Nodes
  before(async () => {
    nodes = await startNodes(2, { RATE_LIMIT_BRIDGE: '1000000/1m' })
  })
  after(() => nodes?.stop())

  const rounds = raceRounds(200)
  const [application, even, odd] = [newId(), newId(), newId()]
  const run = (text: string) => nodes.database.query(text)

  /** Each state is one commit: it changes both roles, and which of them the user has. */
  const enter = (userId: string, state: number) =>
    run(`UPDATE roles SET permissions = '{races:p${state}}' WHERE application_id = '${application}';
      DELETE FROM user_roles WHERE user_id = '${userId}';
      INSERT INTO user_roles (user_id, role_id, granted_at) VALUES ('${userId}', '${state % 2 === 0 ? even : odd}', now())`)

  test('no response combines the roles of one commit with the permissions of another', async () => {
    await run(`INSERT INTO applications (id, created_at, updated_at, is_enabled, is_development, key, name, kind)
      VALUES ('${application}', now(), now(), true, false, 'races', 'Races', 'website');
      INSERT INTO permissions (key, application_id, title, description, sensitive)
        SELECT 'races:p' || number, '${application}', '{}', '{}', false FROM generate_series(0, ${rounds}) AS number;
      INSERT INTO roles (id, created_at, updated_at, kind, application_id, key, name, permissions)
        VALUES ('${even}', now(), now(), 'application', '${application}', 'even', 'even', '{}'),
          ('${odd}', now(), now(), 'application', '${application}', 'odd', 'odd', '{}')`)
    const { sessionToken, id } = await registerAt(nodes.urls[0]!)
    await enter(id, 0)
    const seen = new Set<number>()
    let isOver = false

    const assertOneCommit = ({ roles, permissions }: { roles?: string[]; permissions?: string[] }) => {
      const state = Number(/^races:p(\d+)$/.exec(String(permissions))?.[1])
      assert.deepEqual(roles, [state % 2 === 0 ? 'races:even' : 'races:odd'], `with ${permissions}`)
      seen.add(state)
    }
    const validating = async (url: string, body: object) => {
      while (!isOver) {
        const headers = { 'x-bridge-secret': bridgeSecret }
        const { status, json } = await call(`${url}/auth/bridge/validate`, { headers, body })
        assert.equal(status, 200, JSON.stringify(json))
        assertOneCommit(json.results?.[0] ?? json)
      }
    }
    await eventually(async () => {
      for (const url of nodes.urls) {
        const { json } = await validateAt(url, sessionToken)
        if (String(json.permissions) !== 'races:p0') return false
      }
      return true
    })
    const clients = nodes.urls.flatMap((url) =>
      [{ session_id: sessionToken }, { session_id: sessionToken }, { session_ids: [sessionToken] }].map((body) =>
        validating(url, body),
      ),
    )
    const changing = async () => {
      for (let state = 1; state <= rounds; state++) await enter(id, state)
      await eventually(async () => seen.has(rounds))
      isOver = true
    }
    await Promise.all([...clients, changing()]).finally(() => (isOver = true))
    assert.ok(seen.size > 5, `${seen.size} states`)
  })
})
