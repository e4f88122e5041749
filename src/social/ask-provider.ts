import * as client from 'openid-client'
import { within } from '../adapters/within.ts'
import { second } from '../lib/time.ts'
import { causeOf } from './failure-cause.ts'
import { isTokenError } from './id-token.ts'
import { NotAccepted } from './provider.ts'
import { SocialRejection } from './rejection.ts'

/** The total time limit for all requests that one `askProvider` call sends to the provider. */
const requestTimeoutMs = 10 * second

export async function askProvider<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await within(requestTimeoutMs, work())
  } catch (error) {
    throw new SocialRejection(isNotAccepted(error) ? 'not_accepted' : 'provider_down', { failure: causeOf(error) })
  }
}

function isNotAccepted(error: unknown): boolean {
  if (error instanceof NotAccepted || isTokenError(error)) return true
  if (error instanceof client.ResponseBodyError) return error.status < 500
  if (error instanceof client.AuthorizationResponseError || error instanceof client.WWWAuthenticateChallengeError)
    return true
  if (!(error instanceof client.ClientError)) return false
  // Some providers report invalid codes in their own format.
  const { cause } = error
  if (cause instanceof Response) return cause.status >= 400 && cause.status < 500 && cause.status !== 429
  return tokenFaults.has(error.code ?? '')
}

const tokenFaults = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_UNSUPPORTED_OPERATION',
])
