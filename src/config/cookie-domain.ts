import { createRequire } from 'node:module'
import { isIP } from 'node:net'
import type * as PublicSuffixes from 'tldts'
import type { Config } from './load.ts'

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

const isAtOrBelow = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`)

/** Private suffixes, such as github.io, count as public suffixes. The list is large, so it is loaded on demand. */
function belongsToOwner(domain: string, host: string): boolean {
  const list: typeof PublicSuffixes = createRequire(import.meta.url)('tldts')
  const own = list.getDomain(host, { allowPrivateDomains: true })
  return own !== null && isAtOrBelow(domain, own)
}
