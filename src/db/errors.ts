const fields = (error: unknown): { code?: unknown; constraint?: unknown; message?: unknown } =>
  typeof error === 'object' && error !== null ? error : {}

export class PoolBusy extends Error {
  readonly code = 'POOL_BUSY'
}

export class LockTaken extends Error {
  readonly code = '55P03'
}

/** Connections are open, but the server does not respond on any of them. */
export class DatabaseUnresponsive extends Error {
  readonly code = 'DATABASE_SILENT'
}

/** The search found no server that satisfies `target_session_attrs`. The message gives the reason for each host. */
export class NoSuitableServer extends Error {
  readonly code = 'NO_SUITABLE_SERVER'
}

/** A value has a form that depends on a setting of the connection. */
export class UnreadableValue extends Error {
  readonly code = 'UNREADABLE_VALUE'
}

/** The server in use failed or no longer satisfies `target_session_attrs`. The next connection searches again. */
export class ServerLost extends Error {
  readonly code = 'SERVER_LOST'
}

export class ReadOnlyServer extends Error {
  readonly code = '25006'
}

export class FormerPrimary extends Error {}

/** The value of Retry-After, in seconds. */
type Fault = number

const transactionConflict: Fault = 1
const away: Fault = 2
const readOnly: Fault = 5

// The keys are SQLSTATE codes and classes (PostgreSQL, appendix A). A code takes precedence over its class. All other
// errors that the caller does not handle lead to a 500 response, because they indicate a fault in the program or the
// setup.
const faults: Record<string, Fault> = {
  '08': away, // the connection failed
  '25006': readOnly, // the server is a standby or a primary that was made read-only
  '25P03': away, // the transaction was idle for too long and its connection was closed
  '25P04': away, // the transaction took too long and its connection was closed
  '28': away, // authentication failed, for example during a password rotation
  '3D': away, // the database does not exist, for example during a restore
  '40': transactionConflict, // a deadlock or a conflict with another transaction or with standby recovery
  '53': away, // disk, memory or connections are exhausted
  '55006': transactionConflict, // the object is in use
  '55P03': transactionConflict, // the lock was not available in time
  '57': away, // a statement was cancelled, the server is stopping or starting, or the database was dropped
  '58': away, // the server cannot read or write its files
}

const systemCodes =
  /^(E(CONN|HOST|NET|PIPE|TIMEDOUT|AI_|NOTFOUND).*|POOL_BUSY|DATABASE_SILENT|ENGINE_GONE|NO_SUITABLE_SERVER|SERVER_LOST|UNREADABLE_VALUE)$/
const driverMessages =
  /^(timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client (has encountered a connection error|was closed)|Cannot use a pool after calling end)/

/** Returns undefined if the error was caused by the statement rather than the state of the database. */
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

/** Whether the statement took longer than a statement may. */
export const tookTooLong = (error: unknown): boolean => fields(error).code === '57014'

/** After a failover, a different server may be the writable one. */
export const isReadOnly = (error: unknown): boolean => fields(error).code === '25006'

const lostConnection = /^Connection terminated/

/** Whether this connection was lost or the server is closing all connections, as at the start of a failover. */
export function isServerLeaving(error: unknown): boolean {
  const { code, message } = fields(error)
  if (typeof code === 'string') return /^(57P0[1-3]|08...|ECONNRESET|EPIPE)$/.test(code)
  return typeof message === 'string' && lostConnection.test(message)
}

export const lacksRight = (error: unknown): boolean => fields(error).code === '42501'

export function violatedIndex(error: unknown): string | undefined {
  const { code, constraint } = fields(error)
  return code === '23505' && typeof constraint === 'string' ? constraint : undefined
}

export function missedReference(error: unknown): string | undefined {
  const { code, constraint } = fields(error)
  return code === '23503' && typeof constraint === 'string' ? constraint : undefined
}

export function isRetryableConflict(error: unknown): boolean {
  const { code } = fields(error)
  return code === '40001' || code === '40P01' || code === '55P03'
}

/** Whether a table or column is missing. If so, the cached schema state may be outdated. */
export function missesObject(error: unknown): boolean {
  const { code } = fields(error)
  return code === '42P01' || code === '42703'
}

export const programLimit = (error: unknown): boolean => fields(error).code === '54000'

/** Whether a lock could not be acquired immediately (NOWAIT) or within `lock_timeout`. */
export const isBusyTable = (error: unknown): boolean => fields(error).code === '55P03'
