import type { SessionRow, UserRow } from '../context.ts'
import type { Owner } from '../lib/versioned-cache.ts'

/** The session columns that requests use, without the token hash. */
export const sessionColumns = [
  'id',
  'user_id',
  'status',
  'two_factor_verified',
  'created_at',
  'started_at',
  'last_used_at',
  'proved_at',
  'seen_in_url',
  'ip_address',
  'user_agent',
  'user_device',
  'proof',
  'sign_in_method',
  'parent_id',
  'application',
  'application_id',
  'impersonated_by',
  'ends_at',
] as const

/**
 * Whether the application of a session (`a`) still accepts the session (`s`). A way to sign in that is unknown is accepted
 * only by applications without a rule.
 */
export const isAcceptedByApplication = `(s.application_epoch >= a.sessions_from_epoch
    AND (a.sign_in_methods = '{}' OR s.sign_in_method = ANY (a.sign_in_methods)) IS TRUE)`

/** Whether a second factor confirmed the session. */
export type Confirmation = Pick<SessionRow, 'two_factor_verified'>

export const confirmation = (isConfirmed: boolean): Confirmation => ({ two_factor_verified: isConfirmed })

export const hasConfirmation = (session: Confirmation): boolean => session.two_factor_verified

/** The API returns 0 or 1 instead of a boolean. */
export const confirmationMember = (session: Confirmation) => ({
  two_factor_verified: session.two_factor_verified ? (1 as const) : (0 as const),
})

/** An application that the settings declare has no id. */
export const applicationMembers = ({
  application,
  application_id,
}: Pick<SessionRow, 'application' | 'application_id'>) => ({
  application,
  ...(application_id !== null && { application_id }),
})

/** The owners of a session. A later epoch of any of them invalidates the cached session. */
export const ownersOf = (
  user: Pick<UserRow, 'id' | 'session_epoch'>,
  application: { id: string | null; epoch: number | null } = { id: null, epoch: null },
): readonly Owner[] => [
  { id: user.id, epoch: Number(user.session_epoch) },
  ...(application.id === null ? [] : [{ id: application.id, epoch: Number(application.epoch) }]),
]
