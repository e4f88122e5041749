import type { Config } from '../../../config/load.ts'
import type { Db } from '../../../db/tables.ts'
import type { ModuleFinding } from '../../../hub/define-module.ts'
import { findUnencryptedClients } from './queries.ts'

const maxNamed = 10

/** Clients of an installation that was used for development before. */
export async function examineClients(db: Db, { isProduction }: Pick<Config, 'isProduction'>): Promise<ModuleFinding[]> {
  const ids = isProduction ? await findUnencryptedClients(db) : []
  if (ids.length === 0) return []
  const named = ids.slice(0, maxNamed).join(', ') + (ids.length > maxNamed ? ' and others' : '')
  const text =
    `the addresses of these web applications are unencrypted: ${named}\n` +
    'Replace them: wardenry oauth client-update <client_id> --redirect-uri <address>'
  return [{ state: 'notice', about: 'OAuth clients', text }]
}
