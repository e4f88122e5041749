import { assertKeyAllowed } from './assert-allowed.ts'
import { asCredential, type CredentialKind, type ValidatedCredential, type ValidatedKey } from './credential.ts'
import { endUserOf } from './end-user.ts'
import { isUnknown, WardenryError } from './errors.ts'
import { getSession, sessionOf } from './get-session.ts'
import type { Settings } from './options.ts'
import type { Incoming } from './request.ts'
import type { CheckedRule } from './rule.ts'
import type { SessionSource } from './session.ts'
import { keyIn } from './session-token.ts'

const allKinds: readonly CredentialKind[] = ['session', 'api_key']

/** Returns the credential if the request is permitted. Otherwise, rejects with the reason. */
export async function getCredential(
  settings: Settings,
  source: SessionSource,
  request: Incoming,
  rule: CheckedRule,
): Promise<ValidatedCredential> {
  const { kinds = ['session'] } = rule
  const acceptsSessions = kinds.includes('session')
  const key = kinds.includes('api_key') ? keyIn(settings, request, acceptsSessions) : undefined
  if (key !== undefined) return getKey(settings, source, request, { key, rule })
  // A sign-in would not help.
  if (!acceptsSessions) throw new WardenryError('INVALID_CREDENTIAL')
  return asCredential(await getSession(settings, source, request, rule))
}

/** The request's credential. Undefined if it has none that is valid. */
export async function credentialOf(
  settings: Settings,
  source: SessionSource,
  request: Incoming,
): Promise<ValidatedCredential | undefined> {
  try {
    const key = keyIn(settings, request, true)
    if (key !== undefined) return await getKey(settings, source, request, { key, rule: { kinds: allKinds } })
  } catch (error) {
    if (!(error instanceof WardenryError) || isUnknown(error)) throw error
    return undefined
  }
  const session = await sessionOf(settings, source, request)
  return session && asCredential(session)
}

interface Presented {
  key: string
  rule: CheckedRule
}

/** A program sends a key in a header, so the request needs no check of the page from which it came. */
async function getKey(
  settings: Settings,
  source: SessionSource,
  request: Incoming,
  { key, rule }: Presented,
): Promise<ValidatedKey> {
  const { scopes = [], permission } = rule
  // A permission of an application is a scope of a key.
  const demanded = permission === undefined ? scopes : [...new Set([...scopes, permission])]
  const use = { endUser: endUserOf(settings, request), scopes: demanded }
  const validated = await lookUp(source, key, use)
  assertKeyAllowed(validated, use, rule)
  return validated
}

async function lookUp({ keys }: SessionSource, key: string, use: Parameters<typeof assertKeyAllowed>[1]) {
  if (!keys) throw new WardenryError('UNAVAILABLE', 'the source does not look up keys')
  const known = keys.peek(key, use)
  if (known !== 'ask') return known
  try {
    return await keys.validate(key, use)
  } catch (cause) {
    throw cause instanceof WardenryError
      ? cause
      : new WardenryError('UNAVAILABLE', String((cause as Error).message), cause)
  }
}
