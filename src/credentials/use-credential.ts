import type { FastifyRequest } from 'fastify'
import type { Context, CredentialUse, FoundCredential } from '../context.ts'
import { assertAllowed } from '../http/credentials/assert-allowed.ts'
import { unknownKeys } from '../http/credentials/unknown-keys.ts'
import { AppError } from '../lib/errors.ts'

interface Attempt {
  text: string
  /** The credential, if it is in memory. */
  recalled: FoundCredential | undefined
  /** All of them must be present. */
  scopes: readonly string[]
  /** The API for which a token must have been issued. */
  resource: string | undefined
  /** The IP address of the caller of the back end or gateway. */
  address: string | undefined
}

export interface UsedCredential {
  found: FoundCredential
  /** The scopes that it has at present. */
  scopes: readonly string[]
}

/**
 * Finds a credential for a back end, if necessary, and judges this use of it, without a promise if the credential is in
 * memory and the use is allowed. Records the use or the rejection. Throws INVALID_CREDENTIAL, KEY_PAUSED, KEY_NETWORK, INSUFFICIENT_SCOPE or
 * RATE_LIMITED.
 */
export function useCredential(
  ctx: Context,
  request: FastifyRequest,
  attempt: Attempt,
): UsedCredential | Promise<UsedCredential> {
  const { recalled } = attempt
  return recalled ? judge(ctx, request, attempt, recalled) : loadAndJudge(ctx, request, attempt)
}

async function loadAndJudge(ctx: Context, request: FastifyRequest, attempt: Attempt): Promise<UsedCredential> {
  const unknown = unknownKeys(request, attempt.address)
  const found = await ctx.credentials.load(attempt.text, { freshness: 'copy', beforeRead: unknown.assertRoom })
  if (found) return judge(ctx, request, attempt, found)
  unknown.count()
  throw new AppError('INVALID_CREDENTIAL')
}

function judge(
  ctx: Context,
  { bridgeSecret }: FastifyRequest,
  { scopes, address, resource }: Attempt,
  found: FoundCredential,
): UsedCredential | Promise<never> {
  const use = { now: ctx.clock.now(), address }
  try {
    const effective = assertAllowed(ctx, found, {
      ...{ scopes, address, resource },
      applicationId: bridgeSecret?.application?.id,
    })
    found.provider.noteUse(found.cached, use)
    return { found, scopes: effective }
  } catch (error) {
    return reject(found, use, error)
  }
}

async function reject({ provider, cached }: FoundCredential, use: CredentialUse, error: unknown): Promise<never> {
  if (error instanceof AppError) await provider.noteRejection(cached.view, error.code, use)
  throw error
}
