import { bridgeSecretUses } from '../../admin/security-figures.ts'
import type { Context } from '../../context.ts'
import { AppError } from '../../lib/errors.ts'
import { iso } from '../../lib/time.ts'
import { getApplication } from '../show-application.ts'
import { findSecrets } from './queries.ts'

export async function listSecrets(ctx: Context, applicationId: string) {
  const { id } = await getApplication(ctx, applicationId)
  const rows = await findSecrets(ctx.db, id)
  const useOf = await bridgeSecretUses(
    ctx,
    rows.map((row) => row.id),
  )
  return rows.map((row) => ({
    id: row.id,
    hint: row.hint,
    rights: row.rights,
    ip_ranges: row.ip_ranges,
    created_at: iso(row.created_at),
    ends_at: row.ends_at && iso(row.ends_at),
    ...useOf(row.id),
  }))
}

export async function getSecret(ctx: Context, applicationId: string, secretId: string) {
  const found = (await listSecrets(ctx, applicationId)).find(({ id }) => id === secretId)
  if (!found) throw new AppError('NOT_FOUND')
  return found
}
