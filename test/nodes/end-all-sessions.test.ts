import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openWorkplace } from '../cli/run-command.ts'
import {
  type Nodes,
  needsBoth,
  needsPostgres,
  newDeployment,
  redisUrl,
  registerAt,
  startNodes,
  validateAt,
} from './nodes.ts'

/** Too many users to fit in three batches. */
const others = 650

test('sessions end-all is noticed by running nodes within the lifetime of a copy', needsPostgres, async (t) => {
  await endAllBeside(t, {}, 5_000)
})

test('sessions end-all is noticed by running nodes within a second when they share Redis', needsBoth, async (t) => {
  await endAllBeside(t, { REDIS_URL: redisUrl }, 1_000)
})

async function endAllBeside(t: import('node:test').TestContext, more: Record<string, string>, limit: number) {
  const deployment = { ...newDeployment(), ...more }
  const nodes = await startNodes(2, deployment)
  t.after(nodes.stop)
  await addSessions(nodes)
  const ada = await registerAt(nodes.urls[0]!)
  for (const url of nodes.urls) assert.equal((await validateAt(url, ada.sessionToken)).status, 200)
  const { run } = await openWorkplace(t)
  let isKeptUp = true
  const probes = nodes.urls.map(async (url) => {
    let refusedAt: number | undefined
    // Validates continuously so that the cached sessions were read just before the sessions end.
    while (isKeptUp || refusedAt === undefined) {
      const { status } = await validateAt(url, ada.sessionToken)
      if (status === 401) refusedAt ??= Date.now()
      else assert.equal(status, 200)
      if (refusedAt !== undefined && status === 200) assert.fail('an ended session came back')
      await sleep(20)
    }
    return refusedAt
  })
  const env = { ...deployment, DATABASE_URL: nodes.database.url }
  const { code, stdout, stderr } = await run(['sessions', 'end-all', '--yes'], { env })
  isKeptUp = false
  assert.equal(code, 0, stderr)
  const count = others + 1
  assert.match(stdout, new RegExp(`^Ended ${count} sessions and invalidated [1-9]`))
  const [ended] = await nodes.database.query<{ at: Date }>(
    "SELECT ended_at AS at FROM sessions WHERE user_id = $1 AND status = 'revoked' AND end_reason = 'all_ended'",
    [ada.id],
  )
  for (const refusedAt of await Promise.all(probes)) {
    const took = refusedAt - ended!.at.getTime()
    assert.ok(took < limit + 1_000, `${took} ms`)
  }
  const [left] = await nodes.database.query(
    `SELECT (SELECT count(*)::int FROM sessions WHERE status IN ('pending', 'active')) AS sessions,
      (SELECT count(*)::int FROM one_time_secrets WHERE used_at IS NULL) AS secrets,
      (SELECT count(*)::int FROM users WHERE session_epoch = 0) AS epochs,
      (SELECT count(*)::int FROM audit_events WHERE event = 'session_ended' AND target_id IS NOT NULL) AS traces,
      (SELECT count(*)::int FROM audit_events WHERE event = 'session_ended' AND target_id IS NULL
        AND details @> '{"reason":"all_ended","session_count":${count}}') AS runs`,
  )
  assert.deepEqual(left, { sessions: 0, secrets: 0, epochs: 0, traces: count, runs: 1 })
}

/** Creates users with one session and one link each. */
async function addSessions({ database }: Nodes): Promise<void> {
  await database.query(`INSERT INTO users (id, email, user_name, user_type, created_at, updated_at)
    SELECT gen_random_uuid(), 'x' || n || '@example.com', 'x' || n, 'customer', now(), now()
    FROM generate_series(1, ${others}) n`)
  await database.query(`INSERT INTO sessions
      (id, token_hash, user_id, status, created_at, started_at, last_used_at, proved_at)
    SELECT gen_random_uuid(), sha256(id::text::bytea), id, 'active', now(), now(), now(), now() FROM users`)
  await database.query(`INSERT INTO one_time_secrets (id, purpose, secret_hash, user_id, created_at, expires_at)
    SELECT gen_random_uuid(), 'login', sha256(id::text::bytea), id, now(), now() + interval '1 hour' FROM users`)
}
