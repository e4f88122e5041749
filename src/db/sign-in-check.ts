import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { second } from '../lib/time.ts'
import { DatabaseUnresponsive } from './errors.ts'

/** A result is shared for this long, because each check writes to the disk. */
const lifetime = 5 * second
const timeLimit = second

/**
 * Does what a sign-in needs: reads its tables, uses disk space, and commits a change. Leaves nothing behind: the sort
 * writes about 110 kB to a temporary file, and the commit contains only an empty message, without which PostgreSQL would
 * not wait for the disk. Existing pages and recycled
 * log segments can be written on a full disk, so neither of them would prove that a row can be added.
 */
const statements = `BEGIN;
  SET LOCAL work_mem = '64kB';
  SELECT s.*, u.* FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.token_hash = '';
  UPDATE sessions SET last_used_at = last_used_at WHERE false;
  SELECT count(*) FROM (SELECT repeat(n::text, 32) AS text FROM generate_series(1, 1000) AS n ORDER BY text) AS sorted;
  SELECT pg_logical_emit_message(true, 'wardenry', '');
  COMMIT`

/**
 * Returns a function that rejects if the database cannot serve sign-ins. Settles within a second: for example, it
 * rejects if a synchronous standby does not confirm the commit. Runs the check at most once every five seconds.
 */
export function signInCheck(connect: () => Promise<pg.PoolClient>): () => Promise<void> {
  const check = async () => {
    const client = await connect()
    try {
      await client.query(statements)
      client.release()
    } catch (error) {
      client.release(true)
      throw error
    }
  }
  let last: { at: number; passed: Promise<void> } | undefined
  return () => {
    if (last === undefined || performance.now() - last.at >= lifetime) {
      last = { at: performance.now(), passed: check() }
      last.passed.catch(() => {})
    }
    return Promise.race([last.passed, tooLate()])
  }
}

async function tooLate(): Promise<never> {
  await sleep(timeLimit, undefined, { ref: false })
  throw new DatabaseUnresponsive('the database did not confirm a commit within a second')
}
