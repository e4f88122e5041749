import { errors } from 'jose'
import * as client from 'openid-client'
import { FetchFailed } from '../adapters/fetch/port.ts'
import { responseAddress } from './provider-fetch.ts'
import { claimsOf, claimText, wordOf } from './read-members.ts'
import type { FailureCause } from './rejection.ts'

/** Errors of the libraries contain tokens and codes, so only these members are logged. */
export function causeOf(error: unknown): FailureCause {
  const inner = error instanceof client.ClientError && error.cause instanceof Error ? error.cause : error
  const data = claimsOf(inner instanceof Error ? inner.cause : undefined)
  const found = {
    sentence: sentenceOf(inner),
    oauth_error: wordOf(claimsOf(inner).error) ?? wordOf(claimsOf(data.body).error),
    claim: inner instanceof errors.JWTClaimValidationFailed ? inner.claim : wordOf(data.claim),
    ...responseCause(inner),
    ...issuerCause(data),
  }
  const known = Object.entries(found).filter(([, value]) => value !== undefined && value !== '')
  return Object.fromEntries(known) as unknown as FailureCause
}

/** The message of a parser contains a part of the response. */
function sentenceOf(error: unknown): string {
  if (error instanceof SyntaxError) return 'the response is not JSON'
  return error instanceof Error ? error.message : 'unknown'
}

function responseCause(error: unknown) {
  if (error instanceof FetchFailed || !(error instanceof Error)) return {}
  const reply = claimsOf(error).response ?? error.cause
  if (!(reply instanceof Response)) return {}
  const [address = '', location] = [responseAddress(reply), reply.headers.get('location')]
  const target = location !== null && URL.canParse(location, address) ? new URL(location, address) : undefined
  return {
    status: reply.status,
    address,
    redirects_to: target && target.origin + target.pathname,
  }
}

/** The discovery document names another issuer than the settings. */
function issuerCause({ attribute, expected, body }: Record<string, unknown>) {
  if (attribute !== 'issuer') return {}
  return { expected: claimText(expected), received: claimText(claimsOf(body).issuer).slice(0, 200) }
}
