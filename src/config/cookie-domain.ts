import { isIP } from 'node:net'
import type { Config } from './load.ts'
import { isAtOrBelow, registrableDomain } from './registrable-domain.ts'

const domainForm = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

export const cookieDomainForm = (value: string): string | undefined =>
  domainForm.test(value) && isIP(value) === 0 && !/\.\d+$/.test(value)
    ? undefined
    : 'must be a domain such as example.com: lower case, at least two labels, no scheme, port, path or leading dot'

export function cookieDomainProblems(config: Config): (string | false)[] {
  const { SESSION_COOKIE_DOMAIN: domain, SESSION_COOKIE_NAME: name } = config
  if (domain === undefined) return []
  const host = new URL(config.PUBLIC_URL).hostname
  if (isIP(host) !== 0 || !isAtOrBelow(host, domain)) {
    return [
      `SESSION_COOKIE_DOMAIN must be ${host}, the host of PUBLIC_URL, or a parent domain of it: otherwise browsers refuse the cookie`,
    ]
  }
  return [
    !belongsToOwner(domain, host) &&
      `SESSION_COOKIE_DOMAIN must not be ${domain}, a public suffix: use your own domain below it, or omit the setting`,
    name.startsWith('__Host-') &&
      'SESSION_COOKIE_DOMAIN cannot be combined with a SESSION_COOKIE_NAME with the prefix __Host-: such cookies belong to one host',
  ]
}

function belongsToOwner(domain: string, host: string): boolean {
  const own = registrableDomain(host)
  return own !== null && isAtOrBelow(domain, own)
}
