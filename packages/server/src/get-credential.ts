import { assertBearerAllowed } from './assert-allowed.ts'
import { asChallenge } from './challenge.ts'
import {
  asCredential,
  type BearerUse,
  type CredentialKind,
  type ValidatedBearer,
  type ValidatedCredential,
} from './credential.ts'
import { endUserOf } from './end-user.ts'
import { isUnknown, WardenryError } from './errors.ts'
import { getSession, sessionOf } from './get-session.ts'
import type { Settings } from './options.ts'
import type { Incoming } from './request.ts'
import type { CheckedRule } from './rule.ts'
import type { SessionSource } from './session.ts'
import { type Bearer, bearerIn } from './session-token.ts'

/** Returns the credential if the request is permitted. Otherwise, rejects with the reason. */
export async function getCredential(
  settings: Settings,
  source: SessionSource,
  request: Incoming,
  rule: CheckedRule,
): Promise<ValidatedCredential> {
  const { kinds = ['session'] } = rule
  let isSent = true
  try {
    const bearer = bearerIn(settings, request, kinds)
    isSent = bearer !== undefined
    if (bearer) return await getBearer(settings, source, request, { bearer, rule })
    // A sign-in would not help.
    if (!kinds.includes('session')) throw new WardenryError('INVALID_CREDENTIAL')
    return asCredential(await getSession(settings, source, request, rule))
  } catch (error) {
    throw error instanceof WardenryError ? asChallenge(error, rule, isSent) : error
  }
}

/** The request's credential. Undefined if it has none that is valid. Tokens are ignored without the API that is called. */
export async function credentialOf(
  settings: Settings,
  source: SessionSource,
  request: Incoming,
  { resource }: Pick<CheckedRule, 'resource'>,
): Promise<ValidatedCredential | undefined> {
  const rule: CheckedRule & { kinds: readonly CredentialKind[] } =
    resource === undefined ? { kinds: ['session', 'api_key'] } : { kinds: ['session', 'api_key', 'token'], resource }
  try {
    const bearer = bearerIn(settings, request, rule.kinds)
    if (bearer) return await getBearer(settings, source, request, { bearer, rule })
  } catch (error) {
    if (!(error instanceof WardenryError) || isUnknown(error)) throw error
    return undefined
  }
  const session = await sessionOf(settings, source, request)
  return session && asCredential(session)
}

interface Presented {
  bearer: Bearer
  rule: CheckedRule
}

/** A program sends a key or token in a header, so the request needs no check of the page from which it came. */
async function getBearer(
  settings: Settings,
  source: SessionSource,
  request: Incoming,
  { bearer, rule }: Presented,
): Promise<ValidatedBearer> {
  const { scopes = [], permission } = rule
  // A permission of an application is a scope of a key or token.
  const demanded = permission === undefined ? scopes : [...new Set([...scopes, permission])]
  const resource = bearer.kind === 'token' ? rule.resource : undefined
  const use = { endUser: endUserOf(settings, request), scopes: demanded, resource }
  const validated = await lookUp(source, bearer.value, use)
  if (validated.kind !== bearer.kind) throw new WardenryError('UNAVAILABLE', 'the source returned another kind')
  assertBearerAllowed(settings, validated, use, rule)
  return validated
}

async function lookUp({ bearers }: SessionSource, bearer: string, use: BearerUse): Promise<ValidatedBearer> {
  if (!bearers) throw new WardenryError('UNAVAILABLE', 'the source does not look up keys and tokens')
  const known = bearers.peek(bearer, use)
  if (known !== 'ask') return known
  try {
    return await bearers.validate(bearer, use)
  } catch (cause) {
    throw cause instanceof WardenryError
      ? cause
      : new WardenryError('UNAVAILABLE', String((cause as Error).message), cause)
  }
}
