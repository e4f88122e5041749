import pg from 'pg'

const eventsOfOneSeal = 1_000

/** Creates ten million sealed audit events for the existing users over the last 360 days. Most are sign-ins. */
export async function seedEvents(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query("SET maintenance_work_mem = '512MB'")
    const { rows: indexes } = await client.query<{ name: string; indexdef: string }>(
      "SELECT indexname AS name, indexdef FROM pg_indexes WHERE tablename = 'audit_events' AND indexname NOT LIKE '%_pkey'",
    )
    for (const { name } of indexes) await client.query(`DROP INDEX ${name}`)
    await client.query('CREATE TEMPORARY TABLE numbered AS SELECT (row_number() OVER ())::integer AS n, id FROM users')
    await client.query('CREATE UNIQUE INDEX ON numbered (n)')
    await client.query(
      `INSERT INTO audit_events (id, time, event, outcome, actor_id, actor_role, target_id, method, ip, user_agent, request_id, node, seal)
       SELECT gen_random_uuid(), now() - interval '360 days' + i * interval '3.11 seconds',
         (ARRAY['login_success', 'login_success', 'login_success', 'logout', 'session_ended', 'profile_updated', 'password_changed', 'register'])[1 + i % 8],
         CASE WHEN i % 20 = 0 THEN 'failure' ELSE 'success' END, numbered.id, 'customer', numbered.id, 'password',
         '192.0.2.0/24', 'Mozilla/5.0 (X11; Linux x86_64)', 'request', 'bench', 1 + (i - 1) / $1
       FROM generate_series(1, 10000000) AS i JOIN numbered ON n = 1 + (i::bigint * 7919) % 1000000`,
      [eventsOfOneSeal],
    )
    await client.query(
      `INSERT INTO audit_seals (number, events, first_time, digest, key_id, mac, sealed_at)
       SELECT i, $1, now() - interval '360 days' + i * interval '51 minutes', '', '1', '', now() - interval '360 days' + i * interval '52 minutes'
       FROM generate_series(1, 10000000 / $1) AS i`,
      [eventsOfOneSeal],
    )
    for (const { indexdef } of indexes) await client.query(indexdef)
    await client.query('VACUUM ANALYZE audit_events')
  } finally {
    await client.end()
  }
}
