import type { FastifyRequest } from 'fastify'
import type { Context, CredentialProvider, FoundCredential } from '../context.ts'
import { assertAllowed } from '../http/credentials/assert-allowed.ts'
import { unknownKeys } from '../http/credentials/unknown-keys.ts'
import { AppError } from '../lib/errors.ts'

interface Attempt {
  provider: CredentialProvider
  text: string
  /** All of them must be present. */
  scopes: readonly string[]
  /** The IP address of the caller of the back end or gateway. */
  address: string | undefined
  /** As in `recallYoung`. */
  young?: boolean
}

/**
 * Finds a credential for a back end and judges this use of it. Records the use or the rejection. Throws
 * INVALID_CREDENTIAL, KEY_PAUSED, KEY_NETWORK, INSUFFICIENT_SCOPE or RATE_LIMITED.
 */
export async function useCredential(
  ctx: Context,
  request: FastifyRequest,
  { provider, text, scopes, address, young = false }: Attempt,
): Promise<{ found: FoundCredential; scopes: readonly string[] }> {
  const unknown = unknownKeys(request, address)
  const recalled = young ? ctx.credentials.recallYoung(text) : ctx.credentials.recall(text)
  const found = recalled ?? (await ctx.credentials.load(text, { freshness: 'copy', beforeRead: unknown.assertRoom }))
  if (!found) {
    unknown.count()
    throw new AppError('INVALID_CREDENTIAL')
  }
  const use = { now: ctx.clock.now(), address }
  try {
    const applicationId = request.bridgeSecret?.application?.id
    const effective = assertAllowed(ctx, found, { scopes, address, applicationId })
    provider.noteUse(found.cached, use)
    return { found, scopes: effective }
  } catch (error) {
    if (error instanceof AppError) await provider.noteRejection(found.cached.view, error.code, use)
    throw error
  }
}
