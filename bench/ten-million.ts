import pg from 'pg'
import { addAdmin, firstNames, lastNames } from './million.ts'

export interface ScaleSizes {
  users: number
  sessionsPerUser: number
  events: number
}

type Run = (text: string, values?: unknown[]) => Promise<pg.QueryResult>

/**
 * Creates users, sessions and audit events as an installation that has grown for three years has them: repeated names,
 * 2 % unverified addresses, 0.1 % blocked users, a tenth with a linked account, a quarter with a phone number. Triggers
 * are off and the indexes are created last. Returns an admin's session token.
 */
export async function seedTenMillion(
  databaseUrl: string,
  sizes: ScaleSizes,
  say: (line: string) => void,
): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const run: Run = (text, values) => client.query(text, values)
  try {
    const sessionToken = await addAdmin(client)
    await run("ALTER SYSTEM SET max_wal_size = '4GB'")
    await run('SELECT pg_reload_conf()')
    await run("SET maintenance_work_mem = '2GB'")
    await run('SET max_parallel_maintenance_workers = 2')
    await run('SET session_replication_role = replica')
    const tables = ['users', 'user_blocks', 'social_accounts', 'sessions', 'audit_events', 'audit_seals']
    const indexes = await dropIndexes(run, tables)
    for (const [name, text] of Object.entries(rowsOf(sizes))) {
      say(`  ${name}`)
      await run(text, text.includes('$2') ? [firstNames, lastNames] : [])
    }
    for (const definition of indexes) {
      say(`  ${definition.slice(0, 110)}`)
      await run(definition)
    }
    await run(`DELETE FROM user_counts`)
    await run(
      `INSERT INTO user_counts SELECT user_type, count(*) FROM users WHERE deleted_at IS NULL GROUP BY user_type`,
    )
    for (const table of tables) await run(`VACUUM ANALYZE ${table}`)
    return sessionToken
  } finally {
    await client.end()
  }
}

/** Drops the indexes without a constraint, and the primary keys. Returns the statements that create them again. */
async function dropIndexes(run: Run, tables: readonly string[]): Promise<string[]> {
  const { rows } = await run(
    `SELECT indexdef AS text, indexname AS name FROM pg_indexes
     WHERE tablename = ANY($1) AND schemaname = current_schema() AND indexname NOT LIKE '%_pkey'`,
    [tables],
  )
  for (const { name } of rows) await run(`DROP INDEX ${name}`)
  return rows.map(({ text }) => text)
}

/** The token of session n, as SQL for `i` and in JavaScript. */
const tokenText = `('ses_' || lpad(i::text, 43, '0'))`
export const tokenOf = (n: number): string => `ses_${String(n).padStart(43, '0')}`

/** The id of the n-th row of a kind. Like a version 7 id, it grows with the time of creation. */
const id = (kind: string, n: string) => `('01980000-${kind}-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`
const years = "interval '1095 days'"

const rowsOf = ({ users, sessionsPerUser, events }: ScaleSizes) => ({
  users: `INSERT INTO users (id, email, user_name, user_type, password_hash, name, last_name, phone, is_verified, first_time,
      created_at, updated_at)
    SELECT ${id('0001', 'i')}, lower(l) || '.' || to_hex(i) || '@' || (ARRAY['example.com', 'mail.example.org', 'example.net'])[1 + i % 3],
      'user_' || substr(md5(i::text), 1, 6) || to_hex(i),
      CASE WHEN i % 1000000 = 7 THEN 'superadmin' WHEN i % 10000 = 9 THEN 'admin' ELSE 'customer' END,
      '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$' || md5(i::text), f, l,
      CASE WHEN i % 4 = 1 THEN '+4477' || lpad(i::text, 8, '0') END, i % 50 <> 0, false,
      now() - ${years} * (1 - i::float / ${users}), now() - ${years} * random() * (1 - i::float / ${users})
    FROM (SELECT i, ($1::text[])[1 + abs(hashint4(i)) % 40] AS f, ($2::text[])[1 + abs(hashint4(-i)) % 40] AS l
      FROM generate_series(1, ${users}) AS i) AS people`,
  user_blocks: `INSERT INTO user_blocks (user_id, since, reason)
    SELECT ${id('0001', 'i')}, now(), 'spam' FROM generate_series(1000, ${users}, 1000) AS i`,
  social_accounts: `INSERT INTO social_accounts (id, user_id, provider, issuer, subject, email, linked_at, last_used_at)
    SELECT ${id('0002', 'i')}, ${id('0001', 'i')}, 'google', 'https://accounts.google.com', i::text, null, now(), now()
    FROM generate_series(10, ${users}, 10) AS i`,
  // A tenth has ended. Last uses are dense near now: one in a thousand is within three minutes, half within two days.
  sessions: `INSERT INTO sessions (id, token_hash, user_id, status, created_at, started_at, last_used_at, proved_at, ip_address,
      user_agent, user_device, ended_at, end_reason)
    SELECT ${id('0003', 'i')}, sha256(${tokenText}::bytea), ${id('0001', `1 + i % ${users}`)},
      CASE WHEN i % 10 = 3 THEN 'revoked' ELSE 'active' END, began, began, used, began, '198.51.100.7',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
      'Chrome on macOS', CASE WHEN i % 10 = 3 THEN used END, CASE WHEN i % 10 = 3 THEN 'logout' END
    FROM (SELECT i, used, used - interval '10 days' * random() AS began FROM (
      SELECT i, now() - interval '30 days' * power(random(), 4) AS used
      FROM generate_series(1, ${users * sessionsPerUser}) AS i) AS uses) AS times`,
  audit_events: `INSERT INTO audit_events (id, time, event, outcome, actor_id, actor_role, target_id, method, ip, user_agent,
      request_id, node, seal)
    SELECT ${id('0004', 'i')}, now() - ${years} * (1 - i::float / ${Math.max(events, 1)}),
      (ARRAY['login_success', 'login_success', 'login_success', 'logout', 'session_ended', 'profile_updated', 'password_changed', 'register'])[1 + i % 8],
      CASE WHEN i % 20 = 0 THEN 'failure' ELSE 'success' END, who, 'customer', who, 'password',
      '192.0.2.0/24', 'Mozilla/5.0 (X11; Linux x86_64)', 'request', 'bench', 1 + (i - 1) / 1000
    FROM (SELECT i, ${id('0001', `1 + (i::bigint * 7919) % ${users}`)} AS who FROM generate_series(1, ${events}) AS i) AS made`,
  audit_seals: `INSERT INTO audit_seals (number, events, first_time, digest, key_id, mac, sealed_at)
    SELECT i, 1000, now() - ${years} * (1 - i::float * 1000 / ${Math.max(events, 1)}), '', '1', '',
      now() - ${years} * (1 - i::float * 1000 / ${Math.max(events, 1)}) FROM generate_series(1, ${Math.floor(events / 1000)}) AS i`,
})
