import { DatabaseSync } from 'node:sqlite'

/** The mirrored users, and the users to read again. Both survive a crash of this program. */
export function openStore(file) {
  const db = new DatabaseSync(file)
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS users (id TEXT PRIMARY KEY, email TEXT, name TEXT, role TEXT,
      is_blocked INTEGER, blocked_until TEXT);
    CREATE TABLE IF NOT EXISTS changed (id TEXT PRIMARY KEY, events INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS copied (from_time TEXT, page INTEGER, is_complete INTEGER);
    INSERT INTO copied SELECT NULL, 1, 0 WHERE NOT EXISTS (SELECT 1 FROM copied)`)
  const upsert = db.prepare(`INSERT INTO users VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
    email = excluded.email, name = excluded.name, role = excluded.role, is_blocked = excluded.is_blocked,
    blocked_until = excluded.blocked_until`)
  const remove = db.prepare('DELETE FROM users WHERE id = ?')
  const mark = db.prepare('INSERT INTO changed VALUES (?, 1) ON CONFLICT (id) DO UPDATE SET events = events + 1')
  const marked = db.prepare('SELECT id, events FROM changed LIMIT 100')
  // If another event arrives while its user is being read, the user must be read again.
  const unmark = db.prepare('DELETE FROM changed WHERE id = ? AND events = ?')
  const position = db.prepare('SELECT from_time, page, is_complete FROM copied')
  const move = db.prepare('UPDATE copied SET from_time = ?, page = ?, is_complete = ?')

  function store({ id, email, name, last_name, user_type, blocked }) {
    // No event reports the end of a temporary block, so the end is stored.
    upsert.run(id, email, `${name} ${last_name}`.trim(), user_type, blocked ? 1 : 0, blocked?.until ?? null)
  }

  function inTransaction(work) {
    db.exec('BEGIN')
    try {
      work()
      db.exec('COMMIT')
    } catch (error) {
      db.exec('ROLLBACK')
      throw error
    }
  }

  return {
    markChanged: (id) => mark.run(id),
    changed: () => marked.all(),
    copyPosition: () => position.get(),
    /** Stores a page of users during the initial copy, and the position of the next page. */
    storeCopied: (users, next) =>
      inTransaction(() => {
        for (const user of users) store(user)
        move.run(next.from_time, next.page, next.is_complete)
      }),
    /** Stores changed users as they were read. Users that were not found are deleted. */
    storeChanged: (changed, users) =>
      inTransaction(() => {
        for (const { id, events } of changed) {
          const user = users.find((found) => found.id === id)
          if (user) store(user)
          else remove.run(id)
          unmark.run(id, events)
        }
      }),
    count: () => db.prepare('SELECT count(*) AS count FROM users').get().count,
  }
}
