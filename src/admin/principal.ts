import { commandLine } from '../audit/record.ts'
import type { Transaction, UserRow } from '../context.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { AppError } from '../lib/errors.ts'
import { isUnendedSession } from '../sessions/queries.ts'
import { findUser, lockUsers } from '../users/queries.ts'

export interface SignedInAdmin {
  actor: UserRow
  /** The actor's session. `lockPrincipal` rejects the request if the session has ended. */
  sessionId: string
  device: RequestDevice
}

/** Anyone who controls the machine can read its secrets and database, so no session is required. */
export const operator = { actor: commandLine, sessionId: undefined, device: undefined } as const

export type Principal = SignedInAdmin | typeof operator

export type Actor = Principal['actor']

export async function lockPrincipal(tx: Transaction, principal: Principal, ...userIds: string[]): Promise<Actor> {
  if (principal.sessionId === undefined) {
    await lockUsers(tx.db, userIds)
    return principal.actor
  }
  const { actor: asking, sessionId } = principal
  await lockUsers(tx.db, [asking.id, ...userIds])
  await tx.staff.refresh(tx.db)
  const actor = await findUser(tx, asking.id)
  if (!actor || !(await isUnendedSession(tx.db, sessionId))) throw new AppError('INVALID_SESSION')
  return actor
}

export const rightsOf = (actor: Actor): { id: string; user_type: string } =>
  actor.id === null ? { id: actor.user_type, user_type: 'superadmin' } : actor
