import { createHash, createHmac } from 'node:crypto'
import type { EndUser } from './end-user.ts'

/** Keyed hashes of the IP address and the user agent at sign-in. Present only with SESSION_BINDING=enforce. */
export interface Binding {
  ip: string
  user_agent: string
}

/** Whether the visitor is where the session was created. Without `trustedProxies`, only the user agent is compared. */
export function isBoundTo(binding: Binding, sessionToken: string, endUser: EndUser | undefined): boolean {
  if (endUser === undefined) return false
  const key = createHash('sha256').update(sessionToken).digest('hex')
  const matches = (name: 'ip' | 'user_agent', value: string) =>
    createHmac('sha256', key).update(`${name}\0${value}`).digest('base64url') === binding[name]
  const { ip, user_agent } = endUser
  return matches('user_agent', user_agent) && (ip === undefined || matches('ip', ip))
}
