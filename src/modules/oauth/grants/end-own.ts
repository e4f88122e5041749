import { recordAudit } from '../../../audit/record.ts'
import type { Context, RequestDevice, SessionView } from '../../../context.ts'
import { transact } from '../../../db/transact.ts'
import { AppError } from '../../../lib/errors.ts'
import { looksLikeId } from '../../../lib/ids.ts'
import { lockOwner } from '../../../passkeys/change-rights.ts'
import { endGrants } from './end-grants.ts'
import { deleteConsent, findClientOfAccess } from './list-queries.ts'

export interface OwnGrantRequest {
  view: SessionView
  device: RequestDevice
}

/** Needs no recent authentication, because access that was stolen must end quickly. Throws GRANT_NOT_FOUND. */
export const endOwnGrant = (ctx: Context, { view, device }: OwnGrantRequest, id: string): Promise<void> =>
  transact(ctx, async (tx) => {
    const actor = await lockOwner(tx, view)
    const own = { userId: actor.id, reason: 'removed', actor, device }
    const ended = looksLikeId(id) ? await endGrants(tx, { ...own, id }) : []
    if (ended.length === 0) throw new AppError('GRANT_NOT_FOUND')
  })

/** Ends all access of the application, and withdraws the consent, so that it must ask again. Throws GRANT_NOT_FOUND. */
export const removeApplication = (ctx: Context, { view, device }: OwnGrantRequest, clientId: string): Promise<void> =>
  transact(ctx, async (tx) => {
    const actor = await lockOwner(tx, view)
    const client = await findClientOfAccess(tx.db, clientId)
    if (!client) throw new AppError('GRANT_NOT_FOUND')
    const ended = await endGrants(tx, {
      ...{ userId: actor.id, clientRowId: client.id },
      ...{ reason: 'removed', actor, device },
    })
    const hadConsent = await deleteConsent(tx.db, actor.id, client.id)
    if (!hadConsent && ended.length === 0) throw new AppError('GRANT_NOT_FOUND')
    if (!hadConsent) return
    const details = { client: client.client_id, name: client.name }
    await recordAudit(tx, { event: 'oauth_consent_withdrawn', actor, target: actor.id, device, details })
  })
