import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { collectAboutUser, type PersonalExport } from '../profile/export-data.ts'
import { operator } from './principal.ts'

/** Only for operators, who can also read the database directly. Administrators must not see this data. */
export async function exportByOperator(ctx: Context, userId: string): Promise<PersonalExport> {
  const collected = await collectAboutUser(ctx, userId)
  if (!collected) throw new AppError('NOT_FOUND')
  await recordAudit(ctx, { event: 'export_requested', ...operator, target: userId })
  return collected
}
