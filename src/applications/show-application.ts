import type { Context } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { looksLikeId } from '../lib/ids.ts'
import { iso } from '../lib/time.ts'
import { type ApplicationRow, findApplication, findApplications } from './queries.ts'

export const listApplications = async (ctx: Context) => (await findApplications(ctx.db)).map(shown)

export async function getApplication(ctx: Context, id: string) {
  const row = looksLikeId(id) ? await findApplication(ctx.db, id) : undefined
  if (!row) throw new AppError('NOT_FOUND')
  return shown(row)
}

const shown = ({ addresses, ...row }: ApplicationRow) => ({
  id: row.id,
  key: row.key,
  name: row.name,
  kind: row.kind,
  home_url: row.home_url,
  return_addresses: addresses.filter(({ kind }) => kind === 'return').map(({ address }) => address),
  origins: addresses.filter(({ kind }) => kind === 'origin').map(({ address }) => address),
  development: row.is_development,
  enabled: row.is_enabled,
  source: row.source,
  note: row.note,
  created_at: iso(row.created_at),
  updated_at: iso(row.updated_at),
  deleted_at: row.deleted_at && iso(row.deleted_at),
})
