import type { Config } from '../../config/load.ts'
import { equalSecrets, keyedHash } from '../../lib/hash.ts'
import { hour } from '../../lib/time.ts'

export const loginFormPath = '/auth/token/login'

const lifetimeMs = 2 * hour

const signature = (config: Config, action: string, token: string, expires: string): string =>
  keyedHash(config.AUTH_SECRET, 'confirm-page', `${action}\n${expires}\n${token}`)

/** The form token is bound to `action` and `token` and is valid for two hours. */
export function signFormToken(config: Config, action: string, token: string, now: number): string {
  const expires = (now + lifetimeMs).toString(36)
  return `${expires}.${signature(config, action, token, expires)}`
}

/**
 * Adds the person to whom the page was shown. The token remains bound to the session; this only tells whether a token
 * of another session belongs to another person.
 */
export function signFormTokenFor(config: Config, action: string, token: string, now: number, userId: string): string {
  const signed = signFormToken(config, action, token, now)
  return `${signed}.${userMac(config, signed, userId)}`
}

const userMac = (config: Config, signed: string, userId: string): string =>
  keyedHash(config.AUTH_SECRET, 'form-person', `${signed}\n${userId}`)

/** Whether the token names a person, but not this one. */
export function isOfOtherUser(config: Config, value: string | undefined, userId: string): boolean {
  const [expires = '', mac = '', person] = value?.split('.') ?? []
  return person !== undefined && !equalSecrets(person, userMac(config, `${expires}.${mac}`, userId))
}

export type FormTokenState = 'valid' | 'expired' | 'forged'

/** A token for another form or session also counts as forged. */
export function formTokenState(
  config: Config,
  action: string,
  token: string,
  value: string | undefined,
  now: number,
): FormTokenState {
  const [expires = '', mac = ''] = value?.split('.') ?? []
  if (!equalSecrets(mac, signature(config, action, token, expires))) return 'forged'
  return now < Number.parseInt(expires, 36) ? 'valid' : 'expired'
}
