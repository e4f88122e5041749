import { onePerDatabase } from '../../../context/one-per-database.ts'
import { createCachedReads } from '../cached-reads.ts'
import { findClientViews } from './client-queries.ts'
import type { Client } from './client-view.ts'

export interface KnownClients {
  /** Without I/O. */
  recall(clientId: string): Client | undefined
  /** From the database. Also finds clients that are disabled. */
  read(clientId: string): Promise<Client | undefined>
}

const maxEntries = 20_000

export const clientsOf = onePerDatabase(
  (ctx): KnownClients =>
    createCachedReads<Client>(ctx, {
      maxEntries,
      read: async (clientIds) => {
        const views = await findClientViews(ctx, { clientIds })
        return new Map(views.map((client) => [client.clientId, client]))
      },
      ownersOf: ({ owners }) => owners,
    }),
)
