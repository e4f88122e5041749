import type { Transaction } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { isProvenByPasskey } from '../sessions/queries.ts'

/** Throws REAUTH_REQUIRED unless the user has recently authenticated with a passkey in this browser session. */
export async function assertProvenByPasskey({ db, config, clock }: Transaction, sessionId: string): Promise<void> {
  const since = config.REAUTH_WINDOW === 0 ? 0 : clock.now() - config.REAUTH_WINDOW
  if (await isProvenByPasskey(db, sessionId, new Date(since))) return
  throw new AppError('REAUTH_REQUIRED', {
    sentence: 'Please confirm your identity with a passkey',
    passkeyRequired: true,
  })
}
