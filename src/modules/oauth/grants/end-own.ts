import { recordAudit } from '../../../audit/record.ts'
import type { Context, RequestDevice, SessionView, Transaction } from '../../../context.ts'
import { transact } from '../../../db/transact.ts'
import { AppError } from '../../../lib/errors.ts'
import { looksLikeId } from '../../../lib/ids.ts'
import { lockOwner } from '../../../passkeys/change-rights.ts'
import { type EndedGrant, endGrantsOfUser } from './grant-queries.ts'
import { deleteConsent, findClientOfAccess, findClientOfGrant } from './list-queries.ts'

export interface OwnGrantRequest {
  view: SessionView
  device: RequestDevice
}

/** Needs no recent authentication, because access that was stolen must end quickly. Throws GRANT_NOT_FOUND. */
export const endOwnGrant = (ctx: Context, { view, device }: OwnGrantRequest, id: string): Promise<void> =>
  transact(ctx, async (tx) => {
    const actor = await lockOwner(tx, view)
    const client = looksLikeId(id) ? await findClientOfGrant(tx.db, actor.id, id) : undefined
    const ended = client ? await endGrantsOfUser(tx.db, actor.id, { id }, endingBy(tx, 'removed')) : []
    if (!client || ended.length === 0) throw new AppError('GRANT_NOT_FOUND')
    await record(tx, ended, { client, actor, device })
  })

/** Ends all access of the application, and withdraws the consent, so that it must ask again. Throws GRANT_NOT_FOUND. */
export const removeApplication = (ctx: Context, { view, device }: OwnGrantRequest, clientId: string): Promise<void> =>
  transact(ctx, async (tx) => {
    const actor = await lockOwner(tx, view)
    const client = await findClientOfAccess(tx.db, clientId)
    if (!client) throw new AppError('GRANT_NOT_FOUND')
    const ended = await endGrantsOfUser(tx.db, actor.id, { client_id: client.id }, endingBy(tx, 'removed'))
    const hadConsent = await deleteConsent(tx.db, actor.id, client.id)
    if (!hadConsent && ended.length === 0) throw new AppError('GRANT_NOT_FOUND')
    await record(tx, ended, { client, actor, device })
    if (!hadConsent) return
    const details = { client: client.client_id, name: client.name }
    await recordAudit(tx, { event: 'oauth_consent_withdrawn', actor, target: actor.id, device, details })
  })

const endingBy = ({ clock }: Pick<Context, 'clock'>, reason: string) => ({ now: clock.date(), reason })

interface Removal {
  client: { client_id: string; name: string }
  actor: { id: string; user_type: string }
  device: RequestDevice
}

async function record(tx: Transaction, ended: readonly EndedGrant[], { client, actor, device }: Removal) {
  for (const { id, epoch, scopes } of ended) {
    tx.after(({ sessions }) => sessions.invalidate(id, Number(epoch)))
    const details = { client: client.client_id, name: client.name, grant: id, reason: 'removed', scopes }
    await recordAudit(tx, { event: 'oauth_grant_ended', actor, target: actor.id, device, details })
  }
}
