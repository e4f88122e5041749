import { recordAudit } from '../../../audit/record.ts'
import type { Context, RequestDevice, Transaction } from '../../../context.ts'
import { transact } from '../../../db/transact.ts'
import { newCheckedSecret } from '../../../lib/checked-secret.ts'
import { keyedHash, sha256Bytes } from '../../../lib/hash.ts'
import { newId } from '../../../lib/ids.ts'
import { second } from '../../../lib/time.ts'
import { lockSession } from '../../../sessions/queries.ts'
import { absoluteEnd, authenticationOf, stateOf } from '../../../sessions/session.ts'
import { lockUser } from '../../../users/queries.ts'
import type { Client } from '../clients/client-view.ts'
import { writeConsent } from '../consent/consent-queries.ts'
import type { StoredParameters } from '../grant-rows.ts'
import { insertGrant } from '../grants/grant-queries.ts'
import { mayUse, redirectTargetOf } from './decide.ts'
import { mfaAcr } from './parameters.ts'
import { consumeRequest } from './request-queries.ts'
import type { Visitor } from './visitor.ts'

const codeLifetime = 60 * second

/** The prefix of authorization codes. */
export const codePrefix = 'wac_'

export interface Approval {
  client: Client
  params: StoredParameters
  scopes: readonly string[]
  visitor: Visitor
  device: RequestDevice
  /** The stored request. Undefined if nothing had to be asked. */
  request: { id: string; browserHash: Buffer } | undefined
  /** Whether the user has allowed the access just now. */
  isConsent: boolean
}

/** Returns undefined if the request is over, or if the session, the user or the client has changed meanwhile. */
export const issueAuthorizationCode = (ctx: Context, approval: Approval): Promise<string | undefined> =>
  transact(ctx, (tx) => issueIn(tx, approval))

/** Locks the user, then the session, so that whatever ends the session also ends the grant. */
async function issueIn(tx: Transaction, approval: Approval): Promise<string | undefined> {
  const { client, params, visitor, request, isConsent } = approval
  const now = tx.clock.date()
  const user = await lockUser(tx, visitor.user.id)
  const session = await lockSession(tx.db, visitor.session.id)
  if (!user || session?.status !== 'active' || session.impersonated_by !== null) return undefined
  if (stateOf(tx.config, session, user.user_type, now.getTime()) !== 'live') return undefined
  if (!mayUse(client, { ...visitor, user })) return undefined
  if (request && !(await consumeRequest(tx.db, { ...request, now }))) return undefined
  const isOffline = mayOutlast(approval)
  const scopes = approval.scopes.filter((scope) => scope !== 'offline_access' || isOffline)
  if (isConsent) await rememberConsent(tx, approval)
  const code = newCheckedSecret(codePrefix)
  const { authenticated_at: _, methods } = authenticationOf({ session: { ...visitor.session, ...session } })
  const sessionEnd = absoluteEnd(tx.config, session, user.user_type)
  const lastTime = now.getTime() + (client.signIn.refreshAbsoluteTtl ?? tx.config.OAUTH_REFRESH_ABSOLUTE_TTL)
  const expires = isOffline ? lastTime : Math.min(lastTime, sessionEnd)
  const id = newId()
  const isIssued = await insertGrant(
    tx.db,
    {
      ...{ id, created_at: now, user_id: user.id, client_id: client.id, session_id: session.id, is_offline: isOffline },
      ...{ sid: sidOf(tx, session.id, client), scopes, resource_id: params.resource, claims: params.claims },
      ...{ acr: visitor.isConfirmed ? mfaAcr : null, amr: [...methods], auth_time: session.proved_at },
      ...{ ip_address: approval.device.address, user_agent: approval.device.userAgent },
      ...{ check_at: new Date(now.getTime() + 2 * codeLifetime), expires_at: new Date(expires) },
    },
    {
      ...{ code_hash: sha256Bytes(code), redirect_uri: params.redirect_uri, code_challenge: params.code_challenge },
      ...{ nonce: params.nonce, expires_at: new Date(now.getTime() + codeLifetime) },
    },
  )
  if (!isIssued) return undefined
  await recordAudit(tx, {
    ...{ event: 'oauth_code_issued', actor: user, target: user.id, device: approval.device },
    details: { client: client.clientId, name: client.name, grant: id, session: session.id, scopes, offline: isOffline },
  })
  return code
}

/** Whether the access lasts after the sign-out. */
const mayOutlast = ({ client, scopes }: Approval): boolean =>
  client.grantTypes.includes('refresh_token') && (client.signIn.offlineDefault || scopes.includes('offline_access'))

async function rememberConsent(tx: Transaction, { client, params, scopes, visitor, device }: Approval): Promise<void> {
  const now = tx.clock.date()
  await writeConsent(tx.db, {
    ...{ user_id: visitor.user.id, client_id: client.id, scopes, targets: [redirectTargetOf(params.redirect_uri)] },
    ...{ resources: params.resource === null ? [] : [params.resource], given_at: now },
    expires_at: new Date(now.getTime() + tx.config.OAUTH_CONSENT_TTL),
  })
  await recordAudit(tx, {
    ...{ event: 'oauth_consent_given', actor: visitor.user, target: visitor.user.id, device },
    details: { client: client.clientId, name: client.name, scopes, target: redirectTargetOf(params.redirect_uri) },
  })
}

/** Different for each client, so that clients cannot tell which of their users share a session. */
export const sidOf = ({ config }: Pick<Context, 'config'>, sessionId: string, { id }: Pick<Client, 'id'>): string =>
  keyedHash(config.AUTH_SECRET, 'oauth-sid', `${sessionId}\n${id}`).slice(0, 22)
