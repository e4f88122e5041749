import pg from 'pg'
import { UnreadableValue } from './errors.ts'

/**
 * Settings that change the text of values, and could also be changed for the database or its role. The service sends
 * them when it connects, which takes precedence. Poolers keep these two for each client in every pool mode, because the
 * JDBC driver sends them, too.
 */
export const fixed = { DateStyle: 'ISO, YMD', TimeZone: 'UTC' }

/** A connection whose values have the same text whatever settings the database and its role have. */
export class FixedTextClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config)
    useExactTypes(this)
  }

  // The driver has no option for further parameters: `options`, which has, may be a part of the address.
  getStartupConf(): Record<string, string> {
    const own = (pg.Client.prototype as unknown as FixedTextClient).getStartupConf.call(this)
    return { ...own, ...fixed }
  }
}

/** Reads the text of values exactly. */
export function useExactTypes(client: pg.Client): void {
  client.setTypeParser(pg.types.builtins.INT8, Number)
  client.setTypeParser(pg.types.builtins.TIMESTAMPTZ, readTime)
}

const parseTime = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)

/** The driver reads times in an unknown form as null, and null often means that something has not ended yet. */
function readTime(text: string): Date {
  const time = parseTime(text)
  if (time instanceof Date && !Number.isNaN(time.getTime())) return time
  throw new UnreadableValue(`the database returned the time ${JSON.stringify(text)}; its DateStyle must be ISO`)
}

/** Settings that the service cannot fix, because poolers refuse or drop them, and the values that it relies on. */
export const expected: Record<string, { values: readonly string[]; otherwise: string }> = {
  DateStyle: { values: ['ISO'], otherwise: 'no time can be read' },
  standard_conforming_strings: { values: ['on'], otherwise: 'text in statements is read differently' },
  array_nulls: { values: ['on'], otherwise: 'an absent value in a list is read as text' },
  transform_null_equals: { values: ['off'], otherwise: 'comparisons with null are true' },
  gin_fuzzy_search_limit: { values: ['0'], otherwise: 'searches omit rows' },
  row_security: { values: ['on'], otherwise: 'statements on tables with row security fail' },
  default_transaction_read_only: { values: ['off'], otherwise: 'nothing can be written' },
  default_transaction_isolation: {
    values: ['read committed', 'read uncommitted'],
    otherwise: 'concurrent requests fail',
  },
  session_replication_role: { values: ['origin', 'local'], otherwise: 'triggers and foreign keys do nothing' },
  exit_on_error: { values: ['off'], otherwise: 'every refused statement closes its connection' },
  synchronous_commit: {
    values: ['on', 'local', 'remote_write', 'remote_apply'],
    otherwise: 'a crash of the server loses the last acknowledged changes',
  },
}

export interface UnsuitableSetting {
  name: string
  value: string
  suitable: string
  /** What happens with this value. */
  otherwise: string
}

/** The settings of the connection whose values the service does not expect. */
export async function findUnsuitable(
  query: <Row>(text: string, values: readonly unknown[]) => Promise<Row[]>,
): Promise<UnsuitableSetting[]> {
  const rows = await query<{ name: string; value: string }>(
    'SELECT name, setting AS value FROM pg_settings WHERE name = ANY($1::text[]) ORDER BY name',
    [Object.keys(expected)],
  )
  return rows.flatMap(({ name, value }) => {
    const { values, otherwise } = expected[name]!
    // DateStyle also contains the order of day and month, which does not affect ISO.
    return values.includes(value.split(',')[0]!) ? [] : [{ name, value, suitable: values[0]!, otherwise }]
  })
}

/** The problem and what to do, in one line. */
export const describeUnsuitable = ({ name, value, suitable, otherwise }: UnsuitableSetting): string =>
  `The database connection has ${name} = ${value}: ${otherwise}. ` +
  `Run: ALTER ROLE CURRENT_USER IN DATABASE <name> SET ${name} = '${suitable}', and reconnect`
