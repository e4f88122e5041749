import { freeBytes } from '../../lib/free-space.ts'
import { type EngineLease, inTurn } from './lease.ts'

const period = 60_000
const checkpointAfter = 16 * 1024 * 1024
const spaceNeeded = 64 * 1024 * 1024
const tablesAtOnce = 20

/** The engine has no background processes, so its write-ahead log and dead rows would otherwise grow without bound. */
export function startUpkeep(directory: string, takeLease: () => Promise<EngineLease>): Upkeep {
  let running: Promise<void> = Promise.resolve()
  let isPaused = false
  const timer = setInterval(() => {
    if (isPaused) return
    // A failed run is retried after a minute.
    running = tidy(directory, takeLease).catch(() => {})
  }, period).unref()
  return {
    stop: () => clearInterval(timer),
    async paused(work) {
      isPaused = true
      try {
        await running
        return await work()
      } finally {
        isPaused = false
      }
    },
  }
}

interface Upkeep {
  stop(): void
  paused<Result>(work: () => Promise<Result>): Promise<Result>
}

export async function tidy(directory: string, takeLease: () => Promise<EngineLease>): Promise<void> {
  // On a full disk, a checkpoint or vacuum would crash the engine. Reads remain possible without maintenance.
  if ((await freeBytes(directory)) < spaceNeeded) return
  await inTurn(takeLease(), checkpoint)
  for (let count = 0; count < tablesAtOnce; count++) {
    if (!(await inTurn(takeLease(), vacuumOne))) return
  }
}

async function checkpoint(lease: EngineLease): Promise<void> {
  const { rows } = await lease.query(
    'SELECT (pg_current_wal_insert_lsn() - redo_lsn)::bigint AS written FROM pg_control_checkpoint()',
  )
  if (rows[0].written > checkpointAfter) await lease.query('CHECKPOINT')
}

// The default autovacuum thresholds.
const neediestTable = `
  SELECT format('%I.%I', schemaname, s.relname) AS name
  FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
  WHERE n_dead_tup > 50 + 0.2 * greatest(reltuples, 0)
    OR n_mod_since_analyze > 50 + 0.1 * greatest(reltuples, 0)
    OR n_ins_since_vacuum > 1000 + 0.2 * greatest(reltuples, 0)
  ORDER BY n_dead_tup DESC LIMIT 1`

async function vacuumOne(lease: EngineLease): Promise<boolean> {
  const { rows } = await lease.query(neediestTable)
  if (!rows[0]) return false
  await lease.query(`VACUUM (ANALYZE) ${rows[0].name}`)
  return true
}
