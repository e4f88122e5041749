/**
 * The form in which identifiers of resources are compared (RFC 8707, 2): scheme and host in lower case, without the default
 * port, and an empty path as `/`. Clients append the slash.
 */
export function sameResource(identifier: string): string {
  const url = URL.parse(identifier)
  if (!url) return identifier
  const [, rest = ''] = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*(.*)$/is.exec(identifier) ?? []
  return `${url.protocol}//${url.host}${rest.startsWith('/') ? rest : `/${rest}`}`
}
