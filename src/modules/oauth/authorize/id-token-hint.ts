import type { Context } from '../../../context.ts'
import { looksLikeId } from '../../../lib/ids.ts'
import type { Client } from '../clients/client-view.ts'
import { verificationKeyFor } from '../keys/signing-key.ts'
import { idTokenType, isSignedBy, parseJwt } from '../token/jwt.ts'

/** The user of an ID token of this client, which may have expired. Undefined if it is not one. */
export async function subjectOfHint(ctx: Context, client: Client, text: string): Promise<string | undefined> {
  const jwt = parseJwt(text, idTokenType, ctx.config.PUBLIC_URL)
  const key = jwt && (await verificationKeyFor(ctx, jwt.kid))
  if (!jwt || !key || !isSignedBy(key, jwt)) return undefined
  const { aud, sub } = jwt.claims
  return aud === client.clientId && typeof sub === 'string' && looksLikeId(sub) ? sub : undefined
}
