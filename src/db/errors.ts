const fields = (error: unknown): { code?: unknown; constraint?: unknown; message?: unknown } =>
  typeof error === 'object' && error !== null ? error : {}

/** Too many requests are waiting for the database. */
export class PoolBusy extends Error {
  readonly code = 'POOL_BUSY'
}

/** Another process holds the advisory lock. */
export class LockTaken extends Error {
  readonly code = '55P03'
}

/** Connections are open, but none of them answers. */
export class DatabaseSilent extends Error {
  readonly code = 'DATABASE_SILENT'
}

/** In seconds; the value of Retry-After. */
type Fault = number

const gaveWayToOthers: Fault = 1
const away: Fault = 2
const readOnly: Fault = 5

/**
 * Faults of the database that are answered with 503, by SQLSTATE or its class of two characters (PostgreSQL,
 * appendix A); a longer key wins. Everything that is not listed is our own mistake or one of the set-up, and a 500: a
 * right that the role lacks (42501), a damaged table (XX001), a misused transaction (25P02), a statement that does not
 * fit the schema (42).
 */
const faults: Record<string, Fault> = {
  '08': away, // the connection failed
  '25006': readOnly, // a standby, or a primary that was made read-only
  '25P03': away, // the transaction was idle for too long, and its connection is closed
  '25P04': away, // the transaction took too long, and its connection is closed
  '28': away, // the sign-in was refused, as while a password is being rotated
  '3D': away, // the database does not exist, as while it is being restored
  '40': gaveWayToOthers, // a deadlock, a conflict between transactions or with the recovery of a standby
  '53': away, // disk, memory or connections are used up
  '55006': gaveWayToOthers, // the object is in use
  '55P03': gaveWayToOthers, // the lock was not free in time
  '57': away, // a statement was cancelled, the server stops or starts, the database was dropped
  '58': away, // the server cannot read or write its files
}

const systemCodes = /^(E(CONN|HOST|NET|PIPE|TIMEDOUT|AI_|NOTFOUND).*|POOL_BUSY|DATABASE_SILENT|ENGINE_GONE)$/
const driverMessages =
  /^(timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client (has encountered a connection error|was closed)|Cannot use a pool after calling end)/

/** Undefined if the database refused the statement itself. */
export function databaseFault(error: unknown): { retryAfter: number } | undefined {
  const { code, message } = fields(error)
  const known = typeof code === 'string' ? faultOf(code) : undefined
  if (known !== undefined) return { retryAfter: known }
  return typeof message === 'string' && driverMessages.test(message) ? { retryAfter: away } : undefined
}

const faultOf = (code: string): Fault | undefined => {
  if (systemCodes.test(code)) return away
  return code.length === 5 ? (faults[code] ?? faults[code.slice(0, 2)]) : undefined
}

/** After a fail-over, another server may be the writable one. */
export const isReadOnly = (error: unknown): boolean => fields(error).code === '25006'

/** SQLSTATE 42501. */
export const lacksRight = (error: unknown): boolean => fields(error).code === '42501'

/** SQLSTATE 23505; undefined for other errors. */
export function violatedIndex(error: unknown): string | undefined {
  const { code, constraint } = fields(error)
  return code === '23505' && typeof constraint === 'string' ? constraint : undefined
}

/** SQLSTATE 23503; undefined for other errors. */
export function missedReference(error: unknown): string | undefined {
  const { code, constraint } = fields(error)
  return code === '23503' && typeof constraint === 'string' ? constraint : undefined
}

/** Whether a retry may succeed. */
export function gaveWay(error: unknown): boolean {
  const { code } = fields(error)
  return code === '40001' || code === '40P01' || code === '55P03'
}

/** The known state of the schema may be outdated. */
export function missesObject(error: unknown): boolean {
  const { code } = fields(error)
  return code === '42P01' || code === '42703'
}

/** SQLSTATE 54000. */
export const programLimit = (error: unknown): boolean => fields(error).code === '54000'
