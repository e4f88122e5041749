import type { PostgresPool } from 'kysely'
import type { SpanDescription, Tracing } from '../adapters/tracing/port.ts'
import { type StatementSummary, summaryOf } from './statement-summary.ts'

type Client = Awaited<ReturnType<PostgresPool['connect']>>
type Query = (text: string, values: readonly unknown[]) => Promise<unknown>

export function tracedPool(pool: PostgresPool, tracing: Tracing | undefined): PostgresPool {
  if (!tracing) return pool
  return {
    ...pool,
    connect: async () => {
      const client = await pool.connect()
      const run = client.query as unknown as Query
      const query: Query = (text, values) => tracing.inSpan(spanOf(summaryOf(text)), () => run(text, values))
      return { query, release: () => client.release() } as unknown as Client
    },
  }
}

const spanOf = ({ operation, table }: StatementSummary): SpanDescription => ({
  name: table ? `${operation} ${table}` : operation,
  kind: 'client',
  attributes: {
    'db.system.name': 'postgresql',
    'db.operation.name': operation,
    ...(table && { 'db.collection.name': table }),
  },
})
