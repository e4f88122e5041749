import pg from 'pg'
import { sha256Bytes } from '../src/lib/hash.ts'
import { newId, newSessionToken } from '../src/lib/ids.ts'

export const firstNames =
  `Ada Grace Alan Edsger Barbara Donald Margaret Katherine Dennis Ken Linus Radia Frances John Niklaus Tony
  Leslie Shafi Silvio Whitfield Martin Ralph Adi Ronald Leonard Joan Annie Mary Dorothy Hedy Zoë Björn María Jürgen Łukasz Óscar
  Ana Luis Carmen Pedro`.split(/\s+/)
export const lastNames =
  `Lovelace Hopper Turing Dijkstra Liskov Knuth Hamilton Johnson Ritchie Thompson Torvalds Perlman Allen Backus Wirth
  Hoare Lamport Goldwasser Micali Diffie Hellman Merkle Shamir Rivest Adleman Clarke Easley Jackson Vaughan Lamarr Garcia Martinez
  Lopez Muller Schmidt Nowak Silva Rossi Dubois Jansen`.split(/\s+/)

/** Creates a million users with repeated names, including one admin. Returns the admin's session token. */
export async function seedMillion(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    // The indexes are created after the rows because updating them row by row takes several times as long.
    const { rows } = await client.query("SELECT indexdef FROM pg_indexes WHERE indexname = 'users_search'")
    await client.query('DROP INDEX users_search')
    await client.query(
      `INSERT INTO users (id, email, user_name, name, last_name, is_verified, first_time, created_at, updated_at)
       SELECT gen_random_uuid(), lower(l) || '.' || to_hex(i) || '@' || (ARRAY['example.com', 'mail.example.org', 'example.net'])[1 + i % 3],
         'user_' || substr(md5(i::text), 1, 6) || to_hex(i), f, l, true, false, now() - i * interval '1 second', now()
       FROM (SELECT i, ($1::text[])[1 + (i * 7919::bigint) % 40] AS f, ($2::text[])[1 + (i / 40 * 104729::bigint) % 40] AS l
         FROM generate_series(1, 1000000) AS i) AS people`,
      [firstNames, lastNames],
    )
    await client.query("SET maintenance_work_mem = '512MB'")
    await client.query(rows[0].indexdef)
    const sessionToken = await addAdmin(client)
    await client.query('VACUUM ANALYZE users')
    return sessionToken
  } finally {
    await client.end()
  }
}

export async function addAdmin(client: pg.Client): Promise<string> {
  const [id, sessionToken] = [newId(), newSessionToken()]
  await client.query(
    `INSERT INTO users (id, email, user_name, user_type, created_at, updated_at)
     VALUES ($1, 'boss@example.com', 'boss', 'admin', now(), now())`,
    [id],
  )
  await client.query(
    `INSERT INTO sessions (id, token_hash, user_id, status, created_at, started_at, last_used_at, proved_at)
     VALUES ($1, $2, $3, 'active', now(), now(), now(), now())`,
    [newId(), sha256Bytes(sessionToken), id],
  )
  return sessionToken
}
