const fields = (error: unknown): { code?: unknown; constraint?: unknown; message?: unknown } =>
  typeof error === 'object' && error !== null ? error : {}

/** Too many wait for the database already: the caller hears so at once, for a pile of waiting requests helps nobody. */
export class PoolBusy extends Error {
  readonly code = 'POOL_BUSY'
}

// SQLSTATE classes and system codes that say "not now": connection, shutdown, resources, time limits (PostgreSQL, appendix A).
const awayCodes =
  /^(08...|57P0.|57014|53...|55P03|25P03|58...|E(CONN|HOST|NET|PIPE|TIMEDOUT|AI_|NOTFOUND).*|POOL_BUSY|ENGINE_GONE)$/
const awayMessages =
  /^(timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client has encountered a connection error)/

/** The unique index that refused a row (SQLSTATE 23505); undefined for every other error. */
export function violatedIndex(error: unknown): string | undefined {
  const { code, constraint } = fields(error)
  return code === '23505' && typeof constraint === 'string' ? constraint : undefined
}

/** The foreign key that found no row to refer to, or one that is referred to (SQLSTATE 23503); undefined for other errors. */
export function missedReference(error: unknown): string | undefined {
  const { code, constraint } = fields(error)
  return code === '23503' && typeof constraint === 'string' ? constraint : undefined
}

/** Whether the database could not answer, as opposed to having refused the statement. */
export function isDatabaseAway(error: unknown): boolean {
  const { code, message } = fields(error)
  if (typeof code === 'string' && awayCodes.test(code)) return true
  return typeof message === 'string' && awayMessages.test(message)
}

/** Whether the statement gave way to others, so that it may well succeed a moment later. */
export function gaveWay(error: unknown): boolean {
  const { code } = fields(error)
  return code === '40001' || code === '40P01' || code === '55P03'
}

/** Whether the statement named a table or a column that is not there: what was known of the schema may be out of date. */
export function missesObject(error: unknown): boolean {
  const { code } = fields(error)
  return code === '42P01' || code === '42703'
}

/** Whether a value was too large for what the database makes of it (SQLSTATE 54000). */
export const programLimit = (error: unknown): boolean => fields(error).code === '54000'
