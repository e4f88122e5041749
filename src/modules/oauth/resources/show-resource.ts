import type { Context } from '../../../context.ts'
import { AppError } from '../../../lib/errors.ts'
import { looksLikeId } from '../../../lib/ids.ts'
import { iso } from '../../../lib/time.ts'
import { findResources, type ResourceRow } from '../directory-queries.ts'

export async function listResources({ db, applicationRoles }: Context) {
  const roles = applicationRoles.current()
  return (await findResources(db)).map((row) => shown(row, roles.permissionsOf(row.application_id)))
}

export async function getResource(ctx: Context, id: string) {
  const found = looksLikeId(id) ? (await listResources(ctx)).find((one) => one.id === id) : undefined
  if (!found) throw new AppError('OAUTH_RESOURCE_UNKNOWN')
  return found
}

const shown = (row: ResourceRow, scopes: readonly string[]) => ({
  id: row.id,
  application: { id: row.application_id, key: row.application_key },
  identifier: row.identifier,
  aliases: row.aliases,
  name: row.name,
  token_format: row.token_format,
  access_ttl: row.access_ttl,
  alg: row.alg,
  scopes: [...scopes],
  enabled: row.is_enabled,
  created_at: iso(row.created_at),
  updated_at: iso(row.updated_at),
})
