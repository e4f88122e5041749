import pg from 'pg'
import { sha256Bytes } from '../src/lib/hash.ts'
import { newId, newSessionToken } from '../src/lib/ids.ts'

/** The fraction of posts that have each category, tag and language. */
export const shares = {
  categories: { common: 0.3, usual: 0.05, rare: 0.0005 },
  tags: { common: 0.2, usual: 0.01, rare: 0.0001 },
  langs: { en: 0.7, es: 0.25, de: 0.0499, eu: 0.0001 },
} as const

export interface SeededPosts {
  /** An author's session token and user id. */
  writer: string
  writerId: string
  /** The session token of a user without posts. */
  reader: string
  admin: string
}

/** Creates posts by a thousand authors, spread over three years, with every property that lists filter or sort by. */
export async function seedPosts(databaseUrl: string, count = 1_000_000): Promise<SeededPosts> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query("SET maintenance_work_mem = '512MB'")
    const people = await addUsers(client)
    await withoutIndexes(client, () => fill(client, count))
    await client.query('SELECT recount_posts()')
    await client.query('VACUUM ANALYZE')
    return people
  } finally {
    await client.end()
  }
}

async function addUsers(client: pg.Client): Promise<SeededPosts> {
  await client.query(
    `INSERT INTO users (id, email, user_name, user_type, name, last_name, created_at, updated_at)
     SELECT ('00000000-0000-7000-8000-' || lpad(i::text, 12, '0'))::uuid, i || '@example.com', 'author_' || i, 'writer', 'Ada', 'No. ' || i, now(), now()
     FROM generate_series(0, 999) AS i`,
  )
  const writerId = '00000000-0000-7000-8000-000000000007'
  const reader = await addUser(client, 'customer')
  const admin = await addUser(client, 'admin')
  return {
    writerId,
    writer: await addSession(client, writerId),
    reader: await addSession(client, reader),
    admin: await addSession(client, admin),
  }
}

async function addUser(client: pg.Client, userType: string): Promise<string> {
  const id = newId()
  await client.query(
    `INSERT INTO users (id, email, user_name, user_type, created_at, updated_at)
     VALUES ($1, $2 || '@example.com', $2, $3, now(), now())`,
    [id, `bench_${userType}`, userType],
  )
  return id
}

async function addSession(client: pg.Client, userId: string): Promise<string> {
  const sessionToken = newSessionToken()
  await client.query(
    `INSERT INTO sessions (id, token_hash, user_id, status, created_at, started_at, last_used_at, proved_at)
     VALUES ($1, $2, $3, 'active', now(), now(), now(), now())`,
    [newId(), sha256Bytes(sessionToken), userId],
  )
  return sessionToken
}

/** Creates indexes and counts after the rows because updating them row by row takes several times as long. */
async function withoutIndexes(client: pg.Client, work: () => Promise<void>): Promise<void> {
  const tables = ['posts', 'post_category_links', 'post_tag_links', 'post_view_totals']
  const { rows } = await client.query<{ name: string; indexdef: string }>(
    `SELECT indexname AS name, indexdef FROM pg_indexes WHERE tablename = ANY ($1) AND indexname NOT LIKE '%_pkey'`,
    [tables],
  )
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`)
  for (const table of tables) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`)
  await work()
  for (const { indexdef } of rows) await client.query(indexdef)
  for (const table of tables) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`)
}

async function fill(client: pg.Client, count: number): Promise<void> {
  // Word frequencies resemble those of real text: the first words occur in most posts, and the last words in very few.
  await client.query(
    `INSERT INTO posts (id, user_id, lang, title, slug, body, body_start, status, visibility, published_at, scheduled_at, created_at, updated_at)
     SELECT ('00000000-0000-7000-9000-' || lpad(i::text, 12, '0'))::uuid,
       ('00000000-0000-7000-8000-' || lpad((i % 1000)::text, 12, '0'))::uuid,
       CASE WHEN i % 10000 < 7000 THEN 'en' WHEN i % 10000 < 9500 THEN 'es' WHEN i % 10000 < 9999 THEN 'de' ELSE 'eu' END,
       'Post ' || md5(i::text), 'post-' || i, body, left(body, 200),
       CASE WHEN chance < 0.97 THEN 'published' WHEN chance < 0.99 THEN 'draft' ELSE 'scheduled' END,
       CASE WHEN i % 50 < 45 THEN 'public' WHEN i % 50 < 48 THEN 'auth' WHEN i % 50 = 48 THEN 'private' ELSE 'password' END,
       CASE WHEN chance < 0.97 THEN written END,
       CASE WHEN chance >= 0.99 THEN now() + (chance - 0.9901) * interval '1000 days' END,
       written, written + interval '1 hour'
     FROM (SELECT i, random() AS chance, now() - random() * interval '1100 days' AS written,
         (SELECT string_agg('word' || (5000 * power(random(), 4))::integer, ' ') || CASE WHEN i % 100000 = 0 THEN ' needle' ELSE '' END
          FROM generate_series(1, 20) WHERE i > 0) AS body
       FROM generate_series(1, $1::integer) AS i) AS made`,
    [count],
  )
  // Half of the posts have no views, and a few have very many.
  await client.query(
    `INSERT INTO post_view_totals (post_id, views) SELECT id, (1000000 * power(random(), 20))::integer FROM posts`,
  )
  for (const [table, link, shareOf] of [
    ['post_categories', 'category', shares.categories],
    ['post_tags', 'tag', shares.tags],
  ] as const) {
    for (const [name, share] of Object.entries(shareOf)) {
      await client.query(`INSERT INTO ${table} (id, name, slug, lang) VALUES (gen_random_uuid(), $1, $1, 'en')`, [name])
      await client.query(
        `INSERT INTO post_${link}_links (post_id, ${link}_id)
         SELECT id, (SELECT id FROM ${table} WHERE slug = $1) FROM posts WHERE random() < $2`,
        [name, share],
      )
    }
  }
}
