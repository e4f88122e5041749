import { decodeJwt, errors, type JWTPayload, type JWTVerifyOptions, type JWTVerifyResult, jwtVerify } from 'jose'
import { sha256Bytes } from '../lib/hash.ts'
import { day, minute, second } from '../lib/time.ts'
import { NotAccepted, type OpenIdPart, type ProviderClaims } from './provider.ts'
import type { ProviderKeys } from './provider-keys.ts'
import { claimsOf } from './read-members.ts'

/** Clocks of providers and of this service differ by up to a few minutes. */
const tolerance = 5 * minute

interface Expected {
  part: OpenIdPart
  /** The issuer from the discovery document. Microsoft's issuer contains a placeholder for the tenant. */
  issuer: string
  clientIds: readonly string[]
  keys: ProviderKeys
  now: number
  /** The flow's nonce. If undefined, tokens with a nonce are rejected. */
  nonce: string | undefined
}

export interface CheckedToken {
  claims: ProviderClaims
  issuer: string
  /** Identifies the token for replay protection. */
  mark: Buffer
  expiresAt: Date
}

/**
 * Validates the token as specified in OpenID Connect Core, section 3.1.3.7. If it is invalid, throws `NotAccepted` or
 * an error that `isTokenError` recognizes.
 */
export async function checkIdToken(token: string, expected: Expected): Promise<CheckedToken> {
  const { part, clientIds, keys, now, nonce } = expected
  const issuer = issuerFor(token, expected.issuer)
  const { payload, protectedHeader } = await verify(token, keys, {
    algorithms: [...part.algorithms],
    issuer: [issuer, ...(part.issuerSpellings ?? [])],
    audience: [...clientIds],
    currentDate: new Date(now),
    clockTolerance: tolerance / second,
    requiredClaims: ['sub', 'iat', 'exp'],
  })
  assertParty(payload, clientIds)
  assertIssued(payload, now)
  const expiresAt = endOf(payload, now)
  if (payload.nonce !== undefined && payload.nonce !== nonce) throw new NotAccepted('the nonce does not match')
  if (nonce !== undefined && payload.nonce === undefined) throw new NotAccepted('the nonce is missing')
  const { kid } = protectedHeader
  const possible = keys.jwks()?.keys.filter((key) => kid === undefined || key.kid === kid) ?? []
  if (!possible.every((key) => part.mayKeySign?.(claimsOf(key), payload) ?? true))
    throw new NotAccepted('signed with the wrong key')
  return {
    claims: payload,
    issuer,
    mark: markOf(token, issuer, payload),
    expiresAt,
  }
}

/** Several keys can have the id in the token, or the token can name no key. */
async function verify(token: string, keys: ProviderKeys, options: JWTVerifyOptions): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(token, keys.find, options)
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    for await (const key of error) {
      const verified = await jwtVerify(token, key, options).catch(unlessWrongKey)
      if (verified) return verified
    }
    throw new errors.JWSSignatureVerificationFailed()
  }
}

function unlessWrongKey(error: unknown): undefined {
  if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error
}

/** Microsoft's tenants share one discovery document, but each tenant issues tokens under its own issuer. */
function issuerFor(token: string, issuer: string): string {
  if (!issuer.includes('{tenantid}')) return issuer
  const { tid } = decodeJwt(token)
  if (typeof tid !== 'string' || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(tid))
    throw new NotAccepted('the tenant is missing')
  return issuer.replace('{tenantid}', tid)
}

/** Checks `azp` if it is present, and requires it if the token has several audiences. */
function assertParty({ aud, azp }: JWTPayload, clientIds: readonly string[]): void {
  const isOurs = typeof azp === 'string' && clientIds.includes(azp)
  const isForMany = Array.isArray(aud) && aud.length > 1
  if ((azp !== undefined || isForMany) && !isOurs) throw new NotAccepted('issued to another client')
}

/** The longest time after which an app may still send a token, however long the provider accepts it. */
const maxAge = day

function assertIssued({ iat }: JWTPayload, now: number): void {
  const issued = Number(iat) * second
  if (!(issued <= now + tolerance)) throw new NotAccepted('it was issued in the future')
  if (!(issued >= now - maxAge - tolerance)) throw new NotAccepted('it was issued more than a day ago')
}

/**
 * The time until which the token is accepted. Rejects tokens that expire in more than ten years. Without a limit, `exp`
 * could be outside the range of `Date`.
 */
function endOf({ exp }: JWTPayload, now: number): Date {
  const end = Number(exp) * second + tolerance
  if (!(end <= now + 3650 * day)) throw new NotAccepted('it expires too far in the future')
  return new Date(end)
}

/** Uses `jti` or, if it is absent, the token without its signature, because some signatures have several encodings. */
const markOf = (token: string, issuer: string, { jti }: JWTPayload): Buffer =>
  sha256Bytes(typeof jti === 'string' ? `${issuer} jti ${jti}` : `${issuer} ${token.slice(0, token.lastIndexOf('.'))}`)

/** Returns false if the error means that the provider was unavailable. */
export const isTokenError = (error: unknown): boolean =>
  error instanceof errors.JOSEError &&
  !(error instanceof errors.JWKSTimeout) &&
  !(error instanceof errors.JWKSInvalid) &&
  error.code !== 'ERR_JOSE_GENERIC'
