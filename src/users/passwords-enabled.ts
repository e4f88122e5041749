import type { Context } from '../context.ts'
import { AppError } from '../lib/errors.ts'

/**
 * The HTTP edge rejects passwords before a use case runs. The functions that check and set passwords call this as well,
 * so that no other caller can use a password while PASSWORDS_ENABLED is false.
 */
export function assertPasswordsEnabled({ config }: Pick<Context, 'config'>): void {
  if (!config.PASSWORDS_ENABLED) throw new AppError('PASSWORDS_DISABLED')
}
