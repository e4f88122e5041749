import type { FastifyRequest } from 'fastify'
import { recordAudit } from '../../../audit/record.ts'
import { onePerDatabase } from '../../../context/one-per-database.ts'
import type { Context } from '../../../context.ts'
import { deviceOf } from '../../../http/access/device.ts'
import { shownPage } from '../../../http/responses/redirects.ts'
import { AppError } from '../../../lib/errors.ts'
import { createOncePer } from '../../../lib/once-per.ts'
import { minute } from '../../../lib/time.ts'
import { isScope } from '../clients/read-input.ts'
import { type AskedAccess, scopesIn } from '../token/scopes.ts'
import { rejectionCountsOf } from './count-rejections.ts'
import { type ClientRejectionReason, clientRejectionReasons } from './reasons.ts'

const isNewOf = onePerDatabase(() => createOncePer(minute))
const maxScopes = 10

interface RejectedClient {
  id: string
  clientId: string
  name: string
}

interface ClientRejection {
  reason: ClientRejectionReason
  asked?: Partial<AskedAccess>
  /** The `client_id` to which the token belongs. */
  owner?: string
}

/**
 * Counts a rejected request of a known client, and records the reason in the audit trail: each once a minute per client and
 * process. Never rejects, because the response does not depend on it.
 */
export async function recordClientRejection(
  ctx: Context,
  request: FastifyRequest,
  client: RejectedClient,
  { reason, asked = {}, owner }: ClientRejection,
): Promise<void> {
  rejectionCountsOf(ctx)(reason)
  if (!isNewOf(ctx)(`${client.id} ${reason}`, ctx.clock.now())) return
  const details = { client: client.clientId, name: client.name, reason, route: request.routeOptions.url }
  await recordAudit(ctx, {
    ...{ event: 'oauth_request_refused', outcome: 'failure', device: deviceOf(request) },
    details: { ...details, ...shownAccess(asked), ...(owner !== undefined && { owner }) },
  }).catch((err) => ctx.log.error({ err }, 'could not record the rejection of an OAuth client in the audit trail'))
}

/** After the response, so that its time does not tell the reason. */
export function recordRejectionLater(
  ctx: Context,
  request: FastifyRequest,
  client: RejectedClient,
  rejection: ClientRejection,
): void {
  setImmediate(() => void recordClientRejection(ctx, request, client, rejection))
}

/** Only what has the form of a scope or of an address, because a program can send anything by mistake, even a secret. */
function shownAccess({ scope, resource }: Partial<AskedAccess>) {
  const scopes = scopesIn(scope).filter(isScope).slice(0, maxScopes)
  const url = resource === undefined ? null : URL.parse(resource)
  return { ...(scopes.length > 0 && { scopes }), ...(url && { resource: withoutSecrets(shownPage(url)) }) }
}

/** Secrets have at least 24 characters. A host name keeps most of one, although in lower case. */
const withoutSecrets = (address: string): string => address.replaceAll(/[^/.:…]{24,}/g, '…')

/** Records the reason if the work is rejected. */
export async function recordingClientRejection<Result>(
  ctx: Context,
  request: FastifyRequest,
  { client, asked }: { client: RejectedClient; asked: Partial<AskedAccess> },
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const reason = error instanceof AppError ? clientRejectionReasons.find((known) => known === error.code) : undefined
    if (reason) await recordClientRejection(ctx, request, client, { reason, asked })
    throw error
  }
}
