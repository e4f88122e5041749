// Setup: alone
// Checks bounds of real time.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openWorkplace } from '../cli/run-command.ts'
import { eventually } from '../support/eventually.ts'
import { loginAt, type Nodes, needsPostgres, newDeployment, registerAt, startNodes, validateAt } from './nodes.ts'

/** The documented bound plus a tolerance for a busy machine, in milliseconds. */
const boundMs = 1_000 + 1_000

test('running nodes apply commands about users within a second, without Redis', needsPostgres, async (t) => {
  const deployment = newDeployment()
  const nodes = await startNodes(2, deployment)
  t.after(nodes.stop)
  const user = await openUsers(t, nodes, deployment)
  const ada = await registerAt(nodes.urls[0]!)

  const ended = await refusedDuring(nodes, ada.sessionToken, () => user('end-sessions', ada.user_name))
  assert.match(ended.stdout, /^Ended 1 session of /)
  const second = (await loginAt(nodes.urls[1]!, ada)).json.sessionId
  const changed = await refusedDuring(nodes, second, () => user('set-role', ada.email, 'superadmin'))
  assert.match(changed.stdout, /has the role superadmin now, instead of customer/)
  const third = (await loginAt(nodes.urls[0]!, ada)).json.sessionId
  for (const url of nodes.urls) assert.equal((await validateAt(url, third)).json.user.user_type, 'superadmin')

  const last = await user('set-role', ada.id, 'customer')
  assert.deepEqual([last.code, last.stderr], [1, 'At least one superadmin who can sign in must remain\n'])
  assert.equal((await validateAt(nodes.urls[0]!, third)).status, 200)
  const created = await user('create', '--email', 'invited@example.com')
  assert.equal(created.code, 0, created.stderr)
  await eventually(async () => {
    const sent = await nodes.database.query<{ message: string }>("SELECT message FROM outbox WHERE status = 'sent'")
    return ['admin_changed_account', 'account_created'].every((name) => sent.some(({ message }) => message === name))
  })
})

async function openUsers(t: TestContext, { database }: Nodes, deployment: Record<string, string>) {
  const { run } = await openWorkplace(t)
  const env = { ...deployment, DATABASE_URL: database.url }
  return (...args: string[]) => run(['user', ...args], { env })
}

/**
 * Validates continuously on all nodes so that their cached sessions were read just before the command ends the session.
 */
async function refusedDuring<Result extends { code: number; stderr: string }>(
  { urls, database }: Nodes,
  sessionToken: string,
  command: () => Promise<Result>,
): Promise<Result> {
  for (const url of urls) assert.equal((await validateAt(url, sessionToken)).status, 200)
  const leave = new AbortController()
  const probes = urls.map(async (url) => {
    while (!leave.signal.aborted) {
      if ((await validateAt(url, sessionToken)).status === 401) return Date.now()
      await sleep(20)
    }
    return Number.POSITIVE_INFINITY
  })
  const result = await command()
  await Promise.race([Promise.all(probes), sleep(boundMs)])
  leave.abort()
  assert.equal(result.code, 0, result.stderr)
  const [ended] = await database.query<{ at: Date }>('SELECT max(ended_at) AS at FROM sessions')
  for (const refusedAt of await Promise.all(probes)) {
    const took = refusedAt - ended!.at.getTime()
    assert.ok(took < boundMs, `${took} ms`)
  }
  for (const url of urls) assert.equal((await validateAt(url, sessionToken)).status, 401)
  return result
}
