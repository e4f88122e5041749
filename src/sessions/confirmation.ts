import type { SessionRow } from '../context.ts'

/** Whether a second factor confirmed the session. */
export type Confirmation = Pick<SessionRow, 'two_factor_verified'>

export const confirmation = (isConfirmed: boolean): Confirmation => ({ two_factor_verified: isConfirmed })

export const hasConfirmation = (session: Confirmation): boolean => session.two_factor_verified

/** The API returns 0 or 1 instead of a boolean. */
export const confirmationMember = (session: Confirmation) => ({
  two_factor_verified: session.two_factor_verified ? (1 as const) : (0 as const),
})
