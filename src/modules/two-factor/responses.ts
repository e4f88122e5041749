import type { Context, UserRow } from '../../context.ts'
import type { RequestAuth } from '../../http/access/auth.ts'
import { iso } from '../../lib/time.ts'
import { sessionMembers } from '../../sessions/responses.ts'
import { loginUser } from '../../users/shapes.ts'
import { methodOf } from './methods/index.ts'
import type { MethodRow } from './queries.ts'
import type { StartedSetup } from './set-up.ts'
import type { FactorVerification } from './verify.ts'

/** The result contains no secrets. */
export const listedMethod = ({ id, method, status, identifier, last_used_at, created_at, metadata }: MethodRow) => ({
  id,
  method,
  status,
  identifier: methodOf(method).masked(identifier),
  last_used_at: last_used_at && iso(last_used_at),
  created_at: iso(created_at),
  metadata,
})

/** Shown to staff who may not see the user's addresses and devices. */
export const methodKind = ({ method, status }: MethodRow) => ({ method, status })

export const startedSetupResponse = ({ row, sent, expiresIn, shown }: StartedSetup) => ({
  success: true as const,
  method_id: row.id,
  method: row.method,
  verification_sent: sent,
  expires_in: expiresIn,
  message: sent ? 'A code is on its way' : 'Enter a code',
  ...shown,
})

export function verifyResponse(
  ctx: Context,
  auth: RequestAuth,
  { action, method, user, created, members }: FactorVerification,
) {
  const isSession = action === 'login' || action === 'reauth'
  const { sessionToken, view } = created ?? { sessionToken: auth.sessionToken, view: auth }
  return {
    success: true as const,
    verified: true as const,
    session_activated: created !== undefined && !created.pending,
    ...(created?.pending && { passkey_required: true as const }),
    method,
    message: created && !created.pending ? 'Signed in' : 'Verified',
    user: created ? loginUser(ctx, view.user) : factorUser(user),
    ...(isSession && sessionMembers(ctx, sessionToken, view)),
    ...members,
  }
}

const factorUser = ({ id, email, name, two_factor }: UserRow) => ({ id, email, name, two_factor })

export const toggleResponse = (enabled: boolean, active: readonly MethodRow[]) => ({
  success: true as const,
  two_factor: enabled,
  two_factor_enabled: enabled,
  active_methods: [...new Set(active.map(({ method }) => method))],
  message: enabled ? 'Two-factor sign-in is on' : 'Two-factor sign-in is off',
})
