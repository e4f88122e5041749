import type { Context } from '../../../context.ts'
import { type SentParameters, sentStateOf } from '../authorize/parameters.ts'
import { withMembers } from '../authorize/respond.ts'
import { findClientViews } from '../clients/client-queries.ts'
import type { Client } from '../clients/client-view.ts'
import { type LogoutHint, readLogoutHint } from './read-hint.ts'

export interface EndRequest {
  hint: LogoutHint | undefined
  /** Where the user goes afterwards. */
  returnTo: string | undefined
  /** Hidden fields of the page that asks. */
  fields: Record<string, string>
}

/** Why nothing is done. `client` is the one that made the mistake, if it is known. */
export interface EndFault {
  fault: 'hint' | 'client' | 'address'
  client: Client | undefined
}

/** OpenID Connect RP-Initiated Logout, 2. Without a client that is known, the address is ignored. */
export async function readEndRequest(ctx: Context, sent: SentParameters): Promise<EndRequest | EndFault> {
  const { id_token_hint, client_id, post_logout_redirect_uri: address } = sent
  const hint = id_token_hint === undefined ? undefined : await readLogoutHint(ctx, id_token_hint)
  const [named] = client_id === undefined ? [] : await findClientViews(ctx, { clientIds: [client_id] })
  if (id_token_hint !== undefined && !hint) return { fault: 'hint', client: named }
  if (hint && client_id !== undefined && hint.client.clientId !== client_id) return { fault: 'hint', client: named }
  if (client_id !== undefined && !named?.isLive) return { fault: 'client', client: named }
  const client = hint?.client ?? named
  if (!client || address === undefined) return { hint, returnTo: undefined, fields: {} }
  if (!client.isLive || !client.signIn.postLogoutUris.includes(address)) return { fault: 'address', client }
  const state = sentStateOf(sent)
  const members = state === undefined ? {} : { state }
  return {
    hint,
    returnTo: state === undefined ? address : withMembers(address, members),
    fields: { client_id: client.clientId, post_logout_redirect_uri: address, ...members },
  }
}
