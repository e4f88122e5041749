import type { Context } from '../../../context.ts'
import { AppError } from '../../../lib/errors.ts'
import { day, iso } from '../../../lib/time.ts'
import { findClient } from '../clients/queries.ts'
import { type ClientRejectionRow, findClientRejections } from './queries.ts'

export const maxClientRejections = 1_000

/** Requests of the client that were rejected in the last 24 hours, the newest first. */
export async function listClientRejections({ db, clock }: Context, clientId: string, limit = 100) {
  if (!(await findClient(db, clientId))) throw new AppError('OAUTH_CLIENT_NOT_FOUND')
  const since = new Date(clock.now() - day)
  return (await findClientRejections(db, { clientId, since, limit: Math.min(limit, maxClientRejections) })).map(
    shownRejection,
  )
}

/** Without the address of the program, which is in the audit trail. */
const shownRejection = ({ time, request_id, details: { reason, route, scopes, resource } }: ClientRejectionRow) => ({
  time: iso(time),
  reason: reason ?? ('secret' as const),
  endpoint: route ?? null,
  scopes: scopes ?? [],
  resource: resource ?? null,
  request_id,
})
