import type { Context } from '../../context.ts'
import { runWithContext } from '../run-with-context.ts'

export const withSettings = (work: (ctx: Context) => Promise<void>): Promise<void> =>
  runWithContext(adviceWhenBusy, work)

/** If the change is invalid, throws an error that lists every problem. */
export async function applyChange(
  ctx: Context,
  name: string,
  value: string | null,
  lockedOut?: number,
): Promise<boolean> {
  const { operator } = await import('../../admin/principal.ts')
  const { AppError } = await import('../../lib/errors.ts')
  const { changeSettings } = await import('../../stored-settings/change-settings.ts')
  try {
    const { changed } = await changeSettings(ctx, operator, { changes: [{ name, value }], lockedOut })
    return changed.length > 0
  } catch (error) {
    const problems = error instanceof AppError ? (error.details ?? []) : []
    if (problems.length === 0) throw error
    throw new Error(problems.map(({ field, message }) => sentence(field, message)).join('\n'))
  }
}

/** Messages about combinations of settings already start with a setting name. */
const sentence = (field: string, message: string): string =>
  /^[A-Z][A-Z_]{2,} /.test(message) ? message : `${field} ${message}`

const adviceWhenBusy = `If that process is the service, a superadmin can change settings without stopping it, with
PUT /auth/admin/settings. Otherwise stop it, run this command, and start it again.`
