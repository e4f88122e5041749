import { callService } from './call-service.ts'
import { WardenryError } from './errors.ts'
import type { Settings } from './options.ts'
import type { User } from './session.ts'

/** The values that an app sends to its back end after a sign-in. */
export interface HandoverCode {
  code: string
  codeVerifier: string
  /** The sign-in's return URL, such as `shop://callback`. */
  returnTo: string
}

export interface Redeemed {
  /** Return this only to the app, which stores it and sends it in the `Authorization: Bearer` header. */
  sessionToken: string
  user: User
  authenticatedAt: unknown
}

/** Exchanges an app's code for a session in that app. */
export function redeemForApp(settings: Settings, given: HandoverCode): Promise<Redeemed> {
  // These values come from the app and can have any type.
  const { code, codeVerifier, returnTo } = (given ?? {}) as Partial<Record<keyof HandoverCode, unknown>>
  if (typeof code !== 'string' || typeof codeVerifier !== 'string') throw new WardenryError('INVALID_CODE')
  if (!settings.applications.includes(applicationOf(String(returnTo)))) throw new WardenryError('INVALID_CODE')
  return redeemCode(settings, { code, codeVerifier, returnTo: String(returnTo) })
}

export async function redeemCode(
  settings: Settings,
  { code, codeVerifier, returnTo }: HandoverCode,
): Promise<Redeemed> {
  const { status, body } = await callService(settings, '/auth/bridge/redeem', {
    code,
    code_verifier: codeVerifier,
    return_to: returnTo,
  })
  if (status !== 200 || !body.success || typeof body.session_id !== 'string') throw new WardenryError('INVALID_CODE')
  return { sessionToken: body.session_id, user: body.user as User, authenticatedAt: body.authenticated_at }
}

/**
 * The service identifies a web application by the origin of its return URL, and an app by the scheme of its return URL.
 */
function applicationOf(returnTo: string): string {
  if (!URL.canParse(returnTo)) return ''
  const { origin, protocol } = new URL(returnTo)
  return origin === 'null' ? protocol : origin
}
