import { recordAudit } from '../audit/record.ts'
import type { RequestDevice, SessionView, Transaction } from '../context.ts'
import { findReturnAddress } from '../http/responses/redirects.ts'
import { rulesAt } from '../http/responses/sign-in-rules.ts'
import { AppError } from '../lib/errors.ts'
import { sha256Bytes } from '../lib/hash.ts'
import { newId, newSecret } from '../lib/ids.ts'
import { isWeb } from '../lib/return-address.ts'
import { second } from '../lib/time.ts'
import { insertCode } from './queries.ts'

const handoverCodeLifetime = 60 * second

interface HandoverInput {
  session: Pick<SessionView['session'], 'id' | 'user_id' | 'sign_in_method'>
  /** Checked by `allowedReturnAddress`. */
  returnTo: string
  /** PKCE, method S256: 43 base64url characters. */
  codeChallenge: string
  device: RequestDevice
}

/**
 * Throws INVALID_SESSION if the session has ended, is partial or impersonated, belongs to an application, or began in a
 * way that the application does not accept.
 */
export async function issueHandoverCode(
  tx: Transaction,
  { session, returnTo, codeChallenge, device }: HandoverInput,
): Promise<{ code: string }> {
  const code = newSecret()
  const now = tx.clock.now()
  const returnAddress = serializedReturnTo(returnTo)
  const application = findReturnAddress(tx, returnAddress)?.application
  if (!rulesAt(tx, new URL(returnAddress)).accepts(session.sign_in_method)) throw new AppError('INVALID_SESSION')
  const isIssued = await insertCode(tx.db, {
    id: newId(),
    code_hash: sha256Bytes(code),
    session_id: session.id,
    return_to: returnAddress,
    application_id: application?.id ?? null,
    code_challenge: codeChallenge,
    ip_address: device.address,
    user_agent: device.userAgent,
    user_device: device.device,
    created_at: new Date(now),
    expires_at: new Date(now + handoverCodeLifetime),
  })
  if (!isIssued) throw new AppError('INVALID_SESSION')
  const details = {
    session: session.id,
    application: applicationOf(returnAddress),
    ...(application && { application_id: application.id }),
  }
  await recordAudit(tx, { event: 'handover_issued', target: session.user_id, device, details })
  return { code }
}

export function applicationOf(returnTo: string): string {
  const url = new URL(returnTo)
  return isWeb(url.protocol) ? url.origin : url.protocol
}

/** Issuing and consuming a code both use the return address as serialized by the URL parser. */
export const serializedReturnTo = (input: string): string => URL.parse(input)?.href ?? input
